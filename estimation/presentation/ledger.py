"""The ledger of releases: the spent budget of a panel and of counts."""

from operator import attrgetter
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from candor.accounting import total_epsilon
from estimation.models import Publication
from estimation.presentation.figures import show_range
from estimation.presentation.table import Column, Section, Table
from estimation.rows.queries import CountingQuery, list_queries
from surveys.models import Survey, Visitor
from surveys.models.panel import LedgerEntry, format_left
from surveys.numbers import (
    format_integer,
    format_percent,
    format_rounded_up,
    format_written_number,
)


class Line(NamedTuple):
    title: str
    entry: LedgerEntry
    left: float
    """Budget left after this survey and those before it."""


COLUMNS = (
    Column(
        title=gettext_lazy("Reports"),
        show=lambda line: format_rounded_up(line.entry.reports),
    ),
    Column(
        title=gettext_lazy("Releases"),
        show=lambda line: format_rounded_up(line.entry.releases),
    ),
    Column(
        title=gettext_lazy("Sum"),
        show=lambda line: format_rounded_up(line.entry.total),
    ),
    Column(
        title=gettext_lazy("Left"),
        show=lambda line: format_left(line.left),
        style="adjusted",
    ),
)


def make_ledger_table(survey: Survey, user: Visitor) -> Table | None:
    """Return the ledger; None if no survey of a panel has opened.

    It omits titles of surveys in which `user` has no role.
    """
    ledger = survey.read_ledger()
    if ledger is None or not ledger.entries:
        return None
    own = set(Survey.objects.for_user(user).values_list("pk", flat=True))
    totals = [each.total for each in ledger.entries]
    lines = [
        Line(
            entry.survey.title if entry.survey.pk in own else _("Another survey"),
            entry,
            float(ledger.budget) - total_epsilon(totals[:place]).epsilon,
        )
        for place, entry in enumerate(ledger.entries, start=1)
    ]
    text = _("Panel “%(panel)s”: epsilon %(budget)s in all") % ledger.shown
    return Table(
        name=text,
        columns=COLUMNS,
        sections=[Section(rows=lines)],
        heading=gettext_lazy("Survey"),
        label=lambda line: line.title,
    )


def make_queries_table(publication: Publication) -> Table | None:
    level = publication.confidence_level
    queries = list_queries(publication)
    if not queries:
        return None

    def show_interval(query: CountingQuery) -> str:
        return show_range(*map(format_integer, query.interval(level)))

    return Table(
        name=_("Counts with noise"),
        columns=(
            Column(
                title=_("Released count"),
                show=lambda query: format_written_number(str(query.released)),
                style="adjusted",
            ),
            Column(
                title=_("%s interval") % format_percent(level, trimmed=True),
                show=show_interval,
                style="interval",
            ),
            Column(
                title="ε",
                show=lambda query: format_rounded_up(float(query.epsilon)),
            ),
        ),
        sections=[Section(rows=queries)],
        heading=_("Condition"),
        label=attrgetter("condition"),
    )
