"""What is shown of two questions together, on the page and in its chart."""

from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from operator import attrgetter

from django.utils.translation import gettext as _

from candor.differences import SCORES
from candor.mechanisms.mechanism import total_ratio
from candor.table import Status
from estimation.presentation import differences, groups, p_values
from estimation.presentation.cautions import Caution
from estimation.presentation.charts.intervals import Chart, Group
from estimation.presentation.methods import METHODS, PROFILE
from estimation.presentation.table import (
    ESTIMATE,
    INTERVAL,
    JOINT_ESTIMATE,
    JOINT_RAW,
    P_VALUE,
    STANDARD_ERROR,
    Section,
    Table,
    label_row,
)
from estimation.rows.comparison import Comparison
from estimation.rows.row import Row
from estimation.rows.shares import first_of_two
from surveys.text.numbers import format_epsilon, format_percent


@dataclass(frozen=True)
class DifferenceTable:
    """Differences of one kind, of means or of shares, and what is said of them."""

    rows: tuple[Row, ...]
    has_answers: bool
    """Whether rows are about answers, each against several groups."""

    @property
    def is_of_means(self) -> bool:
        """Whether means of a scale are compared."""
        return self.rows[0].scale is not None

    @property
    def p_value_line(self) -> str:
        """What the p-values are."""
        return p_values.chance_line(self.rows)

    @property
    def is_of_scores(self) -> bool:
        """Whether intervals come from scores, as those of some means do."""
        return any(row.method == SCORES for row in self.rows)

    @property
    def table(self) -> Table:
        """The numbers."""
        name, title = _("Numbers of the differences"), _("Points")
        if self.is_of_means:
            name = _("Numbers of the differences of means")
            title = _("Difference of the means")
        columns = [ESTIMATE.named(title), INTERVAL]
        if self.p_value_line:
            columns.append(P_VALUE)
        if not self.has_answers:
            return Table(
                name=name,
                columns=columns,
                sections=[Section(rows=self.rows)],
                heading=_("Against"),
                label=attrgetter("other"),
            )
        return Table(
            name=name,
            columns=columns,
            sections=[
                Section(rows=list(rows), heading=_("Against “%s”") % other)
                for other, rows in groupby(self.rows, attrgetter("other"))
            ],
        )


