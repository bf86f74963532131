"""The admin of surveys, with the pages that other apps add: planner, results."""

from typing import Any

from django.contrib import admin
from django.contrib.admin.views.main import ChangeList
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from config.accounts.researchers import ResearcherAdmin
from config.home import count_responses
from estimation.pages.planner.panels import plan_form
from respondents.distribution.rehearsal import wipe
from surveys.authoring.admin import SurveyAdmin
from surveys.models import Survey
from surveys.text.numbers import format_integer

# In place of Django's own, which the import of its class has put there.
admin.site.unregister(User)
admin.site.register(User, ResearcherAdmin)


@admin.register(Survey)
class SurveyDesk(SurveyAdmin):
    list_display = [
        "title",
        "state_badge",
        "mode_name",
        "question_count",
        "responses",
        "own_role",
        "owner",
        "results",
    ]

    @admin.display(description=gettext_lazy("responses"))
    def responses(self, survey: Any) -> str | None:
        return None if survey.is_draft else format_integer(survey.sealed_responses)

    @admin.display(description=gettext_lazy("results"))
    def results(self, survey: Survey) -> SafeString | None:
        if survey.is_draft or survey.purged_on:
            return None
        address = reverse("admin:estimation_results", args=[survey.pk])
        return format_html('<a href="{}">{}</a>', address, _("See results"))

    def get_changelist_instance(self, request: HttpRequest) -> ChangeList:
        changelist = super().get_changelist_instance(request)
        counts = count_responses(changelist.result_list)
        for survey in changelist.result_list:
            survey.sealed_responses = counts.get(survey.pk, 0)
        return changelist

    def render_change_form(
        self, request: HttpRequest, context: Any, *args: Any, **kwargs: Any
    ) -> HttpResponse:
        if self.has_change_permission(request, kwargs.get("obj")):
            (questions,) = context["inline_admin_formsets"]
            form = context["adminform"].form
            context["planner"] = plan_form(form, questions.formset, request.GET)
        return super().render_change_form(request, context, *args, **kwargs)

    def delete_model(self, request: HttpRequest, obj: Survey) -> None:
        wipe(obj)
        super().delete_model(request, obj)
