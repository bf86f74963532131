from django.apps import AppConfig
from django.contrib.admin.apps import AdminConfig


class CandorConfig(AppConfig):
    name = "config"

    def ready(self) -> None:
        from config import checks  # noqa: F401  (registers the system checks)


class CandorAdminConfig(AdminConfig):
    default_site = "config.site.CandorAdminSite"