@dataclass(frozen=True)
class ComparisonPanel:
    """Both questions in sentences, chart and tables."""

    result: Comparison

    @property
    def headlines(self) -> list[str]:
        """A sentence for each difference of the mean, or else of the first answer.

        None of reports that do not fit the design: that is then said in their place.
        """
        first = self.result.first.choices[0]
        rows = self.result.mean_differences or [
            row for row in self.result.differences if row.label == first
        ]
        return [
            differences.difference_sentence(row, self.result)
            for row in rows
            if row.status is not Status.MISFIT
        ]

    @cached_property
    def tables(self) -> list[DifferenceTable]:
        """The numbers of the differences, those of means first."""
        has_answers = len(self.result.first.choices) > 2
        both = (
            DifferenceTable(self.result.mean_differences, False),
            DifferenceTable(self.result.differences, has_answers),
        )
        return [each for each in both if each.rows]

    @property
    def p_value_lines(self) -> list[str]:
        """What the p-values of each table are."""
        return [line for each in self.tables if (line := each.p_value_line)]

    @property
    def waves_line(self) -> str:
        """What two surveys reveal of a person who took part in both; often empty."""
        asked = [each.mechanism for each in self.result.samples]
        if self.result.second or self.result.is_split or not asked[0].is_scrambled:
            return ""
        ratio = total_ratio(asked)
        if ratio is None:
            return ""
        told = _(
            "If the same people answered both, the epsilons of this question add up "
            "for them, to at most %(epsilon)s."
        )
        return told % {"epsilon": format_epsilon(ratio)}

    @property
    def findings(self) -> list[tuple[str, str]]:
        """Size and a sentence for each group whose reports fit the design."""
        return [
            (groups.size_label(group), groups.sentence(rows[0], group, self.result))
            for group in self.result.shown
            if (rows := group.all_rows)[0].status is not Status.MISFIT
        ]

    @property
    def chart(self) -> Chart:
        """What the chart shows: shares, or the mean where there are none."""
        return Chart(
            tuple(
                Group(
                    rows=first_of_two(group.rows) or group.all_rows,
                    heading=groups.heading(group),
                )
                for group in self.result.shown
            )
        )

    @property
    def within(self) -> Table:
        """Means and shares within each group."""
        title = _("Mean")
        if self.has_shares:
            title = _("Best estimate")
        return Table(
            name=_("Numbers within each group"),
            columns=[ESTIMATE.named(title), INTERVAL],
            sections=[
                Section(
                    rows=group.all_rows,
                    heading=group.label,
                    note=groups.size_label(group),
                )
                for group in self.result.shown
            ],
        )

    @property
    def joint(self) -> Table | None:
        """Shares of all who have both answers; None where there are none."""
        if self.result.second is None or not self.has_shares:
            return None
        return Table(
            name=_("Numbers of both answers together"),
            columns=[
                JOINT_ESTIMATE.named(_("Adjusted share")),
                INTERVAL,
                JOINT_RAW,
                STANDARD_ERROR,
            ],
            sections=[
                Section(
                    rows=group.joint,
                    heading=group.label,
                    note=self.result.second.text,
                )
                for group in self.result.shown
            ],
            heading=self.result.first.text,
            label=label_row,
        )

    @property
    def interval_name(self) -> str:
        """Return kind and method of the intervals within groups."""
        if not self.result.is_counted:
            return self._profile_name
        return self._method_name

    @property
    def mean_interval_name(self) -> str:
        """Return the same of the means of groups, by one method or by two."""
        if not self.result.is_counted:
            return self._profile_name
        methods = [
            str(METHODS.get(each.mean.method, PROFILE).label)
            for each in self.result.shown
            if each.mean
        ]
        return _("%(level)s interval. Method: %(method)s") % {
            "level": format_percent(self.result.confidence_level, trimmed=True),
            "method": ", ".join(dict.fromkeys(methods)),
        }

    @property
    def has_means(self) -> bool:
        """Whether there is a mean of each group."""
        return all(group.mean for group in self.result.shown)

    @property
    def has_shares(self) -> bool:
        """Whether there are shares in each group: not of a scale sent as one bit."""
        return all(group.rows for group in self.result.shown)

    @property
    def joint_interval_name(self) -> str:
        """Return the same of the joint shares."""
        if not self.result.is_counted_jointly:
            return self._profile_name
        return self._method_name

    @property
    def level(self) -> str:
        """Return how sure the sentences are, each by itself."""
        words = {"level": format_percent(self.result.confidence_level, trimmed=True)}
        if not self.result.is_counted:
            return _("With about %(level)s confidence, each by itself:") % words
        if self.result.method == "bayes":
            return _("With %(level)s probability, each by itself:") % words
        return _("With %(level)s confidence, each by itself:") % words

    @property
    def cautions(self) -> list[Caution]:
        """What to know before relying on any number."""
        return groups.misfits(self.result)

    @property
    def independence_line(self) -> str:
        """The test of the independence of both answers."""
        return p_values.independence_line(self.result)

    @property
    def _method_name(self) -> str:
        """Level and chosen method."""
        return _("%(level)s interval. Method: %(method)s") % {
            "level": format_percent(self.result.confidence_level, trimmed=True),
            "method": METHODS[self.result.method].label,
        }

    @property
    def _profile_name(self) -> str:
        """The name of the intervals that are not guaranteed."""
        return _("%(level)s interval. Method: profile likelihood (approximate)") % {
            "level": format_percent(self.result.confidence_level, trimmed=True)
        }
