from collections.abc import Iterable
from typing import Any

from django.contrib import admin
from django.db.models import Count, Sum
from django.http import HttpRequest
from django.template.response import TemplateResponse
from django.urls import URLPattern, URLResolver, path
from django.utils.translation import gettext_lazy

from estimation.urls import get_urls as get_estimation_urls
from respondents.admin import get_urls as get_respondents_urls
from respondents.models import SealedPattern
from surveys.models import Survey

SURVEYS_ON_THE_HOME_PAGE = 20


class CandorAdminSite(admin.AdminSite):
    site_header = "Candor"
    site_title = "Candor"
    site_url = None
    index_title = gettext_lazy("Your surveys")
    enable_nav_sidebar = False

    def get_urls(self) -> list[URLPattern | URLResolver]:
        pages = get_estimation_urls() + get_respondents_urls()
        for_researchers = [
            path(
                f"surveys/survey/<int:survey_id>/{page.pattern}",
                self.admin_view(page.callback),
                name=page.name,
            )
            for page in pages
        ]
        # Django's redirect to any object's public page asks nobody whose object it is.
        inherited = [
            page
            for page in super().get_urls()
            if getattr(page, "name", None) != "view_on_site"
        ]
        return [*for_researchers, *inherited]

    def index(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> TemplateResponse:
        mine = Survey.objects.for_user(request.user)
        surveys = list(
            mine.annotate(question_count=Count("questions")).order_by("-id")[
                : SURVEYS_ON_THE_HOME_PAGE + 1
            ]
        )
        counts = self.count_responses(surveys)
        return super().index(
            request,
            {
                "surveys": [
                    (survey, counts.get(survey.pk, 0))
                    for survey in surveys[:SURVEYS_ON_THE_HOME_PAGE]
                ],
                "has_more": len(surveys) > SURVEYS_ON_THE_HOME_PAGE,
                "demo": mine.filter(is_simulated=True).first(),
                **(extra_context or {}),
            },
        )

    def count_responses(self, surveys: Iterable[Survey]) -> dict[int, int]:
        """Return the number of sealed responses by survey; the last batch is not in."""
        sealed = SealedPattern.objects.filter(survey__in=[each.pk for each in surveys])
        rows = sealed.values_list("survey").annotate(Sum("count")).order_by()
        return dict(rows)
