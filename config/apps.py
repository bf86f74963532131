from django.apps import AppConfig


class CandorConfig(AppConfig):
    name = "config"

    def ready(self) -> None:
        from config import checks  # noqa: F401  (registers the system checks)
