"""What people read about two questions together."""

import math
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN

from django.utils.translation import gettext as _

from estimation.compare.differences import DifferenceRow
from estimation.compare.result import Comparison, GroupResult
from estimation.results.cautions import Caution
from estimation.results.methods import METHODS
from estimation.results.result import Standing, standing_of_interval
from estimation.results.words.sentences import in_words
from surveys.mechanisms.mechanism import total_ratio
from surveys.words.numbers import (
    HALF_THE_SCALE,
    NOISE,
    decimals_for,
    epsilon,
    grouped,
    isolated,
    p_value,
    percent,
    points,
)

SMALLEST_P_SHOWN = 0.001

MINUS = "\N{MINUS SIGN}"


def size_label(group: GroupResult) -> str:
    """Return how many people are in a group, and whether that is known."""
    words = {"size": grouped(group.size)}
    if group.is_counted:
        return _("%(size)s people") % words
    return _("about %(size)s people") % words


def heading(group: GroupResult) -> str:
    """Return who is in the group, for a chart."""
    return _("“%(label)s”: %(size)s") % {
        "label": group.label,
        "size": size_label(group),
    }


def sentence(group: GroupResult, comparison: Comparison) -> str:
    """Return interval and best estimate of the first answer within the group."""
    row = group.rows[0]
    is_open = standing_of_interval(row.low, row.high) is Standing.TELLS_NOTHING
    if comparison.second is None:
        text = _(
            "In “%(group)s”, between %(low)s and %(high)s (best estimate %(share)s) "
            "answered “%(label)s”"
        )
        if is_open:
            text = _(
                "In “%(group)s”, between %(low)s and %(high)s answered “%(label)s”: "
                "that tells next to nothing"
            )
    else:
        text = _(
            "Of those with “%(group)s”, between %(low)s and %(high)s (best estimate "
            "%(share)s) answered “%(label)s”"
        )
        if is_open:
            text = _(
                "Of those with “%(group)s”, between %(low)s and %(high)s answered "
                "“%(label)s”: that tells next to nothing"
            )
    return text % {**in_words(row), "group": group.label}


def level(comparison: Comparison) -> str:
    """Return how sure the sentences are, each by itself."""
    words = {"level": percent(comparison.confidence_level, trimmed=True)}
    if not comparison.is_counted:
        return _("With about %(level)s confidence, each by itself:") % words
    if comparison.method == "bayes":
        return _("With %(level)s probability, each by itself:") % words
    return _("With %(level)s confidence, each by itself:") % words


def misfits(comparison: Comparison) -> list[Caution]:
    """Say which reports no share explains."""
    told = _(
        "The reports to “%s” do not fit the design. Nothing that is told of them here "
        "can be relied on."
    )
    return [Caution("danger", told % each) for each in comparison.misfits]


def interval_name(comparison: Comparison) -> str:
    """Return kind and method of the intervals within groups."""
    if not comparison.is_counted:
        return profile_name(comparison.confidence_level)
    return method_name(comparison)


def joint_interval_name(comparison: Comparison) -> str:
    """Return the same of the joint shares."""
    if not comparison.is_counted_jointly:
        return profile_name(comparison.confidence_level)
    return method_name(comparison)


def method_name(comparison: Comparison) -> str:
    """Return level and chosen method."""
    level = comparison.confidence_level
    return _("%(level)s interval. Method: %(method)s") % {
        "level": percent(level, trimmed=True),
        "method": METHODS[comparison.method].label,
    }


def profile_name(level: float) -> str:
    """Return the name of the intervals that are not guaranteed."""
    return _("%(level)s interval. Method: profile likelihood (approximate)") % {
        "level": percent(level, trimmed=True)
    }


def independence_line(comparison: Comparison) -> str:
    """Say whether chance alone explains that the groups differ; "" if said already."""
    if comparison.joint is None or not comparison.is_tested_whole:
        return ""
    p = comparison.independence
    if p is None:
        return _(
            "All reports to one of the two questions are alike: whether the answers "
            "have to do with each other cannot be tested."
        )
    text = _(
        "If the two answers had nothing to do with each other, reports would differ by "
        "chance as much as these with %(p)s (Pearson's test of the reports, which is "
        "valid for the answers too)."
    )
    if comparison.joint.is_tested_exactly:
        text = _(
            "If the two answers had nothing to do with each other, reports would "
            "differ by chance as much as these with %(p)s (an exact test of the "
            "reports, which is valid for the answers too)."
        )
    return text % {"p": p_value(p, smallest=SMALLEST_P_SHOWN, digits=".3f")}


def difference_sentence(row: DifferenceRow, comparison: Comparison) -> str:
    """Return by how much the first group is above the other, with the interval."""
    texts = between_groups(row) if comparison.second else between_surveys(row)
    decimals = decimals_for(row.low, row.high)
    words = {
        "group": row.group,
        "other": row.other,
        "label": row.label,
        "level": percent(comparison.confidence_level, trimmed=True),
        "points": counted_points(abs(row.estimate), decimals),
        "best": signed_points(row.estimate, decimals),
    }
    if row.low > 0 or row.high < 0:
        near, far = sorted((abs(row.low), abs(row.high)))
        words |= {
            "low": points(near + NOISE, decimals=decimals, rounding=ROUND_FLOOR),
            "high": outwards(far, decimals),
        }
    else:
        words |= {
            "fewer": counted_points(-row.low, decimals, rounding=ROUND_CEILING),
            "more": counted_points(row.high, decimals, rounding=ROUND_CEILING),
        }
    return texts % words


