"""Conditions on earlier answers, and the paths through a questionnaire that they make.

"2 is Yes and (3 is not Never or 4 >= 5)" names questions by number and answers by
label; points of a scale also by value. Devices evaluate conditions; a question that is
not shown counts with its declared answer.
"""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from operator import ge, gt, le, lt
from typing import Any

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from candor.mechanisms import Mechanism
from candor.mechanisms.scale import Scale
from surveys.models.analysis_plan import make_syntax_error
from surveys.problem import Problem

TOKEN = re.compile(r'\s*(?:["“”„]([^"“”„]*)["“”]|([()]|[<>]=?)|([^\s()"“”„<>]+))')
OPPOSITES = {"is": "is not", "is not": "is", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
COMPARISONS = {"<": lt, "<=": le, ">": gt, ">=": ge}
KEYWORDS = {word: word for word in ("is", "not", "and", "or")}
KEYWORDS |= {"ist": "is", "nicht": "not", "und": "and", "oder": "or"}

DELETED = 0
"""Number that stands for a deleted question in conditions."""

MAX_PATHS = 1000


@dataclass(frozen=True)
class Comparison:
    """A question's answer against a label or value, as an author wrote it."""

    number: int
    operator: str
    value: str

    def __str__(self) -> str:
        tokens = self.value.casefold().split()
        is_plain = not re.search(
            r'[()"“”„<>]', self.value
        ) and KEYWORDS.keys().isdisjoint(tokens)
        value = self.value if is_plain else f'"{self.value}"'
        return f"{self.number} {self.operator} {value}"


@dataclass(frozen=True)
class OneOf:
    """Whether the answer to a question is one of those at these positions."""

    number: int
    positions: frozenset[int]


@dataclass(frozen=True)
class Combination:
    """Conditions of which the operator demands all ("and") or one ("or")."""

    operator: str
    parts: tuple[Any, ...]

    def __str__(self) -> str:
        return f" {self.operator} ".join(
            f"({part})" if isinstance(part, Combination) else str(part)
            for part in self.parts
        )


Written = Comparison | Combination
Condition = OneOf | Combination


class Parser:
    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens: list[tuple[str, bool]] = []
        """Each token with whether it was in quotation marks, the next one last."""
        place = 0
        while place < len(text.rstrip()):
            found = TOKEN.match(text, place)
            if found is None:
                raise self.make_error()
            quoted, sign, word = found.groups()
            self.tokens.append(
                (quoted if word is sign is None else sign or word, word is sign is None)
            )
            place = found.end()
        self.tokens.reverse()

    def make_error(self) -> ValidationError:
        return make_syntax_error(
            self.text, _("a condition such as 2 is Yes and 3 >= 5")
        )

    def peek(self) -> str:
        """Return the next token, a keyword in English; empty if it is quoted."""
        if not self.tokens or self.tokens[-1][1]:
            return ""
        word = self.tokens[-1][0].casefold()
        return KEYWORDS.get(word, word)

    def take(self, wanted: str) -> bool:
        if self.peek() != wanted:
            return False
        self.tokens.pop()
        return True

    def parse(self) -> Written:
        condition = self.parse_combination("or")
        if self.tokens:
            raise self.make_error()
        return condition

    def parse_combination(self, operator: str) -> Written:
        parse_part = (
            self.parse_factor
            if operator == "and"
            else lambda: self.parse_combination("and")
        )
        parts = [parse_part()]
        while self.take(operator):
            parts.append(parse_part())
        return Combination(operator, tuple(parts)) if len(parts) > 1 else parts[0]

    def parse_factor(self) -> Written:
        if self.take("not"):
            return negate(self.parse_factor())
        if self.take("("):
            condition = self.parse_combination("or")
            if not self.take(")"):
                raise self.make_error()
            return condition
        return self.parse_comparison()

    def parse_comparison(self) -> Comparison:
        number = self.peek()
        if not re.fullmatch(r"\d{1,3}", number):
            raise self.make_error()
        self.tokens.pop()
        operator = self.peek()
        if operator not in OPPOSITES:
            raise self.make_error()
        self.tokens.pop()
        if operator == "is" and self.take("not"):
            operator = "is not"
        words = []
        while self.tokens and self.peek() not in {"and", "or", "(", ")", *COMPARISONS}:
            words.append(self.tokens.pop()[0])
        if not words:
            raise self.make_error()
        return Comparison(int(number), operator, " ".join(words))


def negate(condition: Written) -> Written:
    if isinstance(condition, Comparison):
        return replace(condition, operator=OPPOSITES[condition.operator])
    operator = "or" if condition.operator == "and" else "and"
    return Combination(operator, tuple(map(negate, condition.parts)))


def read_condition(text: str) -> Written:
    """Return the condition, with "not" carried to its comparisons.

    Raises
    ------
    ValidationError
        With an example of a condition.
    """
    return Parser(text).parse()


def check_condition(text: str) -> None:
    read_condition(text)


def map_leaves(condition: Any, change: Callable[[Any], Any]) -> Any:
    if isinstance(condition, Combination):
        parts = (map_leaves(part, change) for part in condition.parts)
        return replace(condition, parts=tuple(parts))
    return change(condition)


def list_leaves(condition: Written | Condition | None) -> list[Any]:
    if isinstance(condition, Combination):
        return [leaf for part in condition.parts for leaf in list_leaves(part)]
    return [] if condition is None else [condition]


def renumber_condition(text: str, places: Mapping[int, int | None]) -> str:
    """Return the condition with the new numbers of its questions.

    `places` is as in `renumber_draws`; a deleted question gets the number `DELETED`.
    """

    def renumber(leaf: Comparison) -> Comparison:
        now = places.get(leaf.number, leaf.number)
        return replace(leaf, number=DELETED if now is None else now)

    before = read_condition(text)
    after = map_leaves(before, renumber)
    return text if after == before else str(after)


@dataclass(frozen=True)
class Step:
    """A question as conditions and paths see it."""

    labels: Sequence[str]
    values: Sequence[Fraction] = ()
    """Values of the points of a scale."""
    declined: int | None = None
    """Position of "Prefer not to answer", if there is one."""
    is_direct: bool = False
    show_if: str = ""
    answer_if_hidden: str = ""
    ends_if: str = ""

    @classmethod
    def of(
        cls,
        labels: Sequence[str],
        mechanism: Mechanism,
        scale: Scale | None,
        declined: int | None,
        texts: Mapping[str, Any],
    ) -> "Step":
        """Return the step of a question; `texts` may have the fields `CONDITIONS`."""
        return cls(
            labels,
            scale.values if scale else (),
            declined,
            # Its reports are its answers, in the same order.
            all(row[place] == sum(row) for place, row in enumerate(mechanism.weights)),
            **{name: texts.get(name, "") for name in CONDITIONS},
        )

    @cached_property
    def condition(self) -> Written | None:
        return read_condition(self.show_if) if self.show_if else None

    @cached_property
    def hidden_answer(self) -> int | None:
        """Position of the answer that is counted if the question is not shown.

        The default is No: the second of two answers.
        """
        if self.answer_if_hidden:
            return min(self.find_answers(self.answer_if_hidden), default=None)
        real = [each for each in range(len(self.labels)) if each != self.declined]
        return real[1] if len(real) == 2 else None

    @cached_property
    def ending(self) -> frozenset[int]:
        found = (self.find_answers(each) for each in split_answers(self.ends_if))
        return frozenset().union(*found)

    def find_positions(self, comparison: Comparison) -> frozenset[int]:
        """Return the answers for which a comparison is true; empty if it names none."""
        if compare := COMPARISONS.get(comparison.operator):
            value = parse_number(comparison.value)
            return frozenset(
                place
                for place, point in enumerate(self.values)
                if value is not None and compare(point, value)
            )
        equal = self.find_answers(comparison.value)
        is_positive = comparison.operator == "is" or not equal
        return equal if is_positive else frozenset(range(len(self.labels))) - equal

    def find_unknown_answer(self, comparison: Comparison) -> str:
        named = {"number": comparison.number, "answer": comparison.value}
        if comparison.operator in COMPARISONS and not self.values:
            text = _("The answers to question %(number)s are not numbers.")
            return text % named
        if not self.find_positions(comparison):
            return _("Question %(number)s has no answer “%(answer)s”.") % named
        return ""

    def find_answers(self, text: str) -> frozenset[int]:
        """Return the answer with this label or, on a scale, this value, if any."""
        value = parse_number(text)
        return frozenset(
            place
            for place, label in enumerate(self.labels)
            if label.casefold() == text.strip().casefold()
            or (place < len(self.values) and self.values[place] == value)
        )


CONDITIONS = ("show_if", "answer_if_hidden", "ends_if")
"""Names of a question's fields for conditions."""


def split_answers(text: str) -> list[str]:
    return [part.strip() for part in text.split(";") if part.strip()]


def parse_number(text: str) -> Fraction | None:
    try:
        return Fraction(text.replace(",", "."))
    except (ValueError, ZeroDivisionError):
        return None


def resolve(condition: Written, steps: Sequence[Step]) -> Condition:
    """Return the condition with positions of answers in place of their labels."""
    resolved: Condition = map_leaves(
        condition,
        lambda leaf: OneOf(leaf.number, steps[leaf.number - 1].find_positions(leaf)),
    )
    return resolved


def is_satisfied(condition: Condition, answers: Mapping[int, int]) -> bool:
    if isinstance(condition, OneOf):
        return answers[condition.number] in condition.positions
    combine = all if condition.operator == "and" else any
    return combine(is_satisfied(part, answers) for part in condition.parts)


def serialize_condition(condition: Condition) -> list[Any]:
    """Return a condition as conditions.js reads it."""
    if isinstance(condition, OneOf):
        return [condition.number, *sorted(condition.positions)]
    return [condition.operator, *map(serialize_condition, condition.parts)]


@dataclass(frozen=True)
class Path:
    """The questions that some answers lead to.

    Attributes
    ----------
    shown : tuple of int
        Numbers of questions.
    answers : mapping of int to frozenset of int
        Answers that lead here, by the question that decides.
    is_ended : bool
        Whether the last of these answers ends the survey.
    """

    shown: tuple[int, ...]
    answers: Mapping[int, frozenset[int]] = field(compare=False)
    is_ended: bool = False


class TooManyPathsError(Exception):
    """Raised for more than `MAX_PATHS` ways to answer the questions in conditions."""


def list_paths(steps: Sequence[Step]) -> list[Path]:
    """Return the different paths, each with the first answers that lead to it.

    Raises
    ------
    TooManyPathsError
        If there are too many to list.
    """
    paths: dict[Path, None] = {}
    for count, path in enumerate(walk(steps), start=1):
        if count > MAX_PATHS:
            raise TooManyPathsError
        paths.setdefault(path)
    return list(paths)


def walk(steps: Sequence[Step]) -> Iterator[Path]:
    conditions = [step.condition and resolve(step.condition, steps) for step in steps]
    leaves = [leaf for each in conditions for leaf in list_leaves(each)]
    classes = [
        group_answers(
            len(step.labels),
            [leaf.positions for leaf in leaves if leaf.number == number]
            + [step.ending],
        )
        for number, step in enumerate(steps, start=1)
    ]

    def follow(
        number: int,
        shown: tuple[int, ...],
        answers: dict[int, int],
        decided: dict[int, frozenset[int]],
    ) -> Iterator[Path]:
        if number > len(steps):
            yield Path(shown, decided)
            return
        step, condition = steps[number - 1], conditions[number - 1]
        if condition and not is_satisfied(condition, answers):
            hidden = {number: step.hidden_answer or 0}
            yield from follow(number + 1, shown, answers | hidden, decided)
            return
        for positions in (groups := classes[number - 1]):
            answer = min(positions)
            now = decided if len(groups) == 1 else {**decided, number: positions}
            if answer in step.ending:
                yield Path((*shown, number), now, is_ended=True)
            else:
                yield from follow(
                    number + 1, (*shown, number), answers | {number: answer}, now
                )

    yield from follow(1, (), {}, {})


def group_answers(
    count: int, distinguished: Sequence[frozenset[int]]
) -> list[frozenset[int]]:
    """Return groups of answers that no condition distinguishes."""
    groups: dict[tuple[bool, ...], set[int]] = {}
    for answer in range(count):
        key = tuple(answer in each for each in distinguished)
        groups.setdefault(key, set()).add(answer)
    return [frozenset(group) for group in groups.values()]


def find_problems(
    steps: Sequence[Step], drawn: Collection[int], shuffled: Sequence[Collection[int]]
) -> list[Problem]:
    """Return what is wrong with the conditions of a survey.

    `drawn` are questions that only some respondents are asked, `shuffled` the sections
    in a random order.
    """
    found = []
    for number, step in enumerate(steps, start=1):
        if step.condition:
            texts = find_condition_problems(number, steps, drawn, shuffled)
            found += [Problem("show_if", text, number) for text in texts]
            if step.hidden_answer is None:
                text = _("Enter the answer when hidden.")
                found.append(Problem("answer_if_hidden", text, number))
        if wrong := find_ending_problem(number, step, drawn):
            found.append(Problem("ends_if", wrong, number))
    return found or find_path_problems(steps)


def find_condition_problems(
    number: int,
    steps: Sequence[Step],
    drawn: Collection[int],
    shuffled: Sequence[Collection[int]],
) -> Iterator[str]:
    for leaf in list_leaves(steps[number - 1].condition):
        named = {"number": leaf.number}
        if leaf.number == DELETED:
            yield _("Its condition names a question that was deleted.")
        elif leaf.number >= number:
            text = _("Its condition can name earlier questions only, not %(number)s.")
            yield text % named
        elif leaf.number in drawn:
            yield _("Question %(number)s is not asked of everyone.") % named
        elif any({leaf.number, number} <= set(section) for section in shuffled):
            text = _("Question %(number)s may come later in the random order.")
            yield text % named
        elif unknown := steps[leaf.number - 1].find_unknown_answer(leaf):
            yield unknown


def find_ending_problem(number: int, step: Step, drawn: Collection[int]) -> str | None:
    if not step.ends_if:
        return None
    for each in split_answers(step.ends_if):
        if not step.find_answers(each):
            return _("It has no answer “%s”.") % each
    if not step.is_direct:
        return _("Only a question that is not scrambled can end the survey.")
    if number in drawn:
        return _("Only a question asked of everyone can end the survey.")
    if len(step.ending) == len(step.labels):
        return _("All answers end the survey.")
    if step.condition and step.hidden_answer in step.ending:
        return _("The answer when hidden would end the survey.")
    return None


def find_path_problems(steps: Sequence[Step]) -> list[Problem]:
    try:
        reached = {number for path in list_paths(steps) for number in path.shown}
    except TooManyPathsError:
        text = _("The conditions make more than %s paths.")
        return [Problem("questions", text % MAX_PATHS)]
    text = _("No answers lead to this question.")
    unreached = sorted(set(range(1, len(steps) + 1)) - reached)
    return [Problem("show_if", text, number) for number in unreached]
