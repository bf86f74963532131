"""The admin of surveys, with the pages of estimation and respondents."""

from typing import Any

from django.contrib import admin
from django.contrib.admin.views.main import ChangeList
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse

from config.accounts.researchers import ResearcherAdmin
from config.home import count_responses, list_surveys
from estimation.pages.planner.panels import plan_form
from respondents.distribution.rehearsal import wipe
from surveys.authoring.admin import SurveyAdmin
from surveys.authoring.deletion import delete_draft
from surveys.models import Survey

# Replaces Django's admin of users, which the import of its class registers.
admin.site.unregister(User)
admin.site.register(User, ResearcherAdmin)


@admin.register(Survey)
class ResearchersSurveyAdmin(SurveyAdmin):
    change_list_template = "admin/surveys.html"

    def get_changelist_instance(self, request: HttpRequest) -> ChangeList:
        changelist = super().get_changelist_instance(request)
        surveys = list(changelist.result_list)
        counts = count_responses(surveys)
        changelist.result_list = list_surveys(surveys, counts, request.user)
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
        delete_draft(request.user, obj)
