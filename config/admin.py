from django.contrib import admin


class CandorAdminSite(admin.AdminSite):
    site_header = "Candor"
    site_title = "Candor"
    index_title = "Surveys"
    enable_nav_sidebar = False
