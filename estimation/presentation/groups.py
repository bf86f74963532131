"""What people read about each group, and about all of them together."""

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from estimation.presentation.cautions import Caution
from estimation.presentation.sentences import format_row
from estimation.rows.comparison import Comparison, Misfit
from estimation.rows.groups import GroupResult
from estimation.rows.row import Kind, Row, Standing
from surveys.text.numbers import format_integer


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
    return _(text) % format_row(row, group=group.label)


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
