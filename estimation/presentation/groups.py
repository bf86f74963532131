"""What people read about each group, and about all of them together."""

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from candor.mechanisms.mechanism import total_ratio
from estimation.presentation.cautions import Caution
from estimation.presentation.methods import METHODS, PROFILE
from estimation.presentation.sentences import words_of
from estimation.rows.comparison import Comparison, Misfit
from estimation.rows.groups import GroupResult
from estimation.rows.row import Kind, Row, Standing
from surveys.text.numbers import format_epsilon, format_integer, format_percent


def size_label(group: GroupResult) -> str:
    """Return how many people are in a group, and whether that is known."""
    words = {"size": format_integer(group.size)}
    if group.is_counted:
        return _("%(size)s people") % words
    return _("about %(size)s people") % words


def heading(group: GroupResult) -> str:
    """Return who is in the group, for a chart."""
    return _("“%(label)s”: %(size)s") % {
        "label": group.label,
        "size": size_label(group),
    }


SENTENCES = {
    (Kind.SHARE, False, Standing.ESTIMATED): gettext_noop(
        "In “%(group)s”, between %(low)s and %(high)s (best estimate %(share)s) "
        "answered “%(label)s”"
    ),
    (Kind.SHARE, False, Standing.UNINFORMATIVE): gettext_noop(
        "In “%(group)s”, between %(low)s and %(high)s answered “%(label)s”: "
        "that tells next to nothing"
    ),
    (Kind.SHARE, True, Standing.ESTIMATED): gettext_noop(
        "Of those with “%(group)s”, between %(low)s and %(high)s (best estimate "
        "%(share)s) answered “%(label)s”"
    ),
    (Kind.SHARE, True, Standing.UNINFORMATIVE): gettext_noop(
        "Of those with “%(group)s”, between %(low)s and %(high)s answered "
        "“%(label)s”: that tells next to nothing"
    ),
    (Kind.MEAN, False, Standing.ESTIMATED): gettext_noop(
        "In “%(group)s”, the mean lies between %(low)s and %(high)s (best estimate "
        "%(mean)s)"
    ),
    (Kind.MEAN, False, Standing.UNINFORMATIVE): gettext_noop(
        "In “%(group)s”, the mean lies between %(low)s and %(high)s: that "
        "tells next to nothing"
    ),
    (Kind.MEAN, True, Standing.ESTIMATED): gettext_noop(
        "Of those with “%(group)s”, the mean lies between %(low)s and %(high)s "
        "(best estimate %(mean)s)"
    ),
    (Kind.MEAN, True, Standing.UNINFORMATIVE): gettext_noop(
        "Of those with “%(group)s”, the mean lies between %(low)s and "
        "%(high)s: that tells next to nothing"
    ),
}
"""By kind, by whether a question makes the groups, and by what can be said."""


def sentence(row: Row, group: GroupResult, comparison: Comparison) -> str:
    """Return interval and best estimate of a row of the group."""
    text = SENTENCES[row.kind, comparison.second is not None, row.standing]
    return _(text) % words_of(row, group=group.label)


def level(comparison: Comparison) -> str:
    """Return how sure the sentences are, each by itself."""
    words = {"level": format_percent(comparison.confidence_level, trimmed=True)}
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
    return told % {"epsilon": format_epsilon(ratio)}


def interval_name(comparison: Comparison) -> str:
    """Return kind and method of the intervals within groups."""
    if not comparison.is_counted:
        return profile_name(comparison.confidence_level)
    return method_name(comparison)


def mean_interval_name(comparison: Comparison) -> str:
    """Return the same of the means of groups, by one method or by two."""
    if not comparison.is_counted:
        return profile_name(comparison.confidence_level)
    methods = [
        str(METHODS.get(each.mean.method, PROFILE).label)
        for each in comparison.shown
        if each.mean
    ]
    return _("%(level)s interval. Method: %(method)s") % {
        "level": format_percent(comparison.confidence_level, trimmed=True),
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
        "level": format_percent(level, trimmed=True),
        "method": METHODS[comparison.method].label,
    }


def profile_name(level: float) -> str:
    """Return the name of the intervals that are not guaranteed."""
    return _("%(level)s interval. Method: profile likelihood (approximate)") % {
        "level": format_percent(level, trimmed=True)
    }
