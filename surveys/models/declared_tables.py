"""The tables that a key holder returns instead of whole responses.

They follow from the frozen definition, so the digest covers them. A change of these
rules must not change the digests of opened surveys.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from candor.mechanisms import Mechanism
from surveys.kinds.tick_list import find_first_items
from surveys.models.conditions import list_leaves, read_condition


def list_tables(
    definition: Mapping[str, Any], pairs: Sequence[tuple[int, int]]
) -> list[list[int]]:
    """Return the numbers of the questions of each table, ascending.

    Each question alone comes first, in order. Then come planned comparisons, each
    question with those in its condition, and each scrambled question with each direct
    one. Two direct questions are counted together only if that is planned: together,
    they may identify a person.
    """
    numbers = range(1, len(definition["questions"]) + 1)
    joint = {tuple(sorted(each)) for each in list_joint(definition, pairs)}
    # A draft may name questions that are missing.
    known = sorted(each for each in joint if set(each) <= set(numbers))
    return [*([each] for each in numbers), *map(list, known)]


def list_joint(
    definition: Mapping[str, Any], pairs: Sequence[tuple[int, int]]
) -> Iterator[set[int]]:
    yield from map(set, pairs)
    first_items = find_first_items(definition)
    scrambled: list[int] = []
    background: list[int] = []
    for number, question in enumerate(definition["questions"], start=1):
        is_scrambled = Mechanism.from_dict(question["table"]).is_scrambled
        (scrambled if is_scrambled else background).append(number)
        if text := first_items.get(number, question).get("show_if"):
            yield {number, *(leaf.number for leaf in list_leaves(read_condition(text)))}
    for number in scrambled:
        yield from ({number, other} for other in background)
