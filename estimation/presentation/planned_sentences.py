"""What people read of an analysis that was planned before a survey opened."""

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import gettext as for_researchers

from candor.tolerance import is_at_most
from estimation.presentation.methods import METHODS
from estimation.rows.planned import (
    Analysis,
    Outcome,
    PairOutcome,
    PlannedTest,
    adjusted_for_each_other,
    analysis_of_results,
    planned_interval,
    planned_level,
)
from estimation.rows.shares import SurveyResults
from surveys.models import Survey
from surveys.text.numbers import format_p_value, format_percent

SMALLEST_P_SHOWN = 0.0001


def claim(outcome: Outcome) -> str:
    """Return what was claimed before anybody answered."""
    text = (
        _("Planned before the survey opened: more than %(share)s answer “%(label)s”.")
        if outcome.is_above
        else _(
            "Planned before the survey opened: fewer than %(share)s answer “%(label)s”."
        )
    )
    share = format_percent(outcome.share, trimmed=True)
    return text % {"share": share, "label": outcome.row.label}


def verdict(outcome: Outcome) -> str:
    """Return what became of it."""
    if outcome.is_open:
        return not_yet()
    if not outcome.is_published:
        return not_published()
    if not outcome.can_be_tested:
        return _("It cannot be tested: no reports, or none that fit the design.")
    if outcome.is_shown:
        text = _("Shown: the %(level)s interval lies beyond %(share)s (%(p)s).")
    elif outcome.is_opposite:
        text = _(
            "Not shown: the %(level)s interval lies on the other side of %(share)s "
            "(%(p)s). It speaks against the claim."
        )
    else:
        text = _(
            "Not shown: the %(level)s interval does not lie beyond %(share)s (%(p)s). "
            "It may be true all the same."
        )
    return text % {
        "level": format_percent(outcome.confidence_level, trimmed=True),
        "share": format_percent(outcome.share, trimmed=True),
        "p": shown_p_value(outcome.p_value),
    }


def pair_claim(outcome: PairOutcome) -> str:
    """Return which comparison was planned before anybody answered."""
    first, second = outcome.questions
    return _(
        "Planned before the survey opened: the answers to “%(first)s”, by the answers "
        "to “%(second)s”."
    ) % {"first": first.text, "second": second.text}


def pair_verdict(outcome: PairOutcome) -> str:
    """Return the outcome of a planned comparison."""
    if outcome.is_open:
        return not_yet()
    if not outcome.is_published:
        return not_published()
    if not outcome.can_be_tested:
        return _(
            "It cannot be tested: too few people have a report to both questions, the "
            "reports to one are all the same, or they do not fit the design."
        )
    text = (
        _("Shown: the answers to the two questions are related (%(p)s).")
        if outcome.is_shown
        else _("Not shown: the two answers may be unrelated (%(p)s).")
    )
    return text % {"p": shown_p_value(outcome.p_value)}


def not_yet() -> str:
    """Say why an open survey has no outcome."""
    return for_researchers(
        "The outcome is shown when the survey has closed: testing repeatedly leads to "
        "more errors."
    )


def not_published() -> str:
    """Say that a public page leaves an outcome out."""
    return _("The outcome is not published on this page.")


def intervals_line(survey: Survey) -> str:
    """Return which intervals were planned."""
    level, method = planned_interval(survey).values()
    return _("Planned before the survey opened: %(level)s intervals, %(method)s.") % {
        "level": format_percent(float(level), trimmed=True),
        "method": _(METHODS[str(method)].public_label),
    }


def attested_line(survey: Survey) -> str:
    """Say whose word the plan of an imported survey is; empty for other surveys."""
    if not survey.plan_attested_by:
        return ""
    return _(
        "These reports were collected elsewhere. That the plan is older is the word of "
        "%(servers)s."
    ) % {"servers": survey.plan_attested_by}


def exploratory_line(analysis: Analysis) -> str:
    """Say that an analysis was not planned; empty where it was, or nothing was."""
    if analysis is not Analysis.EXPLORATORY:
        return ""
    return _(
        "Exploratory: what is shown here was not planned in this form before the "
        "survey opened."
    )


def other_intervals_line(results: SurveyResults) -> str:
    """Say so where a page shows other intervals; empty where it does not."""
    return exploratory_line(analysis_of_results(results))


def direction_line(survey: Survey) -> str:
    """Say why a claim of more or fewer has no one-sided test; empty without any."""
    if not survey.claims:
        return ""
    return _(
        "A claim is tested by the planned two-sided interval, so that test and "
        "interval agree. A one-sided P would be the same or smaller."
    )


