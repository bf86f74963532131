"""Everything a researcher should know before opening, of one question."""

import math
from dataclasses import asdict, dataclass
from typing import Any

from estimation.maths.checked import (
    CONFIDENCE_LEVEL,
    MARGIN,
    MAX_RESPONDENTS,
    SHARE,
    check_respondents,
    check_whole,
)
from estimation.maths.folds import one_against_the_rest
from estimation.maths.intervals import DEFAULT_CONFIDENCE_LEVEL
from estimation.maths.planning.budget import (
    MAX_QUESTIONS,
    QuestionAdvice,
    advise,
    total_epsilon,
)
from estimation.maths.planning.pile import PilePrivacy, pile_privacy
from estimation.maths.planning.power import (
    DEFAULT_ALPHA,
    DEFAULT_POWER,
    ExactTest,
    SampleSize,
    check_errors,
    exact_test,
    sample_size,
)
from estimation.maths.planning.precision import (
    MAX_EXACT_RESPONDENTS,
    expected_half_width,
    margin_of_error,
    respondents_needed,
)
from estimation.maths.planning.privacy_cost import (
    SmallestEpsilon,
    StandardErrors,
    cost_of_privacy,
    smallest_epsilon,
    standard_errors,
)
from estimation.maths.planning.reading import (
    DEFAULT_PRIOR,
    PosteriorReading,
    of_one_answer,
    read_posterior,
)
from estimation.maths.poisoning import Poisoning, forged_weight, reckon_poisoning
from surveys.mechanisms import Mechanism, build

DEFAULT_SHARE = 0.5
"""No other share needs more respondents under a symmetric table."""


@dataclass(frozen=True, kw_only=True)
class Precision:
    """What a planned number of respondents will bring.

    Attributes
    ----------
    respondents : int
    margin : float
        Half the width of the normal interval.
    expected_half_width : float or None
        Half the mean width of the exact interval that results will show; None above
        10**6 respondents, where it is the margin.
    direct_margin : float
        The margin of as many honest answers to a direct question.
    standard_errors : StandardErrors
    """

    respondents: int
    margin: float
    expected_half_width: float | None
    direct_margin: float
    standard_errors: StandardErrors


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
class Plan:
    """The figures of one question; parts that were not asked for are None.

    Attributes
    ----------
    mechanism : Mechanism
        Of several answers, all figures but `mechanism`, `total_epsilon` and
        `forged_weight` are those of one answer against the rest.
    share, confidence_level : float
        Assumed share of the first answer, and level of all margins.
    cost_of_privacy : float
        How many times the respondents of a direct question are needed.
    reading : PosteriorReading
        Of several answers only the report of the answer itself: what another report
        tells depends on which answers are suspected. Its bounds hold for all.
    total_epsilon : float
        Of all questions together.
    questions : QuestionAdvice or None
        How to share out that epsilon; None where it has no bound, and for several
        answers.
    forged_weight : float
        By how many respondents one forged report counts.
    precision, poisoning, pile : Precision, Poisoning, PilePrivacy or None
        For a number of respondents; the pile only for one question of two answers,
        because the reports of several stay together.
    size : Size or None
        For a margin.
    smallest_epsilon : SmallestEpsilon or None
        For both, where there are two answers.
    sample_size, test : SampleSize, ExactTest or None
        For a bound to be refuted; the test also needs a number of respondents.
    """

    mechanism: Mechanism
    share: float
    confidence_level: float
    cost_of_privacy: float
    reading: PosteriorReading
    total_epsilon: float
    questions: QuestionAdvice | None
    forged_weight: float
    precision: Precision | None
    poisoning: Poisoning | None
    pile: PilePrivacy | None
    size: Size | None
    smallest_epsilon: SmallestEpsilon | None
    sample_size: SampleSize | None
    test: ExactTest | None


