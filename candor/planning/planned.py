"""What plans of shares and of means have in common, and how they are written."""

import math
from dataclasses import asdict, dataclass
from typing import Any

from candor.mechanisms import Mechanism
from candor.planning.budget import QuestionAdvice
from candor.planning.circumstances import Draw
from candor.planning.fieldwork import Fieldwork
from candor.planning.reading import PosteriorReading
from candor.poisoning import Poisoning


@dataclass(frozen=True, kw_only=True)
class Size:
    """How many respondents a wanted margin of error needs.

    Attributes
    ----------
    margin : float
    respondents, direct_respondents : int
        With the mechanism, and with honest answers to a direct question.
    """

    margin: float
    respondents: int
    direct_respondents: int


@dataclass(frozen=True, kw_only=True)
class Planned:
    """The figures of one question of any kind; those not asked for are None.

    Attributes
    ----------
    mechanism : Mechanism
    confidence_level : float
        Of all margins.
    cost_of_privacy : float
        How many times the respondents of a direct question are needed.
    reading : PosteriorReading
        Of any answer.
    total_epsilon : float
        Of all that one respondent is asked together.
    draw : Draw or None
        Where each respondent is asked some of the questions. Precision, test and groups
        then are of those who are asked this one; size and fieldwork of all.
    questions : QuestionAdvice or None
        How to share out that epsilon; None where it has no bound, and for one question
        of several answers.
    poisoning : Poisoning or None
        For a number of respondents.
    size : Size or None
        For a margin.
    fieldwork : Fieldwork
        How many to invite for each of these numbers.
    """

    mechanism: Mechanism
    confidence_level: float
    cost_of_privacy: float
    reading: PosteriorReading
    total_epsilon: float
    draw: Draw | None
    questions: QuestionAdvice | None
    poisoning: Poisoning | None
    size: Size | None
    fieldwork: Fieldwork


def plan_as_object(plan: Planned) -> dict[str, Any]:
    """Return a plan as plain JSON, which knows no NaN and no infinity: None instead."""
    found = asdict(plan)
    del found["mechanism"]
    table = plan.mechanism.as_dict() | {"epsilon": plan.mechanism.epsilon}
    return _without_infinities(table | found)


def _without_infinities(found: Any) -> Any:
    if isinstance(found, dict):
        return {name: _without_infinities(value) for name, value in found.items()}
    if isinstance(found, list | tuple):
        return [_without_infinities(value) for value in found]
    is_undefined = isinstance(found, float) and not math.isfinite(found)
    return None if is_undefined else found
