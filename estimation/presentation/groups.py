"""What people read about each group, and about all of them together."""

from django.utils.translation import gettext as _

from candor.mechanisms.mechanism import total_ratio
from estimation.presentation.cautions import Caution
from estimation.presentation.means import best_mean, limits_on_scale, method_of_mean
from estimation.presentation.methods import METHODS
from estimation.presentation.sentences import in_words
from estimation.rows.comparison import Comparison, Misfit
from estimation.rows.groups import GroupResult
from estimation.rows.means import MeanResult
from estimation.rows.shares import Standing, standing_of_interval
from surveys.words.numbers import epsilon, grouped, percent


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
    """Return interval and best estimate of the mean, or the first answer's share."""
    if group.mean:
        return mean_sentence(group.label, group.mean, comparison)
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


def mean_sentence(label: str, mean: MeanResult, comparison: Comparison) -> str:
    """Return the same of the mean of a scale, in its units."""
    is_open = standing_of_interval(mean.low, mean.high) is Standing.TELLS_NOTHING
    if comparison.second is None:
        text = _(
            "In “%(group)s”, the mean lies between %(low)s and %(high)s (best estimate "
            "%(mean)s)"
        )
        if is_open:
            text = _(
                "In “%(group)s”, the mean lies between %(low)s and %(high)s: that "
                "tells next to nothing"
            )
    else:
        text = _(
            "Of those with “%(group)s”, the mean lies between %(low)s and %(high)s "
            "(best estimate %(mean)s)"
        )
        if is_open:
            text = _(
                "Of those with “%(group)s”, the mean lies between %(low)s and "
                "%(high)s: that tells next to nothing"
            )
    low, high = limits_on_scale(mean)
    return text % {"group": label, "low": low, "high": high, "mean": best_mean(mean)}


def level(comparison: Comparison) -> str:
    """Return how sure the sentences are, each by itself."""
    words = {"level": percent(comparison.confidence_level, trimmed=True)}
    if not comparison.is_counted:
        return _("With about %(level)s confidence, each by itself:") % words
    if comparison.method == "bayes":
        return _("With %(level)s probability, each by itself:") % words
    return _("With %(level)s confidence, each by itself:") % words


def misfits(comparison: Comparison) -> list[Caution]:
    """Say which reports no share explains, and whose they are."""
    return [Caution("danger", misfit(each, comparison)) for each in comparison.misfits]


def misfit(found: Misfit, comparison: Comparison) -> str:
    """Say it of all together, of a group, or of a survey."""
    if not found.group:
        return (
            _(
                "The reports to “%s” do not fit the design. Nothing that is told of "
                "them here can be relied on."
            )
            % found.question
        )
    if comparison.second:
        text = _(
            "The reports to “%(question)s” of those with “%(group)s” do not fit the "
            "design. Nothing that is told of them here can be relied on."
        )
    else:
        # The label of a question has its text already.
        text = _(
            "The reports in “%(group)s” do not fit the design. Nothing that is told of "
            "them here can be relied on."
        )
    return text % {"question": found.question, "group": found.group}


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


def interval_name(comparison: Comparison) -> str:
    """Return kind and method of the intervals within groups."""
    if not comparison.is_counted:
        return profile_name(comparison.confidence_level)
    return method_name(comparison)


def mean_interval_name(comparison: Comparison) -> str:
    """Return the same of the means of groups, by one method or by two."""
    if not comparison.is_counted:
        return profile_name(comparison.confidence_level)
    methods = [method_of_mean(each.mean) for each in comparison.shown if each.mean]
    return _("%(level)s interval. Method: %(method)s") % {
        "level": percent(comparison.confidence_level, trimmed=True),
        "method": ", ".join(dict.fromkeys(methods)),
    }


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
