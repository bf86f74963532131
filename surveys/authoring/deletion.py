"""Delete drafts, restore them, and remove them for good after some time."""

from datetime import timedelta

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from django.views.decorators.http import require_http_methods, require_safe

from surveys.access import find_roles, get_survey_for_user
from surveys.authoring.history import find_revisions, read_state, record_first_state
from surveys.authoring.pages import render_page
from surveys.log import record
from surveys.models import Role, Survey, Visitor

KEPT = timedelta(days=30)
"""How long a deleted draft can be restored."""


@transaction.atomic
def delete_draft(user: Visitor, survey: Survey) -> None:
    """Hide the draft and free its address, which is recorded in its last state."""
    record_first_state(survey)
    survey.slug = Survey.objects.find_free_slug(f"deleted-{survey.pk}")
    survey.deleted_at = timezone.now()
    survey.save(update_fields=["slug", "deleted_at"])
    record(user, survey, gettext_noop("Deleted."))


@transaction.atomic
def restore_draft(user: Visitor, survey: Survey) -> None:
    last = find_revisions(survey)[0]
    slug = read_state(last).survey["slug"]
    survey.slug, survey.deleted_at = Survey.objects.find_free_slug(slug), None
    survey.save(update_fields=["slug", "deleted_at"])
    record(user, survey, gettext_noop("Restored."))


def remove_deleted_drafts() -> None:
    for survey in Survey.objects.filter(deleted_at__lt=timezone.now() - KEPT):
        with transaction.atomic():
            find_revisions(survey).delete()
            survey.delete()


@require_safe
def deleted_drafts(request: HttpRequest) -> HttpResponse:
    found = Survey.objects.for_user(request.user, is_deleted=True)
    roles = find_roles(found, request.user)
    own = [each for each in found if roles[each.pk] is Role.OWNER]
    return render_page(
        request,
        None,
        "surveys/authoring/deleted.html",
        title=_("Deleted drafts"),
        drafts=[(each, each.deleted_at + KEPT) for each in own if each.deleted_at],
    )


@require_http_methods(["GET", "HEAD", "POST"])
def undelete(request: HttpRequest, survey_id: int) -> HttpResponse:
    survey = get_survey_for_user(
        request.user, survey_id, role=Role.OWNER, is_deleted=True
    )
    if request.method != "POST":
        return redirect("admin:surveys_survey_deleted")
    restore_draft(request.user, survey)
    messages.success(request, _("Restored."))
    return redirect("admin:surveys_survey_change", survey.pk)
