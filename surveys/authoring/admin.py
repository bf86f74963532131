from http import HTTPStatus
from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import QuerySet
from django.forms import Script
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.urls import URLPattern, path
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from surveys.access import get_survey_for_user, has_role
from surveys.authoring.drafts import (
    AUTOSAVE,
    answer_merge,
    autosave,
    describe_merge,
    list_changed_keys,
    list_rewritten_conditions,
)
from surveys.authoring.filters import (
    ArchivedFilter,
    ModeFilter,
    OwnerFilter,
    StateFilter,
)
from surveys.authoring.forms.survey import SurveyForm, find_last_language
from surveys.authoring.history import record_state
from surveys.authoring.inlines import DraftsOnly, QuestionInline
from surveys.authoring.merging import merge_with_stored
from surveys.authoring.pages import get_page_context, get_status_context, list_errors
from surveys.authoring.posted import match_stored_questions
from surveys.authoring.renumbering import (
    QUESTION_REFERENCES,
    describe_renumbering,
    map_positions,
    read_positions,
    renumber_conditions,
    renumber_lines,
)
from surveys.authoring.steps import (
    FIELDSETS,
    STEPS,
    list_frozen_settings,
    list_settings,
)
from surveys.authoring.texts import texts
from surveys.frozen import FrozenError
from surveys.log import Part, read_log, record_edit
from surveys.models import Role, Survey, require_researcher


