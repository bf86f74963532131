"""Progress of a survey: aggregated responses and their precision.

Everything here follows from sealed counts, the settings of the survey and the date. So
it changes in batches, and observers cannot see a single response arrive.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction

from django.utils import timezone

from candor.mechanisms import Mechanism
from candor.mechanisms.draws import compute_chance
from candor.planning.fieldwork import find_needed_respondents
from candor.planning.inputs import DEFAULT_SHARE
from candor.planning.margins import estimate_for_margin, find_widest_margins
from estimation.rows.counts import count_reports, name_reports, read_one_way
from estimation.rows.planned import planned_level
from estimation.rows.shares import MIN_RESPONDENTS, find_widest, margin_if_enough
from respondents.least_responses import TooFewResponsesError
from respondents.storage.sealed_tally import CountsByReport
from surveys.design import get_design
from surveys.models import Survey


@dataclass(frozen=True, kw_only=True)
class QuestionProgress:
    number: int
    text: str
    respondents: int
    margin: float | None
    """See `margin_if_enough`."""
    chance: Fraction
    """The probability that a respondent is asked the question."""
    needed: int | None
    """Number of reports for the wanted margin; None without a wanted margin."""

    @property
    def needed_in_all(self) -> int | None:
        if self.needed is None:
            return None
        return find_needed_respondents(self.needed, self.chance)

    @property
    def more(self) -> int | None:
        if self.needed is None:
            return None
        return find_needed_respondents(
            max(0, self.needed - self.respondents), self.chance
        )


@dataclass(frozen=True, kw_only=True)
class Progress:
    survey: Survey
    questions: tuple[QuestionProgress, ...]
    respondents: int
    confidence_level: float
    day: date

    @property
    def widest(self) -> float | None:
        """The margin of the least precise question; None below MIN_RESPONDENTS."""
        return find_widest(question.margin for question in self.questions)

    @property
    def wanted(self) -> float | None:
        return wanted_margin(self.survey)

    @property
    def more(self) -> int | None:
        lacking = [each.more for each in self.questions if each.more is not None]
        return max(lacking) if lacking else None

    @property
    def days_left(self) -> int | None:
        """Days left, including the last one; None if the survey has no last day."""
        last = self.survey.closes_on
        return None if last is None else max(0, (last - self.day).days + 1)


def wanted_margin(survey: Survey) -> float | None:
    return None if survey.wanted_margin is None else float(survey.wanted_margin) / 100


def get_progress(survey: Survey) -> Progress:
    design, wanted = get_design(survey), wanted_margin(survey)
    confidence_level = planned_level(survey)
    try:
        sealed = read_one_way(survey)
    except TooFewResponsesError as too_few:
        respondents, reports = too_few.respondents, count_reports(survey)
        survey_counts: list[dict[str, int]] = [{} for _question in design.questions]
    else:
        respondents = sealed.respondents
        survey_counts = [
            report_counts for _number, _question, report_counts in sealed.by_question()
        ]
        reports = [sum(report_counts.values()) for report_counts in survey_counts]
    return Progress(
        survey=survey,
        questions=tuple(
            QuestionProgress(
                number=number,
                text=question.full_text,
                respondents=count,
                margin=margin_if_enough(
                    question.mechanism, report_counts, confidence_level
                ),
                chance=compute_chance(number, design.groups),
                needed=find_needed_reports(
                    question.mechanism, report_counts, wanted, confidence_level
                ),
            )
            for number, (question, report_counts, count) in enumerate(
                zip(design.estimated_questions, survey_counts, reports, strict=True),
                start=1,
            )
        ),
        respondents=respondents,
        confidence_level=confidence_level,
        day=timezone.localdate(),
    )


def find_needed_reports(
    mechanism: Mechanism,
    report_counts: Mapping[str, int],
    wanted: float | None,
    confidence_level: float,
) -> int | None:
    """Return the number of reports that the wanted margin needs; None without one.

    With too few reports to estimate a share, it is the planned number, for a share of
    one half.
    """
    if wanted is None:
        return None
    has_enough = sum(report_counts.values()) >= MIN_RESPONDENTS
    shares = (
        estimate_for_margin(mechanism, report_counts) if has_enough else [DEFAULT_SHARE]
    )
    margins = find_widest_margins(mechanism, shares, confidence_level=confidence_level)
    return margins.needed(wanted)


def widest_margin(
    mechanisms: Sequence[Mechanism], counts: CountsByReport, confidence_level: float
) -> float | None:
    """Return the margin of the least precise question; None below MIN_RESPONDENTS."""
    return find_widest(
        margin_if_enough(mechanism, report_counts, confidence_level)
        for mechanism, report_counts in zip(
            mechanisms, name_reports(mechanisms, counts), strict=True
        )
    )