def between_groups(row: DifferenceRow) -> str:
    """Return the sentence for groups within one survey, its gaps unfilled."""
    if row.low > 0:
        return _(
            "Of those with “%(group)s”, %(points)s points more answered “%(label)s” "
            "than of those with “%(other)s” (%(level)s interval: %(low)s to %(high)s)"
        )
    if row.high < 0:
        return _(
            "Of those with “%(group)s”, %(points)s points fewer answered “%(label)s” "
            "than of those with “%(other)s” (%(level)s interval: %(low)s to %(high)s)"
        )
    if tells_nothing(row):
        return _(
            "Of those with “%(group)s”, between %(fewer)s points fewer and %(more)s "
            "points more answered “%(label)s” than of those with “%(other)s”: that "
            "tells next to nothing"
        )
    return _(
        "Of those with “%(group)s”, between %(fewer)s points fewer and %(more)s points "
        "more answered “%(label)s” than of those with “%(other)s” (%(level)s interval; "
        "best estimate %(best)s)"
    )


def between_surveys(row: DifferenceRow) -> str:
    """Return the same for two surveys."""
    if row.low > 0:
        return _(
            "In “%(group)s”, %(points)s points more answered “%(label)s” than in "
            "“%(other)s” (%(level)s interval: %(low)s to %(high)s)"
        )
    if row.high < 0:
        return _(
            "In “%(group)s”, %(points)s points fewer answered “%(label)s” than in "
            "“%(other)s” (%(level)s interval: %(low)s to %(high)s)"
        )
    if tells_nothing(row):
        return _(
            "In “%(group)s”, between %(fewer)s points fewer and %(more)s points more "
            "answered “%(label)s” than in “%(other)s”: that tells next to nothing"
        )
    return _(
        "In “%(group)s”, between %(fewer)s points fewer and %(more)s points more "
        "answered “%(label)s” than in “%(other)s” (%(level)s interval; best estimate "
        "%(best)s)"
    )


def tells_nothing(row: DifferenceRow) -> bool:
    """Return whether it may be none, with a margin of half the scale of a share."""
    return row.low <= 0 <= row.high and row.high - row.low >= 2 * HALF_THE_SCALE


def chance_line(comparison: Comparison) -> str:
    """Say how often chance makes groups look so different, "" where none is tested."""
    rows = comparison.differences
    if not rows or math.isnan(rows[0].p_value):
        return ""
    is_exact = all(row.is_exact for row in rows)
    words = {"count": len(rows)}
    if len(rows) > 1 and is_exact:
        text = _(
            "P: if both were alike, how often chance makes reports differ as much as "
            "these (exact tests of the reports, which are valid for the answers too), "
            "adjusted for %(count)s comparisons (Holm)."
        )
    elif len(rows) > 1:
        text = _(
            "P: if both were alike, how often chance makes reports differ as much as "
            "these (likelihood ratio, because the tables differ), adjusted for "
            "%(count)s comparisons (Holm)."
        )
    elif is_exact:
        text = _(
            "P: if both were alike, how often chance makes reports differ as much as "
            "these (an exact test of the reports, which is valid for the answers too)."
        )
    else:
        text = _(
            "P: if both were alike, how often chance makes reports differ as much as "
            "these (likelihood ratio, because the tables differ)."
        )
    return text % words


def waves_line(comparison: Comparison) -> str:
    """Say what two surveys give away of who took part in both, "" of anything else."""
    asked = [each.mechanism for each in comparison.samples]
    if comparison.second or comparison.is_split or not asked[0].is_scrambled:
        return ""
    ratio = total_ratio(asked)
    if ratio is None:
        return ""
    told = _(
        "If the same people answered both, the epsilons of this question add up for "
        "them, to at most %(epsilon)s."
    )
    return told % {"epsilon": epsilon(ratio)}


def p_cell(row: DifferenceRow) -> str:
    """Return an adjusted p-value as a table has it."""
    if math.isnan(row.p_adjusted):
        return "\N{EN DASH}"
    told = p_value(row.p_adjusted, smallest=SMALLEST_P_SHOWN, digits=".3f")
    return told.removeprefix("P").lstrip("=\N{NO-BREAK SPACE}")


def difference_cell(row: DifferenceRow) -> str:
    """Return the difference in points with its sign, a dash where it is none."""
    if tells_nothing(row):
        return "\N{EN DASH}"
    return signed_points(row.estimate, decimals_for(row.low, row.high))


def interval_cell(row: DifferenceRow) -> str:
    """Return both ends in points with their signs, rounded outwards."""
    decimals = decimals_for(row.low, row.high)
    ends = {
        "low": signed_points(row.low + NOISE, decimals, rounding=ROUND_FLOOR),
        "high": signed_points(row.high - NOISE, decimals, rounding=ROUND_CEILING),
    }
    return _("%(low)s to %(high)s") % ends


def signed_points(
    difference: float, decimals: int, *, rounding: str = ROUND_HALF_EVEN
) -> str:
    """Return points with their sign; a difference that rounds to none has none."""
    shown = points(difference, decimals=decimals, rounding=rounding)
    size = shown.lstrip("-")
    if not size.strip("0.,"):
        return size
    return isolated(f"{'+' if size == shown else MINUS}{size}")


def counted_points(
    size: float, decimals: int, *, rounding: str = ROUND_HALF_EVEN
) -> str:
    """Return a number that "points" can follow: "1.0" for one, else the number."""
    less = max(0.0, size - NOISE) if rounding == ROUND_CEILING else size
    shown = points(less, decimals=decimals, rounding=rounding)
    return points(1 / 100, decimals=1) if shown == "1" else shown


def outwards(end: float, decimals: int) -> str:
    """Return the far end of an interval."""
    return points(max(0.0, end - NOISE), decimals=decimals, rounding=ROUND_CEILING)
