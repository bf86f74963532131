from django.apps import AppConfig, apps
from django.utils.translation import gettext_lazy as _


class CandorConfig(AppConfig):
    name = "config"

    def ready(self) -> None:
        from config import checks  # noqa: F401  (registers the system checks)

        # What the ways back on pages of users say. Not by a subclass in
        # INSTALLED_APPS: the types of request.user are told by that name.
        for app in apps.get_app_configs():
            if app.label == "auth":
                app.verbose_name = _("Accounts")
