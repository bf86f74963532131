from django.apps import apps
from django.contrib.admin.apps import AdminConfig
from django.utils.translation import gettext_lazy as _


class CandorAdminConfig(AdminConfig):
    default_site = "config.site.CandorAdminSite"

    def ready(self) -> None:
        super().ready()
        # What the ways back on pages of users say.
        apps.get_app_config("auth").verbose_name = _("Accounts")
