"""Which of its questions a survey asks each respondent: s of these m, all alike likely.

`static/js/answering/draw.js` is the twin of `draw_asked`.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from candor.mechanisms import randomness

NOT_ASKED = 255
"""Byte of a pattern where there is no report: the question was not drawn for this
respondent, or a field study has none."""


@dataclass(frozen=True, kw_only=True)
class DrawnGroup:
    """Questions of which each respondent is asked some.

    Attributes
    ----------
    asked : int
        How many, in [1, m - 1] of m questions.
    questions : tuple of int
        Their numbers, ascending, 1 for the survey's first.
    """

    asked: int
    questions: tuple[int, ...]

    @property
    def left_out(self) -> int:
        """How many of them each respondent is not asked."""
        return len(self.questions) - self.asked

    @property
    def chance(self) -> Fraction:
        """With which chance each respondent is asked one of them."""
        return Fraction(self.asked, len(self.questions))

    def as_object(self) -> dict[str, object]:
        """Return it as plain JSON, as files and the design digest have it."""
        return {"asked": self.asked, "questions": list(self.questions)}


def chance_of(number: int, groups: Iterable[DrawnGroup]) -> Fraction:
    """Return the probability that a respondent is asked question `number`."""
    of_groups = (group.chance for group in groups if number in group.questions)
    return next(of_groups, Fraction(1))


def groups_there(groups: Sequence[DrawnGroup], count: int) -> Sequence[DrawnGroup]:
    """Return the groups, or none while one names a question that there is not.

    Of a draft, whose questions are still to be written: until then all count.
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
    """Return for each of `count` questions whether one respondent is asked it.

    Each set of `asked` questions of a group is exactly as likely as every other, and
    groups are drawn by themselves. Nothing but the source of words goes in: no answer,
    and nothing of who answers.

    Parameters
    ----------
    count : int
        Questions of the survey.
    groups : iterable of DrawnGroup
        Without a question in common.
    draw, word_bits
        As in `randomness.uniform_below`.

    References
    ----------
    Fan, Muller & Rezucha 1962, JASA 57:387 (selection sampling; Knuth, TAOCP 2, 3.4.2,
    algorithm S): of `rest` questions that are left the next is taken with the chance
    wanted / rest.
    """
    asked = [True] * count
    for group in groups:
        wanted = group.asked
        for rest, number in zip(
            range(len(group.questions), 0, -1), group.questions, strict=True
        ):
            # Drawn for each, wanted or not, so that every draw takes the same steps.
            u = randomness.uniform_below(rest, draw, word_bits=word_bits)
            asked[number - 1] = u < wanted
            wanted -= u < wanted
    return tuple(asked)


def pattern_of(reports: Iterable[int | None]) -> bytes:
    """Return the bytes of reports; None stands for what was not asked."""
    return bytes(NOT_ASKED if report is None else report for report in reports)


def reports_in(pattern: bytes) -> list[int | None]:
    """Return the reports of a pattern: the other way round."""
    return [None if report == NOT_ASKED else report for report in pattern]


def could_be_drawn(asked: Sequence[bool], groups: Sequence[DrawnGroup]) -> bool:
    """Whether `draw_asked` could have returned this."""
    left_out = sum(group.left_out for group in groups)
    return asked.count(False) == left_out and all(
        sum(asked[number - 1] for number in group.questions) == group.asked
        for group in groups
    )
