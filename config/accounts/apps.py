from django.contrib.admin.apps import AdminConfig
from django.contrib.auth.apps import AuthConfig
from django.utils.translation import gettext_lazy as _


class CandorAdminConfig(AdminConfig):
    default_site = "config.site.CandorAdminSite"


class CandorAuthConfig(AuthConfig):
    # What the ways back on pages of users say.
    verbose_name = _("Accounts")
