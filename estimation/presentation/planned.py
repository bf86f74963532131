"""Sentences on the planned analysis, for pages and files."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from django.utils.translation import gettext as _
from django.utils.translation import gettext as for_researchers

from candor.tolerance import is_at_most
from estimation.presentation.methods import METHODS
from estimation.rows.planned import (
    Analysis,
    ClaimOutcome,
    PairOutcome,
    PlannedTest,
    adjust_p_values,
    choose_results_analysis,
    outcomes,
    pair_outcomes,
    planned_interval,
    planned_level,
    planned_outcomes,
)
from estimation.rows.shares import SurveyResults
from surveys.models import Survey
from surveys.numbers import format_p_value, format_percent

MIN_P_SHOWN = 0.0001


@dataclass(frozen=True)
class OutcomePanel:
    outcome: ClaimOutcome

    @property
    def claim(self) -> str:
        text = (
            _("Planned: more than %(share)s answer “%(label)s”.")
            if self.outcome.is_above
            else _("Planned: fewer than %(share)s answer “%(label)s”.")
        )
        share = format_percent(self.outcome.share, trimmed=True)
        return text % {"share": share, "label": self.outcome.row.label}

    @property
    def verdict(self) -> str:
        outcome = self.outcome
        if missing := explain_missing_outcome(outcome):
            return missing
        if outcome.is_shown:
            text = _("Shown: the %(level)s interval lies beyond %(share)s (%(p)s).")
        elif outcome.is_opposite:
            text = _(
                "Not shown: the %(level)s interval lies on the other side of %(share)s "
                "(%(p)s)."
            )
        else:
            text = _(
                "Not shown, but possible: the %(level)s interval contains %(share)s "
                "(%(p)s)."
            )
        return text % {
            "level": format_percent(outcome.confidence_level, trimmed=True),
            "share": format_percent(outcome.share, trimmed=True),
            "p": show_p_value(outcome.p_value),
        }

    @property
    def in_file(self) -> str:
        """Claim and outcome in English, such as "1.1 > 20: shown, P 0.012"."""
        outcome = self.outcome
        number = outcome.question.mechanism.answers.index(outcome.row.estimand) + 1
        sign = ">" if outcome.is_above else "<"
        share = f"{100 * outcome.share:.10g}"
        return shorten(f"{outcome.question.number}.{number} {sign} {share}", outcome)


@dataclass(frozen=True)
class PairPanel:
    outcome: PairOutcome

    @property
    def claim(self) -> str:
        first, second = self.outcome.questions
        return _(
            "Planned: the answers to “%(first)s”, by the answers to “%(second)s”."
        ) % {"first": first.full_text, "second": second.full_text}

    @property
    def verdict(self) -> str:
        outcome = self.outcome
        if missing := explain_missing_outcome(outcome):
            return missing
        text = (
            _("Shown: the answers to the two questions are related (%(p)s).")
            if outcome.is_shown
            else _("Not shown: the two answers may be unrelated (%(p)s).")
        )
        return text % {"p": show_p_value(outcome.p_value)}

    @property
    def in_file(self) -> str:
        """Comparison and outcome in English, such as "1-2: shown, P 0.012"."""
        first, second = self.outcome.numbers
        return shorten(f"{first}-{second}", self.outcome)


@dataclass(frozen=True)
class PlannedPanel:
    results: SurveyResults

    @cached_property
    def tests(self) -> list[OutcomePanel]:
        """All planned tests, including those of questions that a public page omits."""
        return [OutcomePanel(each) for each in outcomes(self.results)]

    @cached_property
    def pairs(self) -> list[PairPanel]:
        return [PairPanel(each) for each in pair_outcomes(self.results)]

    @property
    def exploratory(self) -> str:
        return describe_exploratory(choose_results_analysis(self.results))

    @property
    def lines(self) -> list[str]:
        survey, found = self.results.survey, planned_outcomes(self.results)
        published = sum(each.is_published for each in found)
        with_noise = _(
            "Planned tests use the numbers with noise; their intervals allow for it."
        )
        comparisons = _(
            "Comparisons are two-sided tests of independence: exact with two known "
            "groups or few reports, else Pearson's (approximate)."
        )
        counted = _(
            "Tests planned: %(count)s. Outcomes published on this page: %(published)s."
        ) % {"count": len(found), "published": published}
        is_noisy = any(each.is_noisy and each.is_published for each in found)
        lines = [
            describe_intervals(survey),
            describe_attestation(survey),
            self.exploratory,
            with_noise if is_noisy else "",
            _("Claims are tested by the planned two-sided interval.")
            if survey.claims
            else "",
            comparisons if survey.pairs else "",
            describe_errors(survey),
            counted if published < len(found) else "",
            adjust_for_each_other(survey, found),
            _("All other results are exploratory."),
        ]
        return [line for line in lines if line]


def explain_missing_outcome(outcome: ClaimOutcome | PairOutcome) -> str:
    if outcome.is_open:
        return for_researchers("The outcome is shown when the survey has closed.")
    if not outcome.is_published:
        return _("The outcome is not published on this page.")
    if outcome.can_be_tested:
        return ""
    return _(
        "It cannot be tested: the reports are too few, all equal or do not fit the "
        "design."
    )


def show_p_value(p: float) -> str:
    return format_p_value(p, smallest=MIN_P_SHOWN, digits=".2g")


def shorten(planned: str, outcome: PlannedTest) -> str:
    if not outcome.is_published:
        return f"{planned}: not published"
    if not outcome.can_be_tested:
        return f"{planned}: cannot be tested"
    found = "not shown"
    if outcome.is_shown:
        found = "shown"
    elif isinstance(outcome, ClaimOutcome) and outcome.is_opposite:
        found = "not shown, the opposite is"
    return f"{planned}: {found}, P {outcome.p_value:.6g}"


def describe_intervals(survey: Survey) -> str:
    level, method = planned_interval(survey).values()
    return _("Planned before the survey opened: %(level)s intervals, %(method)s.") % {
        "level": format_percent(float(level), trimmed=True),
        "method": METHODS[str(method)].label,
    }


def describe_attestation(survey: Survey) -> str:
    if not survey.plan_attested_by:
        return ""
    return _(
        "Collected elsewhere: %(servers)s attests that the plan is older than the "
        "reports."
    ) % {"servers": survey.plan_attested_by}


def describe_exploratory(analysis: Analysis) -> str:
    if analysis is not Analysis.EXPLORATORY:
        return ""
    return _("Exploratory: not planned in this form before the survey opened.")


def describe_comparison_plan(survey: Survey, analysis: Analysis) -> str:
    if analysis is Analysis.PLANNED:
        text = for_researchers("This comparison was planned before the survey opened.")
        return " ".join(filter(None, [text, describe_attestation(survey)]))
    return describe_exploratory(analysis)


def describe_errors(survey: Survey) -> str:
    count, alpha = survey.planned_tests, 1 - planned_level(survey)
    if count < 2:
        return ""
    text = _(
        "Each of the %(count)s planned tests errs in at most about %(alpha)s of "
        "surveys, at least one of them in up to %(all)s."
    )
    return text % {
        "count": count,
        "alpha": format_percent(alpha, trimmed=True),
        "all": format_percent(min(1.0, count * alpha), trimmed=True),
    }


def adjust_for_each_other(survey: Survey, found: Sequence[PlannedTest]) -> str:
    values = adjust_p_values(found, survey.planned_tests)
    if not values or survey.planned_tests < 2:
        return ""
    alpha = 1 - planned_level(survey)
    # A dash stands for a test that could not be done or is not published.
    left = iter([show_p_value(each) for each in values])
    known = [next(left) if each.can_be_tested else "" for each in found]
    shown = [
        p if p and each.is_published else "\N{EN DASH}"
        for p, each in zip(known, found, strict=True)
    ]
    text = _(
        "P adjusted for all %(count)s planned tests (Holm), in their order: "
        "%(values)s. Shown at a family-wise error rate of %(alpha)s: %(shown)s."
    ) % {
        "count": survey.planned_tests,
        "values": "; ".join(shown),
        "alpha": format_percent(alpha, trimmed=True),
        "shown": sum(is_at_most(each, alpha) for each in values),
    }
    return " ".join(filter(None, [text, explain_withheld(found)]))


def explain_withheld(found: Sequence[PlannedTest]) -> str:
    missing = [each for each in found if not each.is_published]
    if not any(each.is_withheld for each in missing):
        return ""
    return _("Tests with too few reports to be published count as not shown.")
