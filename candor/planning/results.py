"""The parts of a plan, and their serialisation."""

import math
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from decimal import ROUND_CEILING, Context
from functools import partial
from itertools import chain, groupby
from typing import Any

from candor.mechanisms import Mechanism
from candor.planning.assumptions import Assumed
from candor.planning.budget import QuestionAdvice
from candor.planning.fieldwork import Draw, Fieldwork
from candor.planning.groups import FISHER, GroupSizes, GroupTest
from candor.planning.margins import Alternative, Precision, Size
from candor.planning.power import ONE_SIDED, ExactTest, SampleSize
from candor.planning.privacy import Posterior, ShuffledPrivacy, SmallestEpsilon
from candor.poisoning import Poisoning
from candor.table import nullify
from candor.validation import MAX_RESPONDENTS

EPSILON, RESPONDENTS = "epsilon", "respondents"
"""Units of figures that are rounded up, and of figures that are whole numbers."""

UNINFORMATIVE = 0.5
"""A margin or standard error of at least this part of the range is uninformative."""

DIGITS = 4
"""Significant digits of a printed figure."""


@dataclass(frozen=True)
class Figure:
    """A number of a plan.

    `value` is None if no number of respondents, or no epsilon, suffices.
    """

    section: str
    name: str
    value: float | None
    unit: str = ""
    note: str = ""

    def __str__(self) -> str:
        if self.value is None:
            number = f"more than {MAX_RESPONDENTS:,}"
            number = number if self.unit == RESPONDENTS else "none"
        elif self.unit == EPSILON and math.isfinite(self.value):
            number = format_rounded_up(self.value)
        elif math.isinf(self.value):
            number = "unbounded"
        elif float(self.value).is_integer():
            number = f"{self.value:,.0f}"
        else:
            number = f"{self.value:,.{DIGITS}g}"
        unit = "" if self.unit in (EPSILON, RESPONDENTS) else self.unit
        note = f"({self.note})" if self.note else ""
        return " ".join(filter(None, (number, unit, note)))


