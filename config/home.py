"""The list of surveys, with progress and next steps."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from django.db.models import Count
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from estimation.presentation.survey import margin
from estimation.rows.counts import read_counts
from estimation.rows.planned import planned_level
from estimation.rows.progress import widest_margin
from estimation.rows.shares import MIN_RESPONDENTS
from respondents.least_responses import has_too_few
from respondents.models import Response, SealedTally
from surveys.access import find_roles, get_role_name
from surveys.models import Role, Survey, Visitor


@dataclass(frozen=True)
class Step:
    label: Promise
    page: str
    anchor: str = ""

    def address(self, survey: Survey) -> str:
        return reverse(f"admin:{self.page}", args=[survey.pk]) + self.anchor


WRITE = Step(
    gettext_lazy("Write questions"), "surveys_survey_change", "#questions-heading"
)
READ = Step(gettext_lazy("Look at it"), "surveys_survey_change")
TRY = Step(gettext_lazy("Try it"), "surveys_survey_try")
OPEN = Step(gettext_lazy("Open"), "surveys_survey_open")
SHARE = Step(gettext_lazy("Share"), "surveys_survey_share")
MONITOR = Step(gettext_lazy("Monitor"), "estimation_monitor")
RESULTS = Step(gettext_lazy("See results"), "estimation_results")
EXPORT = Step(gettext_lazy("Export"), "estimation_export")
PUBLISH = Step(gettext_lazy("Publish"), "estimation_publish")


DUPLICATE = Step(gettext_lazy("Duplicate"), "surveys_survey_duplicate")
ARCHIVE = Step(gettext_lazy("Archive"), "surveys_survey_archive")
UNARCHIVE = Step(gettext_lazy("Take out of the archive"), "surveys_survey_archive")


@dataclass(frozen=True, kw_only=True)
class ListedSurvey:
    survey: Survey
    role: Role
    role_name: str
    responses: int
    widest: float | None
    has_namesake: bool
    """Whether another survey has the same title, so that the address is shown."""

    @property
    def precision(self) -> str:
        """The margin of the least precise question, or a dash."""
        return margin(self.widest)

    @property
    def question_count(self) -> int:
        return len(self.survey.questions.all())

    @property
    def target(self) -> int | None:
        """The planned number of responses while it is open and not yet reached."""
        planned = self.survey.target
        is_ahead = planned is not None and self.responses < planned
        return planned if self.survey.is_open and is_ahead else None

    @property
    def steps(self) -> list[tuple[Promise, str]]:
        """Labels and addresses of the next steps, the most probable first."""
        return [
            (step.label, step.address(self.survey)) for step in self.list_next_steps()
        ]

    @property
    def further_steps(self) -> list[tuple[Promise, str]]:
        """Labels and addresses in the menu of the survey."""
        further = [*self.list_next_steps()[1:], DUPLICATE]
        if self.role.includes(Role.OWNER):
            further.append(UNARCHIVE if self.survey.archived_on else ARCHIVE)
        return [(step.label, step.address(self.survey)) for step in further]

    def list_next_steps(self) -> list[Step]:
        if self.survey.is_draft:
            return self.list_draft_steps()
        if self.survey.is_open:
            return [MONITOR, SHARE] if self.responses else [SHARE]
        if self.survey.purged_on:
            return []
        if has_too_few(self.survey, self.responses):
            return [RESULTS]
        may_publish = self.role.includes(Role.EDITOR)
        return [RESULTS, EXPORT, *([PUBLISH] if may_publish else [])]

    def list_draft_steps(self) -> list[Step]:
        if not self.role.includes(Role.EDITOR):
            return [READ]
        if not self.question_count:
            return [WRITE]
        return [TRY, OPEN] if self.role.includes(Role.OWNER) else [TRY]


def list_surveys(
    surveys: Collection[Survey], responses: Mapping[int, int], user: Visitor
) -> list[ListedSurvey]:
    roles = find_roles(surveys, user)
    margins = compute_widest_margins(surveys, responses)
    namesakes = find_namesakes(surveys, user)
    return [
        ListedSurvey(
            survey=survey,
            role=roles[survey.pk],
            role_name=get_role_name(survey, user, roles[survey.pk]),
            responses=responses.get(survey.pk, 0),
            widest=margins[survey.pk],
            has_namesake=survey.title in namesakes,
        )
        for survey in surveys
    ]


def find_namesakes(surveys: Collection[Survey], user: Visitor) -> set[str]:
    """Return the titles that more than one survey of `user` has, archived or not."""
    titles = [survey.title for survey in surveys]
    same = Survey.objects.for_user(user).listed().filter(title__in=titles)
    counted = same.order_by().values("title").annotate(count=Count("pk"))
    return set(counted.filter(count__gt=1).values_list("title", flat=True))


def compute_widest_margins(
    surveys: Collection[Survey], responses: Mapping[int, int]
) -> dict[int, float | None]:
    """Return the widest margin of error of each survey; reads all counts at once.

    None for surveys with too few responses.
    """
    large = [
        survey for survey in surveys if responses.get(survey.pk, 0) >= MIN_RESPONDENTS
    ]
    counts = read_counts(large)
    return {
        survey.pk: widest_margin(
            [question.mechanism for question in survey.questions.all()],
            counts[survey.pk],
            planned_level(survey),
        )
        if survey.pk in counts
        else None
        for survey in surveys
    }


def count_responses(surveys: Collection[Survey]) -> dict[int, int]:
    """Seal batches that are due, and return the sealed responses by survey.

    Responses since the last batch are not counted.
    """
    waiting = Response.objects.filter(survey__in=surveys)
    arrived = dict(waiting.values_list("survey").annotate(Count("pk")).order_by())
    for survey in surveys:
        has_batch = arrived.get(survey.pk, 0) >= survey.seals_at
        is_due = has_batch or survey.is_past_grace
        if survey.is_open and is_due:
            Response.objects.seal_if_due(survey)
    sealed = SealedTally.objects.by_survey(surveys).values()
    return {each.survey_id: each.respondents for each in sealed}
