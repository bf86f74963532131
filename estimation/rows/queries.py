"""Counting queries on direct questions, released with noise."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from candor.mechanisms.draws import NOT_ASKED
from candor.releases import release
from candor.releases.counts import compute_count_interval
from candor.releases.noise import DiscreteLaplace
from estimation.models import Publication
from estimation.rows.counts import read_contingency_table
from estimation.rows.released import refuse_release, store
from surveys.design import Design, DesignQuestion, get_design
from surveys.models.conditions import (
    Condition,
    Step,
    is_satisfied,
    list_leaves,
    read_condition,
    resolve,
)

MAX_CONDITION_LENGTH = 200


@dataclass(frozen=True)
class CountingQuery:
    condition: str
    epsilon: Fraction
    released: int
    """The released count, which may be below 0."""

    def interval(self, level: float) -> tuple[int, int]:
        return compute_count_interval(
            self.released, DiscreteLaplace(self.epsilon), level
        )


def list_queries(publication: Publication) -> list[CountingQuery]:
    return [
        CountingQuery(each["condition"], Fraction(each["epsilon"]), each["released"])
        for each in publication.releases
        if "condition" in each
    ]


def read_query(text: str, design: Design) -> Condition:
    """Return a condition on questions that are not scrambled.

    Raises
    ------
    ValidationError
        If the text cannot be read, or names questions or answers that cannot be
        counted.
    """
    written = read_condition(text)
    steps = [make_step(each) for each in design.questions]
    for leaf in list_leaves(written):
        if not 1 <= leaf.number <= len(steps):
            raise ValidationError(
                _("There is no question %(number)s.") % {"number": leaf.number}
            )
        if not steps[leaf.number - 1].is_direct:
            raise ValidationError(
                _("Question %(number)s is scrambled: its reports are not answers.")
                % {"number": leaf.number}
            )
        if unknown := steps[leaf.number - 1].find_unknown_answer(leaf):
            raise ValidationError(unknown)
    condition = resolve(written, steps)
    if not design.declares(*list_numbers(condition)):
        raise ValidationError(
            _("The key holder returned no counts of these questions together.")
        )
    return condition


def make_step(question: DesignQuestion) -> Step:
    return Step.of(
        question.choices, question.mechanism, question.scale, question.declined, {}
    )


def list_numbers(condition: Condition) -> Sequence[int]:
    return sorted({leaf.number for leaf in list_leaves(condition)})


def count_matching(publication: Publication, condition: Condition) -> int:
    """Return the exact count of respondents who meet a condition.

    It excludes respondents without a report to one of the questions. One person changes
    it by at most 1.
    """
    numbers = list_numbers(condition)
    survey_counts = read_contingency_table(publication.survey, numbers, seals=False)
    return sum(
        count
        for pattern, count in survey_counts.counts.items()
        if NOT_ASKED not in pattern
        and is_satisfied(condition, dict(zip(numbers, pattern, strict=True)))
    )


def store_query(
    publication: Publication, text: str, epsilon: Decimal, *, after: int
) -> bool:
    """Draw and store the release of a count, as `released.store` does.

    Parameters
    ----------
    publication : Publication
    text : str
        A condition that `read_query` accepts.
    epsilon : Decimal
        Above 0.
    after : int
        As in `released.store`.
    """

    def draw(locked: Publication) -> dict[str, Any] | None:
        if refuse_release(locked.survey, epsilon):
            return None
        condition = read_query(text, get_design(locked.survey))
        found = release(count_matching(locked, condition), epsilon=str(epsilon))
        return {
            "condition": text,
            "epsilon": str(Fraction(epsilon)),
            "released": found.released,
        }

    return store(publication, draw, after=after)
