"""Families: named recipes that build mechanisms from parameters."""

import re
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from typing import Any, ClassVar

from candor.mechanisms.by_hand import Instruction, for_researchers
from candor.mechanisms.epsilon import MAX_EPSILON, epsilon_rounded_up
from candor.mechanisms.mechanism import SKIPPED, Mechanism
from candor.mechanisms.parameters import Parameter, ParameterError
from candor.mechanisms.table import UninformativeTableError, Weights

MAX_CHOICES = 20
"""Respondents do not weigh a longer list. With more than about 1.4 (e**epsilon + 1)
answers, reports of several answers would be more precise than reports of one (subset
selection: Ye & Barg 2018, IEEE Transactions on Information Theory 64:5662)."""

CHOICES = Parameter(
    name="choices",
    label=for_researchers("Number of answers"),
    low=1,
    high=MAX_CHOICES,
    includes_high=True,
    counts_answers=True,
    example="3",
)
POINTS = replace(CHOICES, name="points", label=for_researchers("Number of points"))

PREVALENCE = Parameter(
    name="prevalence",
    label=for_researchers("Known share of Yes to the harmless question"),
    example="1/4",
)

REMEMBERED = 256
"""Number of cached tables of all families."""


class Family:
    """A named recipe that makes a mechanism from parameters.

    A family is a class with `label`, `source`, `parameters` and `weights`. The class
    name gives the identifier, which is stored with every question.
    """

    label: ClassVar[str]
    source: ClassVar[str]
    parameters: ClassVar[tuple[Parameter, ...]] = ()
    answers: ClassVar[tuple[str, ...]] = ("yes", "no")
    reports: ClassVar[tuple[str, ...]] = ("yes", "no")
    """Names of rows and columns. Empty if their number depends on the parameters: then
    they are "1", "2", "3" ..."""
    is_protected: ClassVar[bool] = True
    """False only if the table shows every answer, as every page states."""
    is_one_sided: ClassVar[bool] = False
    """True only if one report proves its answer and the other leaves it open. Epsilon
    is infinite, every page states the report, and people randomise by hand."""
    is_scale: ClassVar[bool] = False
    """Whether the answers are points of a scale, named "0", "1", "2" ..., whose mean is
    estimated. The values of the points are stored with the question."""
    without_skip: ClassVar[str] = ""
    """For a scale that can be skipped: the family of the same scale that cannot. The
    first has one more answer, `SKIPPED`, and its mean is among those who answer."""
    needs_innocuous_question: ClassVar[bool] = False
    """Whether randomising by hand needs a second, harmless question."""

    @property
    def identifier(self) -> str:
        """The name of the class in snake case: "one_bit" for `OneBit`."""
        return re.sub("(?<!^)(?=[A-Z])", "_", type(self).__name__).lower()

    def weights(self, *args: Any, **values: Any) -> Weights:
        """Return the table for checked parameters, shape (answers, reports)."""
        raise NotImplementedError

    def by_hand(self, *args: Any, **values: Any) -> Instruction | None:
        """Return the steps of a respondent, or None if no device can do it."""
        return None

    def instruction(self, given: Mapping[str, object]) -> Instruction | None:
        """Return the steps of a respondent for parameters that `parse` checks."""
        return self.by_hand(**self.parse(given))

    def list_names(self, count: int) -> tuple[str, ...]:
        """Return names of answers: "1", "2" ..., or "0", "1" ... for a scale."""
        if self.without_skip:
            return (*(str(point) for point in range(count - 1)), SKIPPED)
        first = 0 if self.is_scale else 1
        return tuple(str(number) for number in range(first, first + count))

    def counted(self, answers: int) -> dict[str, int]:
        """Return the parameter for the number of answers, if the family has one."""
        count = answers - bool(self.without_skip)
        return {each.name: count for each in self.parameters if each.counts_answers}

    def parse(self, given: Mapping[str, object]) -> dict[str, Fraction]:
        """Return the checked parameters by name.

        `ParameterError` for a missing, unknown or bad one.
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

        `ParameterError` for a missing, unknown or bad one, for parameters by which
        answers cannot be distinguished, and for an epsilon above `MAX_EPSILON`.
        """
        return self._build_cached(tuple(self.parse(given).items()))

    # A form builds the table of each question several times, and exact logarithms and
    # ranks take half a millisecond. Tables are immutable.
    @lru_cache(maxsize=REMEMBERED)  # noqa: B019 - families stay as long as the process
    def _build_cached(self, parsed: tuple[tuple[str, Fraction], ...]) -> Mechanism:
        values = dict(parsed)
        names = " and ".join(values) or self.identifier
        got = ", ".join(str(value) for value in values.values())
        weights = self.weights(**values)
        try:
            mechanism = Mechanism(
                family=self.identifier,
                parameters={name: str(value) for name, value in values.items()},
                answers=self.answers or self.list_names(len(weights)),
                reports=self.reports or self.list_names(len(weights[0])),
                weights=weights,
            )
        except UninformativeTableError as error:
            raise ParameterError(
                names, allowed="chosen so that answers can be distinguished", value=got
            ) from error
        is_bounded = self.is_protected and not self.is_one_sided
        if is_bounded and not mechanism.epsilon <= MAX_EPSILON:
            raise ParameterError(
                names,
                allowed=f"chosen for an epsilon in (0, {MAX_EPSILON}]",
                value=f"epsilon {epsilon_rounded_up(mechanism.worst_ratio)} from {got}",
            )
        return mechanism
