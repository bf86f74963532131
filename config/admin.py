from typing import Any

from django.contrib import admin
from django.urls import path

from estimation.urls import get_urls as get_estimation_urls
from respondents.admin import get_urls as get_respondents_urls


class CandorAdminSite(admin.AdminSite):
    site_header = "Candor"
    site_title = "Candor"
    index_title = "Surveys"
    enable_nav_sidebar = False

    def get_urls(self) -> list[Any]:
        pages = get_estimation_urls() + get_respondents_urls()
        for_researchers = [
            path(
                f"surveys/survey/<int:survey_id>/{page.pattern}",
                self.admin_view(page.callback),
                name=page.name,
            )
            for page in pages
        ]
        return [*for_researchers, *super().get_urls()]
