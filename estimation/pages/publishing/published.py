"""The contents of a public results page, and when it exists."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

from django.utils.translation import gettext as _

from candor.cli.rows import Cell
from estimation.files.estimates import make_estimates_rows
from estimation.models import Publication
from estimation.presentation import publishing as sentences
from estimation.presentation.survey import SurveyPanel
from estimation.rows.counts import read_one_way
from estimation.rows.released import (
    CountRelease,
    needs_release,
    newest,
    simulate_release,
    spent,
)
from estimation.rows.shares import (
    QuestionResult,
    SurveyResults,
    get_results,
    survey_results,
)
from respondents.least_responses import (
    TooFewResponsesError,
    has_too_few,
    least_responses,
)
from respondents.models import SealedPattern
from surveys.design import Design, get_design
from surveys.models import Survey
from surveys.models.conditions import list_leaves
from surveys.text.protection import Protection

LEAST_RESPONSES = 30
"""Public numbers of smaller groups would come close to single respondents. It equals
the minimum size of groups within a survey."""


@dataclass(frozen=True)
class PublishedResults:
    publication: Publication
    results: SurveyResults
    release: CountRelease | None = None
    is_simulated_release: bool = False
    """Whether the noise is that of a preview, which is never published."""

    @property
    def survey(self) -> Survey:
        return self.results.survey

    @property
    def design(self) -> Design:
        return self.results.design

    @cached_property
    def panel(self) -> SurveyPanel:
        return SurveyPanel(self.results)

    @property
    def protection(self) -> Protection:
        return Protection(self.design)

    @property
    def where_from(self) -> list[str]:
        return sentences.where_from(
            self.protection, is_imported=self.survey.is_imported
        )

    @property
    def noise_sentence(self) -> str:
        return sentences.describe_noise(self.spent) if self.release else ""

    @property
    def spent(self) -> Fraction:
        before = spent(self.publication)
        if self.release is None or not self.is_simulated_release:
            return before
        return before + self.release.epsilon

    @property
    def respondents_interval(self) -> str:
        if self.release is None:
            return ""
        level = self.publication.confidence_level
        return sentences.respondents_between(*self.release.interval(level), level)

    @property
    def rows(self) -> list[dict[str, Cell]]:
        rows = make_estimates_rows(self.results)
        planned: dict[str, Cell] = {}
        if plan := self.panel.planned:
            tests = [each.in_file for each in plan.tests]
            tests += [each.in_file for each in plan.pairs]
            if tests:
                planned["planned_tests"] = "; ".join(tests)
        if self.release is None:
            return [row | planned for row in rows]
        same: dict[str, Cell] = planned | {
            "took_part": self.release.respondents,
            "took_part_noise": self.release.noise_of_respondents.standard_deviation,
            "count_noise": self.release.noise_of_reports.standard_deviation,
            "release_epsilon": float(self.spent),
        }
        if self.is_simulated_release:
            same["preview"] = "yes"
        # The number of missing reports would be a difference of two noisy numbers.
        left_out = {"missing"}
        return [
            {name: value for name, value in row.items() if name not in left_out} | same
            for row in rows
        ]

    @property
    def method_name(self) -> str:
        return _(sentences.WITH_NOISE)


def list_publishable(results: SurveyResults) -> list[QuestionResult]:
    return [
        question
        for question in results.questions
        if question.respondents >= LEAST_RESPONSES
    ]


def obstacle(survey: Survey, results: SurveyResults | None) -> str:
    """Return why a survey's results cannot be published; empty where they can.

    While a survey is open, published numbers would influence who answers, and how.
    """
    if hindrance := find_state_obstacle(survey):
        return hindrance
    if results is None or not list_publishable(results):
        return _("Results of fewer than %(least)s people are not published.") % {
            "least": max(LEAST_RESPONSES, least_responses(survey))
        }
    return ""


def withhold_asked_rows(
    result: QuestionResult, design: Design, published: Collection[int]
) -> QuestionResult:
    """Remove figures that would disclose a question that is not published.

    The number of respondents who were shown a question reveals the answers to its
    deciding questions. It must also reach the minimum of public pages.
    """
    leaves = list_leaves(design.questions[result.number - 1].shown_if)
    is_allowed = {leaf.number for leaf in leaves} <= set(published) and all(
        row.n >= LEAST_RESPONSES for row in result.among_asked
    )
    return result if is_allowed else replace(result, among_asked=())


def get_results_to_publish(survey: Survey) -> SurveyResults | None:
    if find_state_obstacle(survey):
        return None
    try:
        return get_results(survey)
    except TooFewResponsesError:
        return None


def find_state_obstacle(survey: Survey) -> str:
    """Return the obstacle that follows from the state of the survey, if any."""
    if survey.is_rehearsal:
        return _("A test of a draft has no results to publish.")
    if survey.purged_on:
        return _("The reports were deleted.")
    if not survey.is_closed:
        return _("Results can be published once the survey is closed.")
    if survey.awaits_opening:
        return _("The key holder has not opened the reports.")
    return ""


def prepare(
    publication: Publication, only: Sequence[int] = (), *, is_preview: bool = False
) -> PublishedResults | None:
    """Return the contents of the page; None if nothing may be shown.

    `only` restricts them to questions with these numbers. Noisy counts come from the
    newest release alone. A preview that needs a new release shows a simulated one.
    """
    if publication.release_epsilon is None:
        exact = exact_results(publication, only)
        return PublishedResults(publication, exact) if exact else None
    if is_preview and needs_release(publication):
        exact = exact_results(publication)
        simulated = simulate_release(publication, exact) if exact else None
        return show_release(publication, simulated, only, is_simulated=True)
    return show_release(publication, newest(publication), only)


def show_release(
    publication: Publication,
    release: CountRelease | None,
    only: Sequence[int] = (),
    *,
    is_simulated: bool = False,
) -> PublishedResults | None:
    survey, chosen = publication.survey, publication.questions
    if release is None or survey.is_draft or find_state_obstacle(survey):
        return None
    if not set(only) <= set(chosen):
        return None
    if has_too_few(survey, SealedPattern.objects.respondents(survey)):
        return None
    results = release.results(
        survey,
        get_design(survey),
        shown=sorted(only or chosen),
        level=publication.confidence_level,
    )
    if not results.questions:
        return None
    return PublishedResults(publication, results, release, is_simulated)


def exact_results(
    publication: Publication, only: Sequence[int] = ()
) -> SurveyResults | None:
    survey, chosen = publication.survey, publication.questions
    is_shown = not (survey.is_draft or find_state_obstacle(survey))
    if not is_shown or not set(only) <= set(chosen):
        return None
    try:
        survey_counts = read_one_way(survey, only, seals=False)
    except TooFewResponsesError:
        return None
    results = survey_results(survey_counts, **publication.interval)
    shown = [each for each in list_publishable(results) if each.number in chosen]
    if not shown:
        return None
    numbers = {each.number for each in shown}
    left_out = [each for each in results.questions if each.number not in numbers]
    return replace(
        results,
        questions=tuple(
            withhold_asked_rows(each, results.design, numbers) for each in shown
        ),
        left_out=tuple(left_out),
        least_reports=LEAST_RESPONSES,
    )