def pairs_line(survey: Survey) -> str:
    """Say how comparisons are tested; empty where none was planned."""
    if not survey.pairs:
        return ""
    return _(
        "A comparison is a two-sided test of independence: an exact test with two "
        "known groups or few reports, else Pearson's, whose error rate is approximate."
    )


def noise_line(found: Sequence[PlannedTest]) -> str:
    """Say which numbers the tests use; empty where these are exact."""
    if not any(each.is_noisy and each.is_published for each in found):
        return ""
    return _(
        "Planned tests on this page use the numbers with noise. Their intervals allow "
        "for it."
    )


def published_line(found: Sequence[PlannedTest]) -> str:
    """Say how many outcomes a public page leaves out; empty where it shows all."""
    published = sum(each.is_published for each in found)
    if published == len(found):
        return ""
    return _(
        "Tests planned: %(count)s. Outcomes published on this page: %(published)s."
    ) % {"count": len(found), "published": published}


def tests_line(survey: Survey) -> str:
    """Say how often several tests err together; empty for fewer than two."""
    count, alpha = survey.planned_tests, 1 - planned_level(survey)
    if count < 2:
        return ""
    text = (
        _(
            "Each of the %(count)s planned tests errs by itself in about %(alpha)s of "
            "surveys or fewer; at least one of them errs in up to about %(all)s."
        )
        if survey.pairs
        else _(
            "Each of the %(count)s planned tests errs by itself in at most %(alpha)s "
            "of surveys; at least one of them errs in up to %(all)s."
        )
    )
    return text % {
        "count": count,
        "alpha": format_percent(alpha, trimmed=True),
        "all": format_percent(min(1.0, count * alpha), trimmed=True),
    }


def adjusted_line(survey: Survey, found: Sequence[PlannedTest]) -> str:
    """Return several tests adjusted for each other; empty for fewer than two."""
    values = adjusted_for_each_other(found, survey.planned_tests)
    if not values or survey.planned_tests < 2:
        return ""
    alpha = 1 - planned_level(survey)
    # A dash keeps the place of a test that could not be done, or is not published.
    left = iter([shown_p_value(each) for each in values])
    known = [next(left) if each.can_be_tested else "" for each in found]
    shown = [
        p if p and each.is_published else "\N{EN DASH}"
        for p, each in zip(known, found, strict=True)
    ]
    told = _(
        "Adjusted for all %(count)s planned tests (Holm), in their order: %(values)s. "
        "Shown so, while at most %(alpha)s of surveys err anywhere: %(shown)s of "
        "%(count)s."
    ) % {
        "count": survey.planned_tests,
        "values": "; ".join(shown),
        "alpha": format_percent(alpha, trimmed=True),
        "shown": sum(is_at_most(each, alpha) for each in values),
    }
    return " ".join(filter(None, [told, withheld_line(found)]))


def withheld_line(found: Sequence[PlannedTest]) -> str:
    """Say which tests the number of those shown leaves out; empty without any."""
    missing = [each for each in found if not each.is_published]
    if not any(each.is_withheld for each in missing):
        return ""
    if all(each.is_withheld for each in missing):
        return _("Tests that are not published count as not shown here.")
    return _("Tests with too few reports to be published count as not shown here.")


def shown_p_value(p: float) -> str:
    """Return a p-value of a planned test as it is shown."""
    return format_p_value(p, smallest=SMALLEST_P_SHOWN, digits=".2g")


def in_file(outcome: Outcome) -> str:
    """Return a planned claim and its outcome for files, in English and in short."""
    number = outcome.question.mechanism.answers.index(outcome.row.estimand) + 1
    sign = ">" if outcome.is_above else "<"
    share = f"{100 * outcome.share:.10g}"
    claimed = f"{outcome.question.number}.{number} {sign} {share}"
    return in_short(claimed, outcome)


def in_short(planned: str, outcome: PlannedTest) -> str:
    """Return a planned test and its outcome, such as "1-2: shown, P 0.012"."""
    if not outcome.is_published:
        return f"{planned}: not published"
    if not outcome.can_be_tested:
        return f"{planned}: cannot be tested"
    found = "not shown"
    if outcome.is_shown:
        found = "shown"
    elif isinstance(outcome, Outcome) and outcome.is_opposite:
        found = "not shown, the opposite is"
    return f"{planned}: {found}, P {outcome.p_value:.6g}"


def exploration_line() -> str:
    """Say what everything else is."""
    return _("All else is exploration: it suggests what another survey can test.")


def comparison_line(survey: Survey, analysis: Analysis) -> str:
    """Say of a comparison whether it was planned; empty where nothing was."""
    if analysis is Analysis.PLANNED:
        told = for_researchers("This comparison was planned before the survey opened.")
        return " ".join(filter(None, [told, attested_line(survey)]))
    return exploratory_line(analysis)
