"""Versions of a survey, such as two languages that were asked as two surveys."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.utils.translation import gettext as _

from candor.mechanisms import Mechanism
from surveys.design import DesignQuestion
from surveys.kinds.scale import format_scale_value

SAME = re.compile(r"(\d{1,3})=(\d{1,3})(?::(\d{1,3}(?:,\d{1,3})*))?", re.ASCII)


class VersionError(ValueError):
    """Raised where questions of two surveys are not the same."""


@dataclass(frozen=True)
class SameQuestion:
    """A question of a survey and the one of another version that asks the same.

    `number` and `other` are their numbers, 1 for the first. `choices` lists, for each
    answer of the other question in its order, the number of the same answer here; if
    empty, the answers are in the same order.
    """

    number: int
    other: int
    choices: tuple[int, ...] = ()

    def __str__(self) -> str:
        choices = ",".join(map(str, self.choices))
        return f"{self.number}={self.other}" + (f":{choices}" if choices else "")


def read_same(text: str) -> SameQuestion:
    """Return the question of "2=3", or with its answers of "2=3:2,1".

    Raises
    ------
    VersionError
        For any other text.
    """
    if not (found := SAME.fullmatch(text)):
        raise VersionError(f"must be such as 2=3 or 2=3:2,1; got {text!r}")
    choices = tuple(map(int, found[3].split(","))) if found[3] else ()
    return SameQuestion(int(found[1]), int(found[2]), choices)


@dataclass(frozen=True)
class Counterpart:
    """A question of another version, with its answers in the order of the first."""

    question: DesignQuestion
    answers: tuple[int, ...]
    """For each answer in the other version, its position in the first."""
    reports: tuple[int, ...]
    """For each report in the other version, its position in the first."""

    def reorder(self, counts: Mapping[str, int]) -> dict[str, int]:
        """Return the counts by report of the first version, in its order."""
        names = self.question.mechanism.reports
        return {
            names[position]: counts.get(report, 0)
            for report, position in sorted(
                zip(names, self.reports, strict=True), key=lambda each: each[1]
            )
        }


def find_counterpart(
    asked: Sequence[DesignQuestion],
    others: Sequence[DesignQuestion],
    same: SameQuestion,
) -> Counterpart:
    """Return the question of the other version with its answers in the first's order.

    The tables of the two questions may differ.
    """
    if not 1 <= same.number <= len(asked):
        text = _("There is no question %(number)s.")
        raise VersionError(text % {"number": same.number})
    if not 1 <= same.other <= len(others):
        text = _("There is no question %s in the other survey.")
        raise VersionError(text % same.other)
    first, other = asked[same.number - 1], others[same.other - 1]
    size = len(first.choices)
    numbers = {"number": same.number, "other": same.other, "size": size}
    if len(other.choices) != size:
        one, another = (_("%s answers") % each for each in (size, len(other.choices)))
        raise make_difference_error(same, one, another)
    order = tuple(range(size))
    answers = tuple(choice - 1 for choice in same.choices) or order
    if tuple(sorted(answers)) != order:
        text = _(
            "Question %(number)s: assign each answer, 1 to %(size)s, to one answer of "
            "question %(other)s."
        )
        raise VersionError(text % numbers)
    mechanism, reports = other.mechanism, tuple(range(len(other.mechanism.reports)))
    if answers != order:
        if first.scale or other.scale or len(reports) != size:
            raise VersionError(_("The points of a scale stay in order."))
        # Without a scale a table has a report for each answer, in the same order.
        mechanism, reports = reorder_table(mechanism, answers), answers
    ordered = replace(other, choices=first.choices, mechanism=mechanism)
    return Counterpart(ordered, answers, reports)


def make_difference_error(same: SameQuestion, one: str, another: str) -> VersionError:
    text = _(
        "Question %(number)s: %(one)s. Question %(other)s of the other survey: "
        "%(another)s."
    )
    numbers = {"number": same.number, "other": same.other}
    return VersionError(text % {**numbers, "one": one, "another": another})


def reorder_table(mechanism: Mechanism, answers: Sequence[int]) -> Mechanism:
    places = sorted(range(len(answers)), key=answers.__getitem__)
    weights = tuple(
        tuple(mechanism.weights[row][column] for column in places) for row in places
    )
    return replace(mechanism, weights=weights)


def check_same_table(
    first: DesignQuestion, other: DesignQuestion, same: SameQuestion
) -> None:
    """Raise `VersionError` unless both questions have the same table and scale."""
    numbers: dict[str, Any] = {"number": same.number, "other": same.other}
    tables = first.mechanism, other.mechanism
    kinds = [(each.family, each.answers, each.reports) for each in tables]
    if kinds[0] != kinds[1]:
        raise make_difference_error(same, tables[0].family, tables[1].family)
    if first.scale and other.scale and first.scale != other.scale:
        one, another = (
            _("%(low)s to %(high)s")
            % {
                "low": format_scale_value(each.low),
                "high": format_scale_value(each.high),
            }
            for each in (first.scale, other.scale)
        )
        raise make_difference_error(same, one, another)
    for answer, choice in zip(tables[0].answers, first.choices, strict=True):
        for report in tables[0].reports:
            chance, got = (each.probability(report, given=answer) for each in tables)
            if chance != got:
                text = _(
                    "The tables of questions %(number)s and %(other)s differ: "
                    "P(%(report)s | “%(choice)s”) is %(chance)s and %(got)s."
                )
                cell = {"choice": choice, "report": report}
                cell |= {"chance": str(chance), "got": str(got)}
                raise VersionError(text % {**numbers, **cell})
