"""What people read about two questions together."""

from django.utils.translation import gettext as _

from estimation.compare.result import Comparison, GroupResult
from estimation.results.cautions import Caution
from estimation.results.methods import METHODS
from estimation.results.result import Standing, standing_of_interval
from estimation.results.words import in_words
from surveys.words.numbers import grouped, p_value, percent

SMALLEST_P_SHOWN = 0.001


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


def sentence(group: GroupResult) -> str:
    """Return interval and best estimate of the first answer within the group."""
    row = group.rows[0]
    text = _(
        "Of those with “%(group)s”, between %(low)s and %(high)s (best estimate "
        "%(share)s) answered “%(label)s”"
    )
    if standing_of_interval(row.low, row.high) is Standing.TELLS_NOTHING:
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
    return [Caution("danger", told % each.text) for each in comparison.misfits]


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
    """Say whether chance alone explains that the groups differ."""
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
    if comparison.is_tested_exactly:
        text = _(
            "If the two answers had nothing to do with each other, reports would "
            "differ by chance as much as these with %(p)s (an exact test of the "
            "reports, which is valid for the answers too)."
        )
    return text % {"p": p_value(p, smallest=SMALLEST_P_SHOWN, digits=".3f")}
