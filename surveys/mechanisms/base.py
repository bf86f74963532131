"""A mechanism is a table of whole numbers; everything else follows from the table."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import ROUND_CEILING, Decimal, localcontext
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar, Self

from surveys.mechanisms import randomness
from surveys.mechanisms.by_hand import Instruction
from surveys.mechanisms.parameters import Parameter, ParameterError
from surveys.mechanisms.table import UninformativeTableError, Weights, check_table

MAX_EPSILON = 10
"""Beyond this the odds shift more than 22,000 times: such a table protects nobody."""

LOGARITHM_DIGITS = 50
"""Digits of ln: far more than a float holds, so that rounding up is never wrong."""


@dataclass(frozen=True, kw_only=True)
class Mechanism:
    """The table by which an answer becomes a report.

    Attributes
    ----------
    family : str
        Identifier of the recipe that made the table.
    parameters : mapping of str to str
        The numbers given to the recipe, as exact fractions ("1/6").
    answers, reports : tuple of str
        Names of rows and columns.
    weights : tuple of tuples of int
        Shape (answers, reports), whole numbers >= 0; every row sums to `total`,
        a whole number in [1, 2**32]; the rows are linearly independent.

    Raises
    ------
    TableError
        Where `weights` breaks one of these rules.
    """

    family: str
    parameters: Mapping[str, str] = field(hash=False)
    answers: tuple[str, ...]
    reports: tuple[str, ...]
    weights: Weights

    def __post_init__(self) -> None:
        check_table(self.weights, answers=len(self.answers), reports=len(self.reports))

    @property
    def total(self) -> int:
        """Sum of every row."""
        return sum(self.weights[0])

    def probability(self, report: str, *, given: str) -> Fraction:
        """P(report | answer), exactly as it is drawn."""
        row = self.weights[self.answers.index(given)]
        return Fraction(row[self.reports.index(report)], self.total)

    @cached_property
    def worst_ratio(self) -> Fraction | None:
        """Largest ratio of two weights in one column; None where a weight is 0."""
        columns = [column for column in zip(*self.weights, strict=True) if any(column)]
        if any(min(column) == 0 for column in columns):
            return None
        return max(Fraction(max(column), min(column)) for column in columns)

    @property
    def epsilon(self) -> float:
        """Local differential privacy of one report: max ln ratio in the table.

        Worked out from the weights, never typed in; infinite where a weight is 0.
        Dwork & Roth 2014, definition 2.4, for databases of one answer.
        """
        return epsilon_of(self.worst_ratio)

    @property
    def is_protected(self) -> bool:
        """Whether any report leaves its answer open."""
        return self.worst_ratio is not None

    def randomise(self, answer: str, draw: randomness.Draw = randomness.word) -> str:
        """Return the report of one respondent whose answer is `answer`."""
        position = self.answers.index(answer)
        return self.reports[randomness.randomise(self.weights, position, draw)]

    def as_dict(self) -> dict[str, Any]:
        """Return what is stored with a question: plain JSON."""
        return {
            "family": self.family,
            "parameters": dict(self.parameters),
            "answers": list(self.answers),
            "reports": list(self.reports),
            "weights": [list(row) for row in self.weights],
        }

    @classmethod
    def from_dict(cls, stored: Mapping[str, Any]) -> Self:
        """Return the mechanism that `as_dict` described: the stored table rules."""
        return cls(
            family=stored["family"],
            parameters=dict(stored["parameters"]),
            answers=tuple(stored["answers"]),
            reports=tuple(stored["reports"]),
            weights=tuple(tuple(row) for row in stored["weights"]),
        )


def epsilon_of(ratio: Fraction | None) -> float:
    """Return ln(ratio) as the smallest float not below it; infinity for None."""
    if ratio is None:
        return math.inf
    exact = logarithm(ratio)
    nearest = float(exact)
    return nearest if Decimal(nearest) >= exact else math.nextafter(nearest, math.inf)


def epsilon_rounded_up(ratio: Fraction | None, *, places: int = 2) -> str:
    """Return ln(ratio) with `places` decimals, never less than the true value."""
    if ratio is None:
        return "∞"
    step = Decimal(1).scaleb(-places)
    return str(logarithm(ratio).quantize(step, rounding=ROUND_CEILING))


def logarithm(ratio: Fraction) -> Decimal:
    """Return ln(ratio) to `LOGARITHM_DIGITS` digits."""
    with localcontext(prec=LOGARITHM_DIGITS):
        return (Decimal(ratio.numerator) / Decimal(ratio.denominator)).ln()


def total_ratio(mechanisms: Sequence[Mechanism]) -> Fraction | None:
    """Return the worst ratio of all reports together: ratios multiply, epsilons add.

    Dwork & Roth 2014, theorem 3.14 (sequential composition).
    """
    ratios = [mechanism.worst_ratio for mechanism in mechanisms]
    if None in ratios:
        return None
    return math.prod((ratio for ratio in ratios if ratio), start=Fraction(1))


def numbered(count: int) -> tuple[str, ...]:
    """Return the names "1" to `count`."""
    return tuple(str(number) for number in range(1, count + 1))


class Family:
    """A named recipe that makes a mechanism from parameters.

    A family is one file with one class: `label`, `source`, `parameters` and
    `weights`. The file name is its identifier.
    """

    label: ClassVar[str]
    source: ClassVar[str]
    parameters: ClassVar[tuple[Parameter, ...]] = ()
    answers: ClassVar[tuple[str, ...]] = ("yes", "no")
    reports: ClassVar[tuple[str, ...]] = ("yes", "no")
    """Names of rows and columns; empty where the parameters decide how many there are,
    which are then called "1", "2", "3" ..."""
    is_protected: ClassVar[bool] = True
    """False only where the table shows every answer, and every page says so."""
    needs_innocuous_question: ClassVar[bool] = False
    """Whether a person who carries it out needs a second, harmless question."""

    @property
    def identifier(self) -> str:
        """The name of the file."""
        return type(self).__module__.rpartition(".")[2]

    def weights(self, *args: Any, **values: Any) -> Weights:
        """Return the table for checked parameters, shape (answers, reports)."""
        raise NotImplementedError

    def by_hand(self, *args: Any, **values: Any) -> Instruction | None:
        """Return what a person does to carry it out; None where nobody could."""
        return None

    def counted(self, answers: int) -> dict[str, int]:
        """Return the parameter that is the number of answers, where there is one."""
        return {each.name: answers for each in self.parameters if each.counts_answers}

    def parse(self, given: Mapping[str, object]) -> dict[str, Fraction]:
        """Return the checked parameters by name.

        Raises
        ------
        ParameterError
            For a missing, unknown or bad parameter.
        """
        names = [parameter.name for parameter in self.parameters]
        for name, value in given.items():
            if name not in names:
                taken = " and ".join(names) or "no parameters"
                raise ParameterError(
                    name, allowed=f"left out ({self.label} takes {taken})", value=value
                )
        return {
            parameter.name: parameter.parse(given.get(parameter.name))
            for parameter in self.parameters
        }

    def build(self, /, **given: object) -> Mechanism:
        """Return the mechanism for these parameters.

        Raises
        ------
        ParameterError
            For a missing, unknown or bad parameter, for parameters that make the
            answers look the same, and for an epsilon above `MAX_EPSILON`.
        """
        values = self.parse(given)
        names = " and ".join(values) or self.identifier
        got = ", ".join(str(value) for value in values.values())
        weights = self.weights(**values)
        try:
            mechanism = Mechanism(
                family=self.identifier,
                parameters={name: str(value) for name, value in values.items()},
                answers=self.answers or numbered(len(weights)),
                reports=self.reports or numbered(len(weights[0])),
                weights=weights,
            )
        except UninformativeTableError as error:
            raise ParameterError(
                names, allowed="chosen so that answers can be told apart", value=got
            ) from error
        if self.is_protected and not mechanism.epsilon <= MAX_EPSILON:
            raise ParameterError(
                names,
                allowed=f"chosen for an epsilon in (0, {MAX_EPSILON}]",
                value=f"epsilon {epsilon_rounded_up(mechanism.worst_ratio)} from {got}",
            )
        return mechanism
