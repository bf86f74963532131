from django.contrib.admin.apps import AdminConfig


class CandorAdminConfig(AdminConfig):
    default_site = "config.site.CandorAdminSite"
