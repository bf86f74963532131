"""What people read about a regression."""

import math
from collections.abc import Callable, Mapping, Sequence
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN

from django.utils.formats import number_format
from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from candor.regression.fit import HELD_AT_LEAST
from candor.regression.patterns import Obstacle
from candor.regression.regress import Regression
from candor.table import Estimate
from estimation.presentation.cautions import Caution
from estimation.rows.groups import SMALLEST_GROUP
from estimation.rows.regression import (
    AnswerRow,
    PredictorResult,
    SurveyRegression,
    name_answer,
)
from surveys.text.numbers import (
    format_integer,
    format_p_value,
    format_percent,
    format_points,
    isolate_sign,
)

SMALLEST_P_SHOWN = 0.001

WHOLE_ODDS_FROM = 100
"""From a hundred times on nobody asks for decimals."""


def odds_ratio(log_odds: float) -> str:
    """Return how many times the odds are: "2.31", "∞" where nothing limits it."""
    if log_odds == math.inf:
        return "∞"
    ratio = math.exp(min(log_odds, math.log(10**12)))
    if ratio >= WHOLE_ODDS_FROM:
        return format_integer(round(ratio))
    return number_format(f"{ratio:.2f}")


def plain(number: float) -> str:
    """Return a number with four decimals, as tables of regressions have them."""
    if math.isinf(number):
        return "∞" if number > 0 else isolate_sign("\N{MINUS SIGN}∞")
    shown = number_format(f"{abs(number):.4f}")
    return shown if number >= 0 else isolate_sign(f"\N{MINUS SIGN}{shown}")


def show_interval(row: Estimate, show: Callable[[float], str]) -> str:
    """Return an interval as tables show it."""
    return _("%(low)s to %(high)s") % {"low": show(row.low), "high": show(row.high)}


def signed_points(difference: float, *, rounding: str = ROUND_HALF_EVEN) -> str:
    """Return a difference in points with a minus sign; what rounds to 0 has none."""
    shown = format_points(difference, decimals=1, rounding=rounding)
    size = shown.lstrip("-")
    if size == shown or not size.strip("0.,"):
        return size
    return isolate_sign(f"\N{MINUS SIGN}{size}")


def show_interval_in_points(row: Estimate) -> str:
    """Return an interval in points, both ends rounded outwards."""
    return _("%(low)s to %(high)s") % {
        "low": signed_points(row.low, rounding=ROUND_FLOOR),
        "high": signed_points(row.high, rounding=ROUND_CEILING),
    }


def p_label(row: Estimate) -> str:
    """Return the p-value of an odds ratio."""
    return format_p_value(row.p_value or 0.0, smallest=SMALLEST_P_SHOWN, digits=".3f")


def sentence(predictor: PredictorResult, row: AnswerRow) -> str:
    """Return the average effect, or that its direction is not known."""
    effect = row.effect
    near, far = sorted([abs(effect.low), abs(effect.high)])
    words = {
        "question": predictor.question.text,
        "answer": row.label,
        "reference": predictor.reference,
        "points": format_points(abs(effect.estimate), decimals=1),
        "low": format_points(near, decimals=1, rounding=ROUND_FLOOR),
        "high": format_points(far, decimals=1, rounding=ROUND_CEILING),
    }
    if effect.low > 0:
        text = _(
            "%(question)s With “%(answer)s” the share is %(points)s points higher than "
            "with “%(reference)s”: between %(low)s and %(high)s points"
        )
    elif effect.high < 0:
        text = _(
            "%(question)s With “%(answer)s” the share is %(points)s points lower than "
            "with “%(reference)s”: between %(low)s and %(high)s points"
        )
    else:
        words["low"] = format_points(
            abs(effect.low), decimals=1, rounding=ROUND_CEILING
        )
        words["high"] = format_points(
            abs(effect.high), decimals=1, rounding=ROUND_CEILING
        )
        text = _(
            "%(question)s Whether the share is higher or lower with “%(answer)s” than "
            "with “%(reference)s” is not known: between %(low)s points lower and "
            "%(high)s points higher"
        )
    return text % words


def level(result: SurveyRegression) -> str:
    """Return how sure the sentences are, and what is held alike."""
    shown = format_percent(result.confidence_level, trimmed=True)
    if len(result.predictors) > 1:
        return _(
            "With about %(level)s confidence, each by itself, between people who "
            "are alike in all other answers chosen here:"
        ) % {"level": shown}
    return _("With about %(level)s confidence, each by itself:") % {"level": shown}


def interval_name(
    result: SurveyRegression | Regression, *, is_weighted: bool = False
) -> str:
    """Return how the intervals are made."""
    if is_weighted:
        return _(
            "%(level)s intervals and P by the standard errors of the sandwich, since "
            "rows have weights. All are approximate."
        ) % {"level": format_percent(result.confidence_level, trimmed=True)}
    told = _(
        "%(level)s intervals: of odds ratios by the profile likelihood, of differences "
        "in points by the delta method; P by the likelihood ratio. All are approximate."
    ) % {"level": format_percent(result.confidence_level, trimmed=True)}
    found = _(
        "In the populations that were tried, 95 %% intervals of odds ratios held the "
        "true one in at least %(odds)s of 100 surveys, those of differences in points "
        "the true one in at least %(points)s."
    ) % {
        "odds": round(100 * HELD_AT_LEAST["coefficients"]),
        "points": round(100 * HELD_AT_LEAST["effects"]),
    }
    return f"{told} {found}"


