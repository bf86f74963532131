"""Random subsets of questions: each respondent is asked s of m, all equally likely.

`static/js/collecting/draw.js` is the twin of `draw_asked`.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from candor.mechanisms import randomness

NOT_ASKED = 255
"""Byte for a missing report in a pattern: the question was not drawn for the
respondent, or a field study has no report."""


@dataclass(frozen=True, kw_only=True)
class DrawnGroup:
    """A group of questions, of which each respondent is asked a random subset.

    `asked`, in [1, m - 1], of the m questions are drawn. `questions` are their numbers
    in the survey, ascending, from 1.
    """

    asked: int
    questions: tuple[int, ...]

    @property
    def left_out(self) -> int:
        return len(self.questions) - self.asked

    @property
    def chance(self) -> Fraction:
        return Fraction(self.asked, len(self.questions))

    def to_dict(self) -> dict[str, object]:
        return {"asked": self.asked, "questions": list(self.questions)}


def compute_chance(number: int, groups: Iterable[DrawnGroup]) -> Fraction:
    """Return the probability that a respondent is asked question `number`."""
    of_groups = (group.chance for group in groups if number in group.questions)
    return next(of_groups, Fraction(1))


def select_usable_groups(
    groups: Sequence[DrawnGroup], count: int
) -> Sequence[DrawnGroup]:
    """Return the groups, or none if one of them has a question beyond `count`.

    Questions of a draft may still be missing; until they exist, all are asked.
    """
    numbers = {number for group in groups for number in group.questions}
    return groups if numbers <= set(range(1, count + 1)) else ()


def draw_asked(
    count: int,
    groups: Iterable[DrawnGroup],
    draw: randomness.Draw = randomness.word,
    *,
    word_bits: int = randomness.WORD_BITS,
) -> tuple[bool, ...]:
    """Draw the questions of one respondent: return whether each is asked.

    All sets of `asked` questions of a group are equally likely. Groups have no question
    in common and are drawn independently. The draw does not depend on answers or the
    respondent. Selection sampling (Fan, Muller & Rezucha 1962, JASA 57:387; Knuth,
    TAOCP 2, 3.4.2, algorithm S): the next of `rest` remaining questions is selected
    with probability wanted / rest.

    >>> sum(draw_asked(5, [DrawnGroup(asked=2, questions=(2, 3, 5))]))
    4
    """
    asked = [True] * count
    for group in groups:
        wanted = group.asked
        for rest, number in zip(
            range(len(group.questions), 0, -1), group.questions, strict=True
        ):
            # Draw even if no more are wanted, so that all draws take the same steps.
            u = randomness.uniform_below(rest, draw, word_bits=word_bits)
            asked[number - 1] = u < wanted
            wanted -= u < wanted
    return tuple(asked)


def encode_pattern(reports: Iterable[int | None]) -> bytes:
    """Return reports as bytes; None is a question that was not asked."""
    return bytes(NOT_ASKED if report is None else report for report in reports)


def decode_pattern(pattern: bytes) -> list[int | None]:
    """Return the reports of a pattern; None for a question that was not asked."""
    return [None if report == NOT_ASKED else report for report in pattern]


def is_possible_draw(asked: Sequence[bool], groups: Sequence[DrawnGroup]) -> bool:
    """Return whether `draw_asked` can return `asked` for these groups."""
    left_out = sum(group.left_out for group in groups)
    return asked.count(False) == left_out and all(
        sum(asked[number - 1] for number in group.questions) == group.asked
        for group in groups
    )
