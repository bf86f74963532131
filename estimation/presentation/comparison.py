"""A comparison of two questions, for the page, chart and files."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Self

from django.utils.text import capfirst
from django.utils.translation import gettext as _

from candor.mechanisms.mechanism import compute_total_ratio
from candor.table import Status
from estimation.presentation.cautions import Caution, make_misfit_caution
from estimation.presentation.charts.intervals import Chart, Group
from estimation.presentation.charts.waves import WavesChart, describe_wave
from estimation.presentation.clusters import describe_clusters, explain_small_clusters
from estimation.presentation.differences import (
    IN,
    OF_THOSE,
    DifferenceTable,
    difference_sentence,
)
from estimation.presentation.figures import MIN_P_SHOWN
from estimation.presentation.methods import (
    METHODS,
    PROFILE,
    Method,
    name_likelihood_interval,
)
from estimation.presentation.sentences import (
    introduce,
    make_sentence,
    make_sure_sentence,
)
from estimation.presentation.table import (
    ESTIMATE,
    INTERVAL,
    RAW,
    STANDARD_ERROR,
    Section,
    Table,
    label_row,
)
from estimation.rows.comparison import Comparison, Misfit
from estimation.rows.groups import GroupResult
from estimation.rows.row import Kind, Row, first_of_two
from estimation.rows.waves import Waves
from surveys.numbers import (
    format_epsilon,
    format_integer,
    format_p_value,
    format_percent,
)


def show_size_label(group: GroupResult) -> str:
    values = {"size": format_integer(group.size)}
    if group.is_counted:
        return _("%(size)s people") % values
    return _("about %(size)s people") % values


def group_sentence(row: Row, group: GroupResult, comparison: Comparison) -> str:
    has_answered = row.kind is Kind.MEAN_AMONG_ANSWERED
    if comparison.second is not None:
        some = _("Of those with “%s” who answered") if has_answered else OF_THOSE
    else:
        some = _("In “%s”, among those who answered") if has_answered else IN
    return make_sentence(row, some=capfirst(_(some)) % group.label)


def make_group_caution(found: Misfit, comparison: Comparison) -> Caution:
    if not found.group:
        return make_misfit_caution(found.question)
    if comparison.second:
        return make_misfit_caution(found.question, found.group)
    # The label of a question has its text already.
    return make_misfit_caution(found.group)


def tabulate_groups(name: str, named: Iterable[tuple[GroupResult, str]]) -> Table:
    return Table(
        name=name,
        columns=[ESTIMATE, INTERVAL],
        sections=[
            Section(rows=group.all_rows, heading=heading, note=show_size_label(group))
            for group, heading in named
        ],
    )


@dataclass(frozen=True)
class ComparisonPanel:
    result: Comparison
    is_clustered: bool = False

    @property
    def headlines(self) -> list[str]:
        """A sentence for each difference of the mean, or else of the first answer."""
        first = self.result.first.choices[0]
        rows = self.result.mean_differences or [
            row for row in self.result.differences if row.label == first
        ]
        return [
            difference_sentence(row, self.result)
            for row in rows
            if row.status is not Status.MISFIT
        ]

    @cached_property
    def tables(self) -> list[DifferenceTable]:
        has_answers = len(self.result.first.choices) > 2
        least = self._least_coverage
        both = (
            DifferenceTable(self.result.mean_differences, False, least),
            DifferenceTable(self.result.differences, has_answers, least),
        )
        return [each for each in both if each.rows]

    @property
    def _least_coverage(self) -> int:
        """Smallest coverage of 95 % likelihood intervals in percent.

        See docs/researchers/differences.md.
        """
        asked = [each.mechanism for each in self.result.samples]
        epsilons = [each.epsilon for each in [self.result.first.mechanism, *asked]]
        if max(epsilons) > 2:
            return 81
        return 93 if self.result.is_counted else 92

    @property
    def waves_line(self) -> str:
        asked = [each.mechanism for each in self.result.samples]
        if self.result.second or self.result.is_split or not asked[0].is_scrambled:
            return ""
        ratio = compute_total_ratio(asked)
        if ratio is None:
            return ""
        text = _("For people who answered both, the epsilons add up to at most %s.")
        return text % format_epsilon(ratio)

    @property
    def findings(self) -> list[tuple[str, str]]:
        return [
            (show_size_label(group), group_sentence(rows[0], group, self.result))
            for group in self.result.shown
            if (rows := group.all_rows)[0].status is not Status.MISFIT
        ]

    @property
    def chart(self) -> Chart:
        heading = _("“%(label)s”: %(size)s")
        return Chart(
            tuple(
                Group(
                    rows=first_of_two(each.rows) or each.all_rows,
                    heading=heading
                    % {"label": each.label, "size": show_size_label(each)},
                )
                for each in self.result.shown
            )
        )

    @property
    def within(self) -> Table:
        named = [(group, group.label) for group in self.result.shown]
        return tabulate_groups(_("Numbers within each group"), named)

    @property
    def pooled(self) -> list[str]:
        found = self.result.pooled
        if found is None:
            return []
        homogeneity = _("Homogeneity of the shares: %(p)s (likelihood ratio).")
        p = format_p_value(found.homogeneity, smallest=MIN_P_SHOWN, digits=".3f")
        sentence = make_sure_sentence(
            Row(**vars(found.row), label=self.result.first.choices[0]),
            some=_("Of all respondents together, if the shares are the same"),
        )
        return [sentence, homogeneity % {"p": p}]

    @property
    def clusters(self) -> list[str]:
        if not self.is_clustered:
            return []
        found = self.result.clustered
        if found is None:
            return [explain_small_clusters()]
        row, effect = found
        sentence = make_sure_sentence(row, some=_("With the groups as clusters"))
        return [sentence, describe_clusters([effect], self.result.clusters)]

    @property
    def joint(self) -> Table | None:
        if self.result.second is None or not self.has_shares:
            return None
        return Table(
            name=_("Numbers of both answers together"),
            columns=[
                ESTIMATE.named(_("Adjusted share")),
                INTERVAL,
                RAW,
                STANDARD_ERROR,
            ],
            sections=[
                Section(
                    rows=group.joint,
                    heading=group.label,
                    note=self.result.second.full_text,
                )
                for group in self.result.shown
            ],
            heading=self.result.first.full_text,
            label=label_row,
        )

    @property
    def joint_chart(self) -> Chart:
        return Chart(
            tuple(
                Group(rows=group.joint, heading=group.label)
                for group in self.result.shown
                if group.joint
            )
        )

    @property
    def interval_name(self) -> str:
        return self._name_interval(is_counted=self.result.is_counted)

    @property
    def mean_interval_name(self) -> str:
        methods = [
            METHODS.get(each.mean.method, PROFILE)
            for each in self.result.shown
            if each.mean
        ]
        return self._name_interval(*methods, is_counted=self.result.is_counted)

    @property
    def has_means(self) -> bool:
        return all(group.mean for group in self.result.shown)

    @property
    def has_shares(self) -> bool:
        """Whether each group has shares, which a scale sent as one bit has not."""
        return all(group.rows for group in self.result.shown)

    @property
    def joint_interval_name(self) -> str:
        return self._name_interval(is_counted=self.result.is_counted_jointly)

    def _name_interval(self, *methods: Method, is_counted: bool) -> str:
        level = format_percent(self.result.confidence_level, trimmed=True)
        if not is_counted:
            return name_likelihood_interval(level)
        labels = [str(each.label) for each in methods or [METHODS[self.result.method]]]
        return _("%(level)s interval. Method: %(method)s") % {
            "level": level,
            "method": ", ".join(dict.fromkeys(labels)),
        }

    @property
    def level(self) -> str:
        is_exact, level = self.result.is_counted, self.result.confidence_level
        method = self.result.method if is_exact else ""
        return introduce(level, method, is_approximate=not is_exact)

    @property
    def cautions(self) -> list[Caution]:
        return [make_group_caution(each, self.result) for each in self.result.misfits]

    @property
    def independence_line(self) -> str:
        is_tested = self.result.is_tested_whole and not self.result.misfits
        if self.result.joint is None or not is_tested:
            return ""
        p = self.result.independence
        if p is None:
            return _(
                "All reports to one of the questions are equal, so independence "
                "cannot be tested."
            )
        is_exact = self.result.joint.is_tested_exactly
        return _("Independence of the two answers: %(p)s (%(test)s).") % {
            "p": format_p_value(p, smallest=MIN_P_SHOWN, digits=".3f"),
            "test": _("exact test") if is_exact else _("Pearson's test"),
        }


@dataclass(frozen=True)
class WavesPanel:
    result: Waves

    @classmethod
    def of(cls, result: Waves | None) -> Self | None:
        return cls(result) if result and len(result.shown) > 1 else None

    @property
    def chart(self) -> WavesChart:
        return WavesChart(
            tuple(self.result.shown), self.result.comparison.first.full_text
        )

    @property
    def table(self) -> Table:
        named = [(each.group, describe_wave(each)) for each in self.result.shown]
        return tabulate_groups(_("Over time"), named)
