"""One navigation for all pages about one survey."""

from dataclasses import dataclass
from typing import Any

from django import template
from django.http import HttpRequest
from django.template import Context
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from surveys.models import Role, Survey

register = template.Library()

DRAFT, OPEN, CLOSED = Survey.State.DRAFT, Survey.State.OPEN, Survey.State.CLOSED


@dataclass(frozen=True)
class Tab:
    page: str
    label: Promise
    states: tuple[Survey.State, ...] = (DRAFT, OPEN, CLOSED)
    role: Role = Role.VIEWER
    steps: tuple[str, ...] = ()
    """Pages that have no tab of their own and belong to this one."""

    def is_for(self, survey: Survey, role: Role) -> bool:
        return survey.state in self.states and role.includes(self.role)


TABS = (
    Tab(
        "surveys_survey_change",
        gettext_lazy("Overview"),
        steps=(
            "surveys_survey_open",
            "surveys_survey_period",
            "surveys_survey_close",
            "surveys_survey_duplicate",
            "surveys_survey_archive",
            "surveys_survey_purge",
            "surveys_survey_delete",
            "surveys_survey_states",
            "surveys_survey_translations",
        ),
    ),
    Tab(
        "surveys_survey_try",
        gettext_lazy("Try it"),
        (DRAFT,),
        # The results of its test: they show the tabs of the draft.
        steps=("estimation_results",),
    ),
    Tab(
        "surveys_survey_share",
        gettext_lazy("Share"),
        (OPEN,),
        steps=("surveys_survey_links",),
    ),
    Tab("estimation_monitor", gettext_lazy("Monitor"), (OPEN,)),
    Tab(
        "estimation_results",
        gettext_lazy("Results"),
        (OPEN, CLOSED),
        steps=("surveys_survey_sealed",),
    ),
    Tab(
        "estimation_export",
        gettext_lazy("Export"),
        (OPEN, CLOSED),
        steps=("estimation_tokens",),
    ),
    Tab("estimation_publish", gettext_lazy("Publish"), (OPEN, CLOSED), Role.EDITOR),
    Tab("surveys_survey_people", gettext_lazy("Collaborators")),
    Tab("surveys_survey_history", gettext_lazy("Log")),
)


@register.inclusion_tag("surveys/_tabs.html", takes_context=True)
def survey_tabs(context: Context, survey: Survey | None) -> dict[str, Any]:
    request: HttpRequest = context["request"]
    # The form of a new survey has no survey yet.
    if not survey or not survey.pk:
        return {"links": []}
    # The pages of a rehearsal belong to its draft.
    shown = survey.rehearsal_of or survey
    role: Role | None = context["role"]
    tabs = [tab for tab in TABS if role and tab.is_for(shown, role)]
    links = []
    match = request.resolver_match
    for tab in tabs:
        address = reverse(f"admin:{tab.page}", args=[shown.pk])
        is_step = match is not None and match.url_name in tab.steps
        is_below = request.path.startswith(address)
        is_here = request.path == address
        # The value of aria-current: "page" here, "true" on a page below.
        current = "page" if is_here else "true" if is_below or is_step else ""
        links.append({"label": tab.label, "address": address, "current": current})
    return {"survey": shown, "links": links}