@dataclass(frozen=True, kw_only=True)
class Plan:
    """The figures of one question; figures that were not requested are None.

    For several answers, all figures except `total_epsilon` and `forged_weight` refer to
    one answer against the rest. Figures of a mean are in points from 0 to K.

    Attributes
    ----------
    mechanism : Mechanism
    assumed : Assumed
        The estimand, the assumptions about it, and the confidence level of all margins.
    posterior : Posterior
        How one report changes an observer's prior; for a scale only the bounds.
    total_epsilon : float
        Epsilon of all questions that one respondent is asked.
    forged_weight : float
        How many respondents one forged report counts as.
    fieldwork : Fieldwork
        How many people to invite for each of the numbers below.
    draw : Draw
        If each respondent is asked only some of the questions. Precision, test and
        groups then refer to the respondents who are asked this question; size and
        fieldwork to all.
    questions : QuestionAdvice
        How to divide the epsilon; None if it has no bound, and for one question of
        several answers.
    precision, poisoning, shuffling : Precision, Poisoning, ShuffledPrivacy
        For a number of respondents. `shuffling` only for one question of two answers,
        because the reports to several questions are stored as one pattern.
    margin, size : float, Size
        For a margin; a mean that needs more than 10**9 respondents has no size.
    smallest_epsilon : SmallestEpsilon
        For a margin and a number of respondents, if there are two answers.
    sample_size, test : SampleSize, ExactTest
        For a bound; the test also needs a number of respondents.
    groups, group_test : GroupSizes, GroupTest
        For a second group; the test splits the respondents into two groups.
    alternatives : tuple of Alternative
        The families that protect a scale; empty for a share.
    """

    mechanism: Mechanism
    assumed: Assumed
    posterior: Posterior
    total_epsilon: float
    forged_weight: float
    fieldwork: Fieldwork
    draw: Draw | None = None
    questions: QuestionAdvice | None = None
    precision: Precision | None = None
    poisoning: Poisoning | None = None
    shuffling: ShuffledPrivacy | None = None
    margin: float | None = None
    size: Size | None = None
    smallest_epsilon: SmallestEpsilon | None = None
    sample_size: SampleSize | None = None
    test: ExactTest | None = None
    groups: GroupSizes | None = None
    group_test: GroupTest | None = None
    alternatives: tuple[Alternative, ...] = ()

    @property
    def confidence_level(self) -> float:
        """Confidence level of all margins."""
        return self.assumed.confidence_level

    @property
    def cost_of_privacy(self) -> float:
        """Required respondents as a multiple of those for a direct question."""
        return self.assumed.cost_of_privacy

    def summary(self) -> str:
        """Return the figures as a text table for a terminal."""
        figures = self.figures()
        width = max(len(each.name) for each in figures)
        blocks = [
            "\n".join([section, *(f"  {row.name:<{width}}  {row}" for row in rows)])
            for section, rows in groupby(figures, key=lambda each: each.section)
        ]
        return "\n\n".join(blocks)

    def __str__(self) -> str:
        return self.summary()

    def figures(self) -> tuple[Figure, ...]:
        """Return the numbers as rows, with their sections, names and units."""
        parts = (
            self._list_assumptions(), self._list_posterior(), self._list_precision(),
            self._list_size(), self._list_families(), self._list_bound(),
            self._list_groups(), self._list_fieldwork(), self._list_budget(),
        )  # fmt: skip
        return tuple(chain.from_iterable(parts))

    @property
    def _unit(self) -> str:
        return "points" if self.assumed.is_mean else ""

    def _make_margin(self, section: str, name: str, value: float) -> Figure:
        is_wide = value >= UNINFORMATIVE * self.assumed.length
        note = "too imprecise to interpret" if is_wide else ""
        return Figure(section, name, value, self._unit, note)

    def _list_assumptions(self) -> Iterator[Figure]:
        row = partial(Figure, f"Mechanism: {self.mechanism.family}")
        answers, draw = self.assumed.answers, self.draw
        if self.assumed.is_mean:
            note = "all points equally common" if answers.is_default else ""
            yield row("points of the scale", answers.points)
            yield row("assumed mean", answers.mean, self._unit)
            yield row("assumed standard deviation", answers.sd, self._unit, note)
        else:
            if (count := len(self.mechanism.answers)) > 2:
                yield row("answers", count, "", "figures are of one against the rest")
            yield row("assumed share", self.assumed.part)
        yield row("confidence level", self.confidence_level)
        yield row("epsilon", self.mechanism.epsilon, EPSILON)
        if draw:
            note = "required respondents are those of the survey"
            yield row(
                "questions per respondent", draw.asked, f"of {draw.questions}", note
            )
        if draw and draw.reports:
            total = f"of {draw.respondents:,}"
            yield row("respondents asked this question", draw.reports, total)
        unit = "times the respondents of a direct question"
        yield row("cost of privacy", self.cost_of_privacy, unit)

    def _list_posterior(self) -> Iterator[Figure]:
        found = self.posterior
        row = partial(Figure, f"Posterior of an answer with a prior of {found.prior:g}")
        for report in found.reports:
            note = "this report is never sent" if report.posterior is None else ""
            yield row(f"given {report.report}", report.posterior, "", note)
        yield row("lowest of any report", found.lowest)
        yield row("highest of any report", found.highest)
        if found.guess is not None:
            yield row("probability of a correct guess", found.guess)
            yield row("the same without a report", found.blind_guess)

    def _list_precision(self) -> Iterator[Figure]:
        found = self.precision
        if not (found and self.poisoning):
            return
        section = f"With {found.respondents:,} respondents"
        row, margin = partial(Figure, section), partial(self._make_margin, section)
        yield margin("margin of error", found.margin)
        yield margin("margin of a direct question", found.direct_margin)
        if found.expected_half_width is not None:
            yield margin("expected half-width of interval", found.expected_half_width)
        if errors := found.standard_errors:
            yield margin("standard error", errors.local)
            yield margin("standard error, direct question", errors.direct)
            yield margin("standard error, central model", errors.central)
        forged = f"{self.poisoning.forged:,} forged, at most"
        yield row("shift by forged reports", self.poisoning.radius, self._unit, forged)
        if counts := self.shuffling:
            note = f"delta {counts.delta:g}; only against those who see only the counts"
            yield row("epsilon of the counts", counts.epsilon, EPSILON, note)

    def _list_size(self) -> Iterator[Figure]:
        if self.margin is None:
            return
        row = partial(Figure, f"For a margin of error of {self.margin:g}")
        size, smallest = self.size, self.smallest_epsilon
        yield row("respondents", size.respondents if size else None, RESPONDENTS)
        if size:
            direct = size.direct_respondents
            yield row("respondents of a direct question", direct, RESPONDENTS)
        if smallest:
            name = f"smallest epsilon for {smallest.respondents:,}"
            note = f"margin of a direct question {smallest.direct_margin:.{DIGITS}g}"
            yield row(name, smallest.epsilon, EPSILON, note)

    def _list_families(self) -> Iterator[Figure]:
        for found in self.alternatives:
            section = f"Family {found.family}"
            best = found.family == self.assumed.most_precise
            note = "the most precise at this epsilon" if best else ""
            yield Figure(section, "variance", found.variance, "/ respondents", note)
            if found.margin is not None:
                yield self._make_margin(section, "margin of error", found.margin)
            if found.respondents is not None:
                needed = found.respondents
                yield Figure(section, "respondents for margin", needed, RESPONDENTS)

    def _list_bound(self) -> Iterator[Figure]:
        size, test = self.sample_size, self.test
        if not size:
            return
        how = f"one-sided test, alpha {size.alpha:g}"
        if size.method != ONE_SIDED:
            how = f"{self.confidence_level:g} {size.method} interval"
        row = partial(
            Figure,
            f"To show that the share is {size.direction} {size.against:g} ({how}, "
            f"power {size.power:g})",
        )
        yield row("normal approximation", size.normal, RESPONDENTS)
        yield row("smallest number with power", size.first, RESPONDENTS)
        yield row(
            "sample size",
            size.safe,
            RESPONDENTS,
            "the power is never less from here on",
        )
        if test:
            note = f"if more than {test.critical_count:,} report {test.report}"
            yield row(f"power of {test.respondents:,}", test.power, "", note)

    def _list_groups(self) -> Iterator[Figure]:
        found, test = self.groups, self.group_test
        if not found:
            return
        values = " from ".join(f"{each:.{DIGITS}g}" for each in found.values)
        name = "Fisher's exact test" if found.test == FISHER else "Welch's t test"
        row = partial(
            Figure,
            f"To distinguish {values} ({name}, alpha {found.alpha:g}, "
            f"power {found.power:g})",
        )
        if found.sds:
            yield row("standard deviation, first group", found.sds[0], self._unit)
            yield row("standard deviation, second group", found.sds[1], self._unit)
        exact = found.is_exact or found.respondents is None
        for which, size in (("first", found.respondents), ("second", found.others)):
            note = "" if exact else "approximate"
            yield row(f"{which} group", size, RESPONDENTS, note)
        if test:
            sizes = f"{test.respondents:,} and {test.others:,}"
            note = "" if test.is_exact else "approximate"
            yield row(f"power of {sizes}", test.power, "", note)

    def _list_fieldwork(self) -> Iterator[Figure]:
        work = self.fieldwork
        if work.is_plain:
            return
        section = (
            f"Invitations (response rate {work.response_rate:g}, design effect "
            f"{work.design_effect:.3g})"
        )
        for label, each in (
            ("for the planned number", work.planned),
            ("for the margin of error", work.size),
            ("for the sample size", work.sample_size),
        ):
            if each:
                note = f"{each.respondents:,} respondents"
                yield Figure(section, label, each.invited, "people", note)
        if work.margin is not None:
            yield self._make_margin(
                section, "margin of the planned number", work.margin
            )

    def _list_budget(self) -> Iterator[Figure]:
        advice = self.questions
        if advice is None or advice.questions == 1:
            return
        total, units = format_rounded_up(self.total_epsilon), self.assumed.length
        section = f"{advice.questions} questions, total epsilon {total}"
        planned = self.draw or self.precision
        for label, way in (
            ("as planned", advice.planned if self.draw else None),
            ("all", advice.all_asked),
            ("one", advice.one_asked),
            ("by the rule", advice.by_rule),
            ("optimum", advice.best),
        ):
            if way is None:
                continue
            note = f"{way.asked} at epsilon {format_rounded_up(way.epsilon_each)}"
            variance = way.variance * units**2
            yield Figure(section, f"variance, {label}", variance, "/ respondents", note)
            if planned and planned.respondents:
                margins = way.margins(self.confidence_level)
                margin = units * margins.margin(planned.respondents)
                yield self._make_margin(section, f"margin, {label}", margin)

    def to_dict(self) -> dict[str, Any]:
        """Return the plan for JSON, with None for infinity."""
        assumed, groups = self.assumed, self.groups
        found: dict[str, Any] = {
            **self.mechanism.to_dict(),
            "epsilon": self.mechanism.epsilon,
            "confidence_level": self.confidence_level,
            "cost_of_privacy": self.cost_of_privacy,
            "reading": self.posterior,
            "total_epsilon": self.total_epsilon,
            "draw": self.draw,
            "questions": self.questions,
            "precision": self.precision,
            "poisoning": self.poisoning,
            "size": self.size,
            "fieldwork": self.fieldwork,
            "group_test": self.group_test,
        }
        sizes: dict[str, Any] = asdict(groups) if groups else {}
        value, other = sizes.pop("values", (None, None))
        sd, other_sd = sizes.pop("sds", None) or (None, None)
        if assumed.is_mean:
            answers = assumed.answers
            found |= {
                "points": answers.points, "mean": answers.mean, "sd": answers.sd,
                "ways": self.alternatives, "best": assumed.most_precise,
                "margin": self.margin,
            }  # fmt: skip
            if self.precision:
                precision = asdict(self.precision)
                del precision["expected_half_width"], precision["standard_errors"]
                found["precision"] = precision
            if groups:
                sizes |= {"difference": value - other, "mean": value}
                sizes |= {"other_mean": other, "sd": sd, "other_sd": other_sd}
        else:
            found |= {
                "share": assumed.part, "forged_weight": self.forged_weight,
                "pile": self.shuffling, "smallest_epsilon": self.smallest_epsilon,
                "sample_size": self.sample_size, "test": self.test,
            }  # fmt: skip
            sizes.pop("test", None)
            shares = {"share": value, "other_share": other}
            if groups:
                sizes |= shares
            if groups and self.group_test:
                test = asdict(self.group_test)
                found["group_test"] = test | shares | {"alpha": groups.alpha}
        return nullify(found | {"groups": sizes or None})


def format_rounded_up(number: float) -> str:
    """Return an epsilon as text with a few digits, rounded up."""
    if math.isinf(number):
        return "unbounded"
    context = Context(prec=DIGITS, rounding=ROUND_CEILING)
    return f"{context.create_decimal(repr(float(number))):f}"