def people(result: SurveyRegression) -> str:
    """Return who is in the regression, and who is not."""
    told = ngettext(
        "%(shown)s respondent with a report to all of these questions.",
        "%(shown)s respondents with a report to all of these questions.",
        result.respondents,
    ) % {"shown": format_integer(result.respondents)}
    if result.missing:
        told += " " + ngettext(
            "%(missing)s respondent lacks one and is left out.",
            "%(missing)s respondents lack one and are left out.",
            result.missing,
        ) % {"missing": format_integer(result.missing)}
    return told


def cautions(result: SurveyRegression) -> list[Caution]:
    """Return what to know before relying on any number."""
    found = [
        Caution(
            "danger",
            _(
                "The reports to “%s” do not fit the design. Nothing that is told of "
                "them here can be relied on."
            )
            % question.text,
        )
        for question in result.misfits
    ]
    if result.obstacle is not None:
        told = obstacle(result.obstacle, result.obstacle_names)
        found.append(Caution("warning", told))
    unusable = [each for each in result.predictors if not each.is_usable]
    if result.obstacle is None:
        found += [Caution("warning", too_small(each)) for each in unusable]
    regression = result.regression
    if regression is None:
        return found
    is_alone = len(result.predictors) == 1
    named = {
        name_answer(predictor.question, row.label, is_alone=is_alone): row.coefficient
        for predictor, row in result.rows
    }
    found += about_numbers(regression, named)
    if any(not each.is_scrambled for each in result.predictors):
        found.append(
            Caution(
                "note",
                _(
                    "Predictors that were asked directly are not protected. And that "
                    "an answer goes together with others does not say that they are "
                    "its cause."
                ),
            )
        )
    return found


def about_numbers(
    regression: Regression, coefficients: Mapping[str, Estimate]
) -> list[Caution]:
    """Return what the size of the numbers says about them."""
    found = []
    if regression.fit.tells_little:
        told = _(
            "Few responses for so many answers: odds ratios and intervals are "
            "rough. Leave predictors out, or wait for more responses."
        )
        found.append(Caution("warning", told))
    low = [label for label, row in coefficients.items() if row.low == -math.inf]
    if low:
        told = _(
            "Nothing limits the odds ratio of %s from below: it may be as close to 0 "
            "as anybody likes."
        )
        found.append(Caution("warning", told % in_quotes(low)))
    high = [label for label, row in coefficients.items() if row.high == math.inf]
    if high:
        told = _(
            "Nothing limits the odds ratio of %s from above: it may be as large as "
            "anybody likes."
        )
        found.append(Caution("warning", told % in_quotes(high)))
    return found


def in_file(regression: Regression) -> str:
    """Return how many rows are in it, and how many are not."""
    told = ngettext(
        "%(shown)s row without gaps.",
        "%(shown)s rows without gaps.",
        regression.fit.respondents,
    ) % {"shown": format_integer(regression.fit.respondents)}
    if regression.left_out:
        told += " " + ngettext(
            "%(missing)s row with a gap is left out.",
            "%(missing)s rows with gaps are left out.",
            regression.left_out,
        ) % {"missing": format_integer(regression.left_out)}
    return told


def obstacle(why: Obstacle, columns: Sequence[str]) -> str:
    """Say why there are no numbers."""
    names = in_quotes(list(columns))
    if why is Obstacle.SEPARATED and names:
        return (
            _(
                "There are no odds ratios: those of %s would be as large or as small "
                "as anybody likes. Too few responses have it together with the answer, "
                "or without it. Leave that question out."
            )
            % names
        )
    if why is Obstacle.COLLINEAR:
        return (
            _(
                "There are no odds ratios: %s cannot be told apart, because the same "
                "people have them. Leave one of the questions out."
            )
            % names
        )
    if why is Obstacle.NOT_CONVERGED:
        return _("There are no odds ratios: the search for the likeliest found none.")
    if why is Obstacle.TOO_FEW:
        return _(
            "There are too few responses for a regression, for this much scrambling."
        )
    return _(
        "There are no odds ratios: the likeliest share of the answer, or of the "
        "scrambled predictor, lies at its edge, where they are not defined."
    )


def too_small(predictor: PredictorResult) -> str:
    """Say that a predictor has no two groups that are large enough."""
    return _(
        "“%(question)s” cannot be used: “%(reference)s” and another answer need "
        "%(least)s people each."
    ) % {
        "question": predictor.question.text,
        "reference": predictor.reference,
        "least": SMALLEST_GROUP,
    }


def in_quotes(labels: "list[str] | tuple[str, ...]") -> str:
    """Return answers as a list in words."""
    return get_text_list([_("“%s”") % label for label in labels], _("and"))
