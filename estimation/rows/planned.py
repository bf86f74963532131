"""The planned analysis and the outcomes of planned tests."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property

from candor.dichotomies import find_answer_dichotomy
from candor.homogeneity import holm
from candor.intervals import DEFAULT_CONFIDENCE_LEVEL, DEFAULT_METHOD
from candor.joint import MAX_CELLS
from candor.mechanisms.draws import NOT_ASKED
from candor.one_sided import one_sided_p_value
from candor.releases.shares import compute_released_p_value
from candor.tolerance import is_at_most
from estimation.rows.comparison import find_misfits, make_samples
from estimation.rows.counts import ContingencyTable
from estimation.rows.row import Row
from estimation.rows.shares import QuestionResult, SurveyResults
from respondents.least_responses import has_too_few
from surveys.design import DesignQuestion
from surveys.models import Survey


@dataclass(frozen=True, kw_only=True)
class ClaimOutcome:
    """One planned test: whether the planned interval lies beyond the share to beat."""

    question: QuestionResult
    row: Row
    is_above: bool
    """Whether the claim is "more than the share", not "fewer"."""
    share: float
    confidence_level: float
    method: str
    is_open: bool
    """Whether the survey is open; then nothing is tested."""
    is_published: bool = True
    """Whether the page shows the question."""
    is_withheld: bool = False
    """Whether a public page must not use it: too few reports, or none released."""

    @property
    def is_noisy(self) -> bool:
        return self.question.noisy is not None

    @property
    def can_be_tested(self) -> bool:
        question = self.question
        has_reports = question.exact_respondents != 0
        is_known = not (self.is_open or self.is_withheld)
        return is_known and has_reports and question.fits_design

    @cached_property
    def p_value(self) -> float:
        """The smallest alpha at which the interval excludes the share to beat."""
        mechanism = self.question.mechanism
        if noisy := self.question.noisy:
            return compute_released_p_value(
                noisy.counts,
                find_answer_dichotomy(
                    mechanism, mechanism.answers.index(self.row.estimand)
                ),
                noisy.noise,
                bound=self.share,
                is_above=self.is_above,
                took_part=noisy.took_part,
            )
        return one_sided_p_value(
            mechanism,
            dict(self.question.report_counts),
            bound=self.share,
            answer=self.row.estimand,
            is_above=self.is_above,
            method=self.method,
        )

    @property
    def is_shown(self) -> bool:
        return is_at_most(self.p_value, 1 - self.confidence_level)

    @property
    def is_opposite(self) -> bool:
        return replace(self, is_above=not self.is_above).is_shown


@dataclass(frozen=True, kw_only=True)
class PairOutcome:
    """One planned comparison: whether the answers to two questions are independent."""

    numbers: tuple[int, int]
    """Numbers of the questions; the last one makes the groups."""
    questions: tuple[DesignQuestion, DesignQuestion]
    survey_counts: ContingencyTable | None
    """Counts of both questions; None with noise, because no pairs are released."""
    confidence_level: float
    is_open: bool
    shows_both: bool = True
    """Whether the page shows both questions."""
    least_reports: int = 0
    """Smallest number of reports to both for which a public page uses it."""

    @cached_property
    def respondents(self) -> int:
        counts = self.survey_counts.counts if self.survey_counts else {}
        return sum(n for pair, n in counts.items() if NOT_ASKED not in pair)

    @property
    def is_withheld(self) -> bool:
        return self.survey_counts is None or self.respondents < self.least_reports

    @property
    def is_published(self) -> bool:
        return self.shows_both and not self.is_withheld

    @property
    def is_noisy(self) -> bool:
        return self.survey_counts is None

    @cached_property
    def independence(self) -> float | None:
        """The p-value of "the answers are independent"; None without a test."""
        if self.survey_counts is None or self.is_withheld:
            return None
        if has_too_few(self.survey_counts.survey, self.respondents):
            return None
        first, second = (each.mechanism for each in self.questions)
        identifies_shares = first.identifies_shares and second.identifies_shares
        if (
            not identifies_shares
            or len(first.answers) * len(second.answers) > MAX_CELLS
        ):
            return None
        counts = self.survey_counts.counts
        joint, samples = make_samples(self.questions, counts)
        if find_misfits(self.questions, counts, samples):
            return None
        return joint.independence

    @property
    def can_be_tested(self) -> bool:
        return not self.is_open and self.independence is not None

    @property
    def p_value(self) -> float:
        return 1.0 if self.independence is None else self.independence

    @property
    def is_shown(self) -> bool:
        return is_at_most(self.p_value, 1 - self.confidence_level)


PlannedTest = ClaimOutcome | PairOutcome
"""A claim about a share, or a comparison of two questions."""


def adjust_p_values(found: Sequence[PlannedTest], planned: int) -> list[float]:
    """Return the adjusted p-values (Holm) of the tests that can be done.

    Parameters
    ----------
    found : sequence of PlannedTest
        The claims and the comparisons.
    planned : int
        Number of planned tests. Those that cannot be done count as P = 1, which makes
        the adjusted values of the others larger.

    References
    ----------
    Holm 1979, Scandinavian Journal of Statistics 6:65. The family is all planned
    tests, both claims and comparisons.
    """
    p_values = [each.p_value for each in found if each.can_be_tested]
    return holm([*p_values, *[1.0] * (planned - len(p_values))])[: len(p_values)]


def planned_interval(survey: Survey) -> dict[str, float | str]:
    pinned: Mapping[str, str] = survey.planned_interval
    return {
        "confidence_level": float(
            pinned.get("confidence_level", DEFAULT_CONFIDENCE_LEVEL)
        ),
        "method": pinned.get("method", DEFAULT_METHOD),
    }


def planned_level(survey: Survey) -> float:
    return float(planned_interval(survey)["confidence_level"])


def outcomes(results: SurveyResults) -> tuple[ClaimOutcome, ...]:
    survey = results.survey
    level, method = planned_interval(survey).values()
    published = {each.number for each in results.questions}
    # A question with a mean alone has no share to beat. Opening rejects such a plan,
    # but earlier versions accepted it.
    known = {
        each.number: each
        for each in (*results.questions, *results.left_out)
        if each.rows
    }
    return tuple(
        ClaimOutcome(
            question=known[claim.question],
            row=known[claim.question].rows[claim.answer - 1],
            is_above=claim.is_above,
            share=claim.share,
            confidence_level=float(level),
            method=str(method),
            is_open=survey.is_open,
            is_published=claim.question in published,
            is_withheld=claim.question not in published
            and is_withheld(known[claim.question], results),
        )
        for claim in survey.claims
        if claim.question in known
    )


def is_withheld(question: QuestionResult, results: SurveyResults) -> bool:
    return results.survey_counts is None or question.respondents < results.least_reports


def pair_outcomes(results: SurveyResults) -> tuple[PairOutcome, ...]:
    survey, questions = results.survey, results.design.estimated_questions
    published = {each.number for each in results.questions}
    found = {
        pair: results.survey_counts.select(*pair) if results.survey_counts else None
        for pair in survey.pairs
    }
    level = planned_level(survey)
    return tuple(
        PairOutcome(
            numbers=(first, second),
            questions=(questions[first - 1], questions[second - 1]),
            survey_counts=survey_counts,
            confidence_level=level,
            is_open=survey.is_open,
            shows_both={first, second} <= published,
            least_reports=results.least_reports,
        )
        for (first, second), survey_counts in found.items()
        # Only some questions of an archive may have been read.
        if survey_counts is not None or results.survey_counts is None
    )


def planned_outcomes(results: SurveyResults) -> tuple[PlannedTest, ...]:
    return (*outcomes(results), *pair_outcomes(results))


class Analysis(StrEnum):
    """Whether an analysis was planned; the values are those of files."""

    NO_PLAN = ""
    PLANNED = "planned"
    EXPLORATORY = "exploratory"


def choose_analysis(
    survey: Survey,
    *,
    confidence_level: float,
    method: str | None = None,
    pair: tuple[int, int] | None = None,
) -> Analysis:
    """Return whether these shares, or a comparison of two questions, were planned.

    Pages, files and commands use this function. Analyses that no plan can name, such as
    weighted shares, a regression or another survey, are `unplanned`.

    Parameters
    ----------
    survey : Survey
        An opened survey, or that of an archive.
    confidence_level : float
        Confidence level of the intervals that are shown.
    method : str, optional
        Method of the intervals; None if it has no effect.
    pair : tuple of int, optional
        Numbers of the two compared questions; the last one makes the groups.
    """
    if not survey.has_analysis_plan:
        return Analysis.NO_PLAN
    planned = planned_interval(survey)
    is_planned = (
        confidence_level == planned["confidence_level"]
        and method in (None, planned["method"])
        and (pair is None or pair in survey.pairs)
    )
    return Analysis.PLANNED if is_planned else Analysis.EXPLORATORY


def unplanned(survey: Survey) -> Analysis:
    return Analysis.EXPLORATORY if survey.has_analysis_plan else Analysis.NO_PLAN


def choose_results_analysis(results: SurveyResults) -> Analysis:
    found = {
        choose_analysis(
            results.survey,
            confidence_level=each.level_of_each,
            # Only one method allows for noise on the counts.
            method=None if each.noisy else each.method,
        )
        for each in results.questions
    }
    return found.pop() if len(found) == 1 else unplanned(results.survey)
