"""Mechanisms: tables of whole numbers that determine all other figures."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any, Self

from candor.mechanisms import randomness
from candor.mechanisms.epsilon import compute_epsilon, shows_answers, worst_ratio
from candor.mechanisms.parameters import check_choice
from candor.mechanisms.table import Weights, check_table

SKIPPED = "skipped"
"""Name of the last answer, not a point, of a scale that can be skipped."""


@dataclass(frozen=True, kw_only=True)
class Mechanism:
    """A mechanism of randomised response: the table by which answers become reports.

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
        a whole number in [1, 2**32]. The rows are linearly independent. With fewer
        reports than answers, the answers are points of a scale, and the rows identify
        its mean. If the scale can be skipped, they identify the share of respondents
        who skip, and the mean of the others times their share.

    Raises
    ------
    TableError
        If `weights` breaks one of these rules.

    Examples
    --------
    Warner's design with a die: 1 to 4 the statement itself, else its opposite.

    >>> from candor.mechanisms import build
    >>> die = build("warner", p="2/3")
    >>> die.weights, die.probability("yes", given="yes"), f"{die.epsilon:.4f}"
    (((2, 1), (1, 2)), Fraction(2, 3), '0.6931')
    """

    family: str
    parameters: Mapping[str, str] = field(hash=False)
    answers: tuple[str, ...]
    reports: tuple[str, ...]
    weights: Weights

    def __post_init__(self) -> None:
        answers, reports = len(self.answers), len(self.reports)
        targets: tuple[Sequence[int], ...] = ()
        if not self.identifies_shares:
            points = range(self.points)
            # The last answer of a scale that can be skipped is not a point.
            targets = ((*points, 0), (*(0 for _point in points), 1))
            targets = targets if self.can_be_skipped else (points,)
        check_table(self.weights, answers=answers, reports=reports, targets=targets)

    @property
    def identifies_shares(self) -> bool:
        """Whether reports identify the share of each answer, not only a scale's mean.

        False if there are fewer reports than answers.
        """
        return len(self.reports) >= len(self.answers)

    @property
    def can_be_skipped(self) -> bool:
        """Whether the answers are those of a scale, the last of which is "skipped"."""
        return self.answers[-1] == SKIPPED

    @property
    def points(self) -> int:
        """Number of points if the answers are those of a scale."""
        return len(self.answers) - self.can_be_skipped

    @property
    def total(self) -> int:
        """Sum of every row."""
        return sum(self.weights[0])

    def probability(self, report: str, *, given: str) -> Fraction:
        """Return P(report | answer), the exact probability of the sampler.

        Parameters
        ----------
        report : str
            One of `reports`.
        given : str
            One of `answers`.

        Raises
        ------
        ValueError
            For another report or answer.
        """
        check_choice("given", given, self.answers)
        check_choice("report", report, self.reports)
        row = self.weights[self.answers.index(given)]
        return Fraction(row[self.reports.index(report)], self.total)

    @cached_property
    def worst_ratio(self) -> Fraction | None:
        """Largest ratio of two weights in a column; None if a weight is 0."""
        return worst_ratio(self.weights)

    @property
    def epsilon(self) -> float:
        """Epsilon of local differential privacy of one report: max ln ratio.

        It is computed from the weights, and infinite if a weight is 0. Dwork & Roth
        2014, definition 2.4, for databases of one answer.
        """
        return compute_epsilon(self.worst_ratio)

    @property
    def is_protected(self) -> bool:
        """Whether every report leaves its answer open."""
        return self.worst_ratio is not None

    @property
    def is_scrambled(self) -> bool:
        """Whether a report may come from more than one answer."""
        return not shows_answers(self.weights)

    def randomise(self, answer: str, draw: randomness.Draw = randomness.word) -> str:
        """Return the report of one respondent.

        Parameters
        ----------
        answer : str
            One of `answers`.
        draw : callable
            As in `randomness.uniform_below`.

        Raises
        ------
        ValueError
            For another answer.
        """
        check_choice("answer", answer, self.answers)
        place = self.answers.index(answer)
        return self.reports[randomness.randomise(self.weights, place, draw)]

    @cached_property
    def proofs(self) -> dict[str, str]:
        """The answer that each report proves, for reports from only one answer.

        Empty if all weights are positive, or the table scrambles nothing.
        """
        if not self.is_scrambled:
            return {}
        proofs = {}
        for report, column in zip(
            self.reports, zip(*self.weights, strict=True), strict=True
        ):
            senders = [
                answer
                for answer, weight in zip(self.answers, column, strict=True)
                if weight
            ]
            if len(senders) == 1:
                proofs[report] = senders[0]
        return proofs

    def to_dict(self) -> dict[str, Any]:
        """Return the mechanism as plain JSON, which is stored with a question."""
        return {
            "family": self.family,
            "parameters": dict(self.parameters),
            "answers": list(self.answers),
            "reports": list(self.reports),
            "weights": [list(row) for row in self.weights],
        }

    @classmethod
    def from_dict(cls, stored: Mapping[str, Any]) -> Self:
        """Return the mechanism from the result of `to_dict`, with its stored table."""
        return cls(
            family=stored["family"],
            parameters=dict(stored["parameters"]),
            answers=tuple(stored["answers"]),
            reports=tuple(stored["reports"]),
            weights=tuple(tuple(row) for row in stored["weights"]),
        )


def compute_total_ratio(mechanisms: Sequence[Mechanism]) -> Fraction | None:
    """Return the worst ratio of all reports together, the product of the ratios.

    Dwork & Roth 2014, theorem 3.14 (sequential composition).
    """
    ratios = [mechanism.worst_ratio for mechanism in mechanisms]
    if None in ratios:
        return None
    return math.prod((ratio for ratio in ratios if ratio), start=Fraction(1))
