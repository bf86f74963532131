"""Tick lists: drawn groups of yes/no questions shown on one screen."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from django.utils.translation import gettext as _

from candor.mechanisms import Mechanism, ParameterError
from candor.mechanisms.draws import DrawnGroup, select_usable_groups
from surveys.problem import Problem

MAX_ITEMS = 20
"""Maximum number of items. With more, each of them gets too few reports."""


@dataclass(frozen=True)
class TickList:
    """A drawn group whose questions are check boxes under one question."""

    text: str
    group: DrawnGroup

    @property
    def numbers(self) -> tuple[int, ...]:
        return self.group.questions


class Item(Protocol):
    """A question of a draft."""

    tick_list: str

    @property
    def mechanism(self) -> Mechanism: ...
    @property
    def presentation(self) -> Mapping[str, Any]: ...
    def is_yes_or_no(self) -> bool: ...


def list_tick_lists(
    texts: Sequence[str], groups: Sequence[DrawnGroup]
) -> Iterator[TickList]:
    for group in select_usable_groups(groups, len(texts)):
        if text := texts[group.questions[0] - 1]:
            yield TickList(text, group)


def join_texts(tick_list: str, text: str) -> str:
    return " \N{EN DASH} ".join(filter(None, (tick_list, text)))


def find_first_items(definition: Mapping[str, Any]) -> dict[int, Mapping[str, Any]]:
    """Return {number of an item: the first question of its tick list}."""
    questions = dict(enumerate(definition["questions"], start=1))
    return {
        number: first
        for group in definition.get("draws", [])
        if (first := questions.get(group["questions"][0], {})).get("tick_list")
        for number in group["questions"]
    }


def find_tick_list_problems(
    questions: Sequence[Item], groups: Sequence[DrawnGroup]
) -> Iterator[Problem]:
    by_first = {group.questions[0]: group for group in groups}
    for number, question in enumerate(questions, start=1):
        if not question.tick_list:
            continue
        group = by_first.get(number)
        if group is None:
            text = _("Add its items to the questions to draw from: 1 of %s.")
            example = f"{number}-{number + 2}"
            yield Problem("tick_list", text % example, number)
        elif found := find_item_problem(questions, group.questions):
            yield Problem("tick_list", found, number)


def find_item_problem(questions: Sequence[Item], numbers: Sequence[int]) -> str | None:
    if len(numbers) > MAX_ITEMS:
        return _("A tick list has at most %s items.") % MAX_ITEMS
    if numbers[-1] - numbers[0] != len(numbers) - 1:
        return _("Its items must be questions in a row.")
    items = [questions[number - 1] for number in numbers if number <= len(questions)]
    try:
        tables = [item.mechanism for item in items]
    except ParameterError:
        return None  # the question has a problem of its own
    if not all(item.is_yes_or_no() for item in items):
        return _("Its items need the answers Yes and No.")
    if not tables[0].is_scrambled or any(
        table.weights != tables[0].weights for table in tables
    ):
        return _("Its items need the same strength.")
    if any(item.presentation for item in items[1:]):
        return _("Enter hint, helpline, section and order at the first item.")
    return None
