from django.apps import AppConfig, apps
from django.contrib.admin.apps import AdminConfig
from django.utils.translation import gettext_lazy as _


class CandorAdminConfig(AdminConfig):
    default_site = "config.site.CandorAdminSite"

    def ready(self) -> None:
        super().ready()
        # Shown in the breadcrumbs of the user pages.
        apps.get_app_config("auth").verbose_name = _("Accounts")


class AccountsConfig(AppConfig):
    name = "config.accounts"

    def ready(self) -> None:
        from allauth.mfa.signals import authenticator_added, authenticator_removed

        from config.accounts.second_factor import end_other_sessions

        authenticator_added.connect(end_other_sessions)
        authenticator_removed.connect(end_other_sessions)