class SurveyAdmin(DraftsOnly, admin.ModelAdmin):  # type: ignore[type-arg]
    form = SurveyForm
    inlines = [QuestionInline]
    prepopulated_fields = {"slug": ["title"]}
    change_form_template = "surveys/authoring/change_form.html"
    delete_confirmation_template = "surveys/authoring/delete_confirmation.html"
    object_history_template = "surveys/authoring/object_history.html"
    radio_fields = {"mode": admin.VERTICAL, "access": admin.VERTICAL}
    fieldsets = FIELDSETS
    # No action works on many surveys at once: opening and deleting are deliberate.
    actions = None
    list_filter = [StateFilter, OwnerFilter, ModeFilter, ArchivedFilter]
    list_select_related = ["owner"]
    search_fields = [
        "title",
        "slug",
        "organiser",
        "questions__text",
        "owner__username",
        "owner__first_name",
        "owner__last_name",
    ]
    # The list shows its own count; counting all surveys adds nothing.
    show_full_result_count = False
    view_on_site = False

    class Media:
        js = [
            Script("js/authoring/address.js", type="module"),
            Script("js/authoring/unsaved.js", type="module"),
            Script("js/authoring/autosave.js", type="module"),
            Script("js/authoring/steps.js", type="module"),
        ]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Survey]:
        surveys = Survey.objects.for_user(request.user).listed()
        return surveys.prefetch_related("questions").order_by("-id")

    def changelist_view(
        self, request: HttpRequest, extra_context: Any = None
    ) -> HttpResponse:
        is_archive = request.GET.get("archived") == "1"
        title = _("Archived") if is_archive else _("Surveys")
        key = request.session.pop("deleted", None)
        deleted = Survey.objects.for_user(request.user, is_deleted=True).filter(pk=key)
        named = {
            "title": title,
            "deleted": deleted.first() if key else None,
            **(extra_context or {}),
        }
        return super().changelist_view(request, named)

    def get_object(
        self, request: HttpRequest, object_id: str, from_field: str | None = None
    ) -> Survey:
        survey: Survey | None = super().get_object(request, object_id, from_field)
        if survey is None:
            raise Http404("No such survey.")
        return survey

    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, Any]:
        return {
            "language": find_last_language(request.user) or get_language(),
            **super().get_changeform_initial_data(request),
        }

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(texts)
        texts_url = path("texts/", view, name="surveys_survey_texts")
        return [texts_url, *super().get_urls()]

    def get_formset_kwargs(
        self, request: HttpRequest, obj: Any, inline: Any, prefix: str
    ) -> dict[str, Any]:
        kwargs = super().get_formset_kwargs(request, obj, inline, prefix)
        if "data" in kwargs:
            stored = obj.questions.values_list("pk", flat=True) if obj.pk else ()
            kwargs["data"] = match_stored_questions(kwargs["data"], prefix, stored)
        return kwargs

    def save_model(
        self, request: HttpRequest, obj: Survey, form: Any, change: bool
    ) -> None:
        if not change:
            obj.owner = require_researcher(request.user)
        super().save_model(request, obj, form, change)

    def save_related(
        self, request: HttpRequest, form: Any, formsets: Any, change: bool
    ) -> None:
        survey = form.instance
        before = read_positions(survey)
        super().save_related(request, form, formsets, change)
        if change and any(each.has_changed() for each in (form, *formsets)):
            # A line that was edited already uses the numbers that are on the page now.
            names = [each for each in QUESTION_REFERENCES if each in form.fields]
            places = map_positions(before, read_positions(survey))
            survey.renumbered = renumber_lines(
                survey,
                places,
                [each for each in names if each not in form.changed_data],
            )
            survey.renumbered_conditions = renumber_conditions(
                survey, places, list_rewritten_conditions(formsets)
            )
            form.changed_data.extend(survey.renumbered)
            survey.note_change(form.cleaned_data["becomes"])
            record_state(request.user, survey)

    def construct_change_message(
        self, request: HttpRequest, form: Any, formsets: Any, add: bool = False
    ) -> list[Part]:
        parts: list[Part] = super().construct_change_message(
            request, form, formsets, add
        )
        named = [each for part in parts for each in part.values() if "object" in each]
        keys = (pk for formset in formsets for pk in list_changed_keys(formset))
        for each, pk in zip(named, keys, strict=True):
            each["pk"] = pk
        return parts

    def log_change(self, request: HttpRequest, obj: Any, message: Any) -> Any:
        if message:
            record_edit(request.user, obj, message)

    def get_deleted_objects(
        self, objs: Any, request: HttpRequest
    ) -> tuple[list[Any], dict[Any, Any], set[Any], list[Any]]:
        # Only its test could prevent the deletion of a draft, and is deleted with it.
        # The permission to delete the draft has been checked before.
        deleted, counts, _lacking, _protected = super().get_deleted_objects(
            objs, request
        )
        return deleted, counts, set(), []

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: Any = None,
    ) -> HttpResponse:
        try:
            if request.method != "POST":
                return super().change_view(request, object_id, form_url, extra_context)
            # The row is locked from reading its version until all is stored.
            with transaction.atomic():
                locked = Survey.objects.select_for_update()
                list(locked.filter(pk=object_id) if object_id.isdecimal() else ())
                return self.save_draft(request, object_id, form_url)
        except Http404:
            test = self.find_rehearsal(request, object_id)
            if test is None:
                raise
            return redirect("admin:surveys_survey_try", test.rehearsal_of_id)
        except (PermissionDenied, FrozenError):
            survey = get_survey_for_user(request.user, int(object_id))
            if not has_role(request.user, survey, Role.EDITOR):
                raise
            # The form was still on screen when the survey was opened elsewhere.
            text = _("Nothing was changed. ") + FrozenError().messages[0]
            if AUTOSAVE in request.POST:
                return JsonResponse({"message": text}, status=HTTPStatus.FORBIDDEN)
            messages.error(request, text)
            return redirect("admin:surveys_survey_change", object_id)

    def save_draft(
        self, request: HttpRequest, object_id: str, form_url: str
    ) -> HttpResponse:
        survey, sent = self.get_object(request, object_id), request.POST
        if not self.has_change_permission(request, survey):
            raise PermissionDenied
        merge = merge_with_stored(request.user, survey, sent)
        if merge and AUTOSAVE in sent:
            changes = merge.list_changes(sent)
            if merge.is_open or changes:
                return answer_merge(merge, changes, request)
        if merge and not merge.is_open:
            request.POST = merge.posted  # type: ignore[assignment]
        if AUTOSAVE in sent:
            return autosave(self, request, survey)
        if merge and not merge.is_open:
            messages.info(request, describe_merge(merge))
            merge = None
        return super().change_view(request, object_id, form_url, {"merge": merge})

    def history_view(
        self, request: HttpRequest, object_id: str, extra_context: Any = None
    ) -> HttpResponse:
        survey = self.get_object(request, object_id)
        context = get_page_context(request, survey) | {
            "title": _("Log of “%s”") % survey,
            "lines": read_log(survey),
        }
        return super().history_view(request, object_id, context | (extra_context or {}))

    def delete_view(
        self, request: HttpRequest, object_id: str, extra_context: Any = None
    ) -> HttpResponse:
        survey = self.get_object(request, object_id)
        if survey.is_draft or not has_role(request.user, survey, Role.OWNER):
            return super().delete_view(request, object_id, extra_context)
        raise PermissionDenied(_("Only drafts can be deleted."))

    def log_deletions(self, request: HttpRequest, queryset: Any) -> Any:
        """Log nothing: `delete_draft` logs the deletion."""

    def response_delete(
        self, request: HttpRequest, obj_display: str, obj_id: int
    ) -> HttpResponse:
        request.session["deleted"] = obj_id
        return redirect("admin:surveys_survey_changelist")

    def render_delete_form(self, request: HttpRequest, context: Any) -> HttpResponse:
        page_context = get_page_context(request, context["object"]) | context
        return super().render_delete_form(request, page_context)

    def find_rehearsal(self, request: HttpRequest, object_id: str) -> Survey | None:
        tests = Survey.objects.for_user(request.user).exclude(rehearsal_of=None)
        return tests.filter(pk=object_id).first() if object_id.isdecimal() else None

    def render_change_form(
        self, request: HttpRequest, context: Any, *args: Any, **kwargs: Any
    ) -> HttpResponse:
        survey: Survey | None = kwargs.get("obj")
        context |= get_page_context(request, survey)
        form = context["adminform"].form
        formsets = [inline.formset for inline in context["inline_admin_formsets"]]
        for formset in formsets:
            formset.fold()
        errors = list_errors(form, formsets)
        if context.get("merge"):
            errors = [each for each in errors if each.target != "id_version"]
            context["errors"] = context["errors"] if errors else []
        context["named_errors"] = errors
        context["steps"] = STEPS
        can_write = self.has_change_permission(request, survey)
        if can_write:
            context["settings"] = list(list_settings(context["adminform"]))
        if survey is None:
            context["title"] = _("New survey")
        elif not can_write:
            context |= get_status_context(request, survey)
            context["settings"] = list_frozen_settings(survey, context["adminform"])
        return super().render_change_form(request, context, *args, **kwargs)

    def report_changed_address(self, request: HttpRequest, survey: Survey) -> None:
        if request.POST.get("slug") not in {None, "", survey.slug}:
            text = _("Its address is /s/%s/.")
            messages.info(request, text % survey.slug)

    def response_add(
        self, request: HttpRequest, obj: Survey, *args: Any, **kwargs: Any
    ) -> HttpResponse:
        self.report_changed_address(request, obj)
        if "_open" in request.POST:
            return redirect("admin:surveys_survey_open", obj.pk)
        return super().response_add(request, obj, *args, **kwargs)

    def response_change(self, request: HttpRequest, obj: Survey) -> HttpResponse:
        if text := describe_renumbering(obj):
            messages.info(request, text)
        if "_open" in request.POST:
            return redirect("admin:surveys_survey_open", obj.pk)
        return super().response_change(request, obj)
