"""What people read of an analysis that was planned before a survey opened."""

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import gettext as for_researchers

from estimation.maths.tolerance import is_at_most
from estimation.results.methods import METHODS
from estimation.results.planned.outcome import (
    Outcome,
    adjusted_for_each_other,
    planned_interval,
)
from estimation.results.result import SurveyResults
from surveys.models import Survey
from surveys.words.numbers import p_value, percent

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
    share = percent(outcome.share, trimmed=True)
    return text % {"share": share, "label": outcome.row.label}


def verdict(outcome: Outcome) -> str:
    """Return what became of it."""
    if outcome.is_open:
        return for_researchers(
            "The outcome is told when the survey has closed: whoever looks again and "
            "again errs more often."
        )
    if not outcome.is_published:
        return _("The outcome is not published: the question is not on this page.")
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
        "level": percent(outcome.confidence_level, trimmed=True),
        "share": percent(outcome.share, trimmed=True),
        "p": shown_p_value(outcome.p_value),
    }


def intervals_line(survey: Survey) -> str:
    """Return which intervals were planned."""
    level, method = planned_interval(survey).values()
    return _("Planned before the survey opened: %(level)s intervals, %(method)s.") % {
        "level": percent(float(level), trimmed=True),
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


def other_intervals_line(results: SurveyResults) -> str:
    """Say so where a page shows other intervals; empty where it does not."""
    level, method = planned_interval(results.survey).values()
    if all(
        each.confidence_level == level and (each.noisy or each.method == method)
        for each in results.questions
    ):
        return ""
    return _("Shown here are other intervals: exploration, not what was planned.")


def noise_line(found: Sequence[Outcome]) -> str:
    """Say which numbers the tests use; empty where these are exact."""
    if not any(each.question.noisy for each in found):
        return ""
    return _(
        "Planned tests on this page use the numbers with noise. Their intervals allow "
        "for it."
    )


def published_line(found: Sequence[Outcome]) -> str:
    """Say how many outcomes a public page leaves out; empty where it shows all."""
    published = sum(each.is_published for each in found)
    if published == len(found):
        return ""
    return _(
        "Tests planned: %(count)s. Outcomes published on this page: %(published)s."
    ) % {"count": len(found), "published": published}


def tests_line(survey: Survey) -> str:
    """Say how often several tests err together; empty for fewer than two."""
    count, level = len(survey.claims), planned_interval(survey)["confidence_level"]
    if count < 2:
        return ""
    alpha = 1 - float(level)
    return _(
        "Each of the %(count)s planned tests errs by itself in at most %(alpha)s of "
        "surveys; at least one of them errs in up to %(all)s."
    ) % {
        "count": count,
        "alpha": percent(alpha, trimmed=True),
        "all": percent(min(1.0, count * alpha), trimmed=True),
    }


def together_line(survey: Survey, found: Sequence[Outcome]) -> str:
    """Tell several tests adjusted for each other; empty where there is one or none."""
    values = adjusted_for_each_other(found, len(survey.claims))
    if not values or len(survey.claims) < 2:
        return ""
    alpha = 1 - float(planned_interval(survey)["confidence_level"])
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
        "count": len(survey.claims),
        "values": "; ".join(shown),
        "alpha": percent(alpha, trimmed=True),
        "shown": sum(is_at_most(each, alpha) for each in values),
    }
    is_noisy = any(each.question.noisy for each in found)
    if is_noisy and not all(each.is_published for each in found):
        missing = _("Tests that are not published count as not shown here.")
        return f"{told} {missing}"
    return told


def shown_p_value(p: float) -> str:
    """Return a p-value of a planned test as it is shown."""
    return p_value(p, smallest=SMALLEST_P_SHOWN, digits=".2g")


def in_file(outcome: Outcome) -> str:
    """Return a planned test and its outcome for files, in English and in short."""
    number = outcome.question.mechanism.answers.index(outcome.row.answer) + 1
    sign = ">" if outcome.is_above else "<"
    share = f"{100 * outcome.share:.10g}"
    claimed = f"{outcome.question.number}.{number} {sign} {share}"
    if not outcome.is_published:
        return f"{claimed}: not published"
    if not outcome.can_be_tested:
        return f"{claimed}: cannot be tested"
    found = "not shown"
    if outcome.is_shown:
        found = "shown"
    elif outcome.is_opposite:
        found = "not shown, the opposite is"
    return f"{claimed}: {found}, P {outcome.p_value:.6g}"


def exploration_line() -> str:
    """Say what everything else is."""
    return _("All else is exploration: it suggests what another survey can test.")


def pair_line(survey: Survey, first: int, second: int) -> str:
    """Say of a comparison whether it was planned; empty where nothing was."""
    if not survey.pins:
        return ""
    if (first, second) in survey.pairs:
        planned = for_researchers(
            "This comparison was planned before the survey opened."
        )
        return f"{planned} {attested_line(survey)}".rstrip()
    return for_researchers(
        "Exploration: this comparison was not planned before the survey opened."
    )