def make_plan(
    mechanism: Mechanism,
    *,
    share: float = DEFAULT_SHARE,
    confidence_level: float = DEFAULT_CONFIDENCE_LEVEL,
    respondents: int | None = None,
    margin: float | None = None,
    against: float | None = None,
    power: float = DEFAULT_POWER,
    alpha: float = DEFAULT_ALPHA,
    prior: float = DEFAULT_PRIOR,
    questions: int = 1,
    forged: int = 1,
    with_pile: bool = True,
) -> Plan:
    """Return the figures of a question.

    Parameters
    ----------
    mechanism : Mechanism
        Two answers and two reports, or several answers that are treated alike: then
        of one answer against the rest.
    share : float
        Assumed share of the first answer, in [0, 1].
    confidence_level : float
        In (0, 1).
    respondents : int, optional
        Planned number, in [1, 10**9].
    margin : float, optional
        Wanted margin of error, in [1e-6, 1).
    against : float, optional
        Bound that the survey shall refute, in [0, 1], not `share`.
    power, alpha : float
        Of that test: in (alpha, 1) and [1e-9, 0.5].
    prior : float
        What somebody suspects of a respondent, in [0, 1].
    questions : int
        How many such questions each respondent is asked, in [1, 200].
    forged : int
        Forged reports to be reckoned with, in [0, respondents]; without respondents
        it is not used.
    with_pile : bool
        Whether the pile is looked at, which can take a second.

    Raises
    ------
    TypeError, ValueError
        For a bad argument, naming it, its range and the value.
    """
    count = check_whole("questions", questions, low=1, high=MAX_QUESTIONS)
    share = SHARE.check("share", share)
    level = CONFIDENCE_LEVEL.check("confidence_level", confidence_level)
    alpha, power = check_errors(alpha=alpha, power=power)
    check_whole("forged", forged, low=0, high=MAX_RESPONDENTS)
    assumed = {"share": share, "confidence_level": level}
    table = one_against_the_rest(mechanism)
    has_two = table is mechanism
    reading = read_posterior(table, prior=prior)
    precision = poisoning = pile = size = smallest = needed = test = None
    if respondents is not None:
        respondents = check_respondents(respondents)
        precision = _precision(table, respondents=respondents, **assumed)
        poisoning = reckon_poisoning(mechanism, forged=forged, respondents=respondents)
        if count == 1 and has_two and with_pile:
            pile = pile_privacy(mechanism, respondents=respondents)
    if margin is not None:
        size = _size(table, margin=MARGIN.check("margin", margin), **assumed)
    if respondents is not None and margin is not None and has_two:
        smallest = smallest_epsilon(respondents=respondents, margin=margin, **assumed)
    if against is not None:
        bound = {"share": share, "against": against, "alpha": alpha}
        needed = sample_size(table, power=power, **bound)
        if respondents is not None:
            test = exact_test(table, respondents=respondents, **bound)
    return Plan(
        mechanism=mechanism,
        **assumed,
        cost_of_privacy=cost_of_privacy(table, share=share),
        reading=reading if has_two else of_one_answer(reading),
        total_epsilon=total_epsilon([mechanism] * count),
        questions=_questions(mechanism, questions=count, share=share)
        if has_two
        else None,
        forged_weight=float(forged_weight(mechanism)),
        precision=precision,
        poisoning=poisoning,
        pile=pile,
        size=size,
        smallest_epsilon=smallest,
        sample_size=needed,
        test=test,
    )


def plan_as_object(plan: Plan) -> dict[str, Any]:
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


def _precision(
    mechanism: Mechanism, *, respondents: int, share: float, confidence_level: float
) -> Precision:
    planned = {"share": share, "confidence_level": confidence_level}
    margin = margin_of_error(mechanism, respondents=respondents, **planned)
    is_exact = respondents <= MAX_EXACT_RESPONDENTS
    return Precision(
        respondents=respondents,
        margin=margin,
        expected_half_width=expected_half_width(
            mechanism, respondents=respondents, **planned
        )
        if is_exact
        else None,
        direct_margin=margin_of_error(
            build("direct"), respondents=respondents, **planned
        ),
        standard_errors=standard_errors(
            mechanism, respondents=respondents, share=share
        ),
    )


def _size(
    mechanism: Mechanism, *, margin: float, share: float, confidence_level: float
) -> Size:
    wanted = {"margin": margin, "share": share, "confidence_level": confidence_level}
    return Size(
        margin=margin,
        respondents=respondents_needed(mechanism, **wanted),
        direct_respondents=respondents_needed(build("direct"), **wanted),
    )


def _questions(
    mechanism: Mechanism, *, questions: int, share: float
) -> QuestionAdvice | None:
    budget = total_epsilon([mechanism] * questions)
    if not mechanism.is_protected:
        return None
    return advise(questions=questions, total_epsilon=budget, share=share)
