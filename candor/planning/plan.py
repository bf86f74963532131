"""Everything that a researcher should know of a question before the survey opens."""

from dataclasses import replace

from candor.dichotomies import one_against_the_rest
from candor.intervals import DEFAULT_CONFIDENCE_LEVEL, DEFAULT_METHOD
from candor.mechanisms import Mechanism
from candor.mechanisms.composition import MAX_QUESTIONS
from candor.planning.assumptions import (
    DEFAULT_SHARE,
    AssumedMean,
    AssumedShare,
    assume,
    is_of_mean,
)
from candor.planning.budget import Kind, advise_on_questions, total_epsilon
from candor.planning.fieldwork import (
    DESIGN_EFFECT,
    RESPONSE_RATE,
    Draw,
    plan_fieldwork,
)
from candor.planning.groups import RATIO, compare, split_into_groups
from candor.planning.margins import MAX_EXACT_RESPONDENTS, expect_half_width
from candor.planning.posterior import DEFAULT_PRIOR, posterior_bounds, posterior_of
from candor.planning.power import (
    DEFAULT_ALPHA,
    DEFAULT_POWER,
    Claim,
    check_errors,
    check_method,
    level_of_test,
)
from candor.planning.privacy_cost import smallest_epsilon, standard_errors
from candor.planning.results import Alternative, Plan, Precision, Size
from candor.planning.shuffling import shuffled_privacy
from candor.poisoning import poisoning_by, weight_of_forged
from candor.validation import (
    MARGIN,
    MAX_RESPONDENTS,
    SHARE,
    Range,
    check_respondents,
    check_whole,
)


def plan(
    mechanism: Mechanism,
    *,
    estimand: str | None = None,
    share: float | None = None,
    mean: float | None = None,
    sd: float | None = None,
    confidence_level: float = DEFAULT_CONFIDENCE_LEVEL,
    respondents: int | None = None,
    margin: float | None = None,
    against: float | None = None,
    other_share: float | None = None,
    difference: float | None = None,
    ratio: float = 1.0,
    power: float = DEFAULT_POWER,
    alpha: float | None = None,
    method: str = DEFAULT_METHOD,
    prior: float = DEFAULT_PRIOR,
    questions: int = 1,
    asked: int | None = None,
    forged: int = 1,
    design_effect: float = 1.0,
    response_rate: float = 1.0,
    with_shuffling: bool = True,
) -> Plan:
    """Return the figures of a question: of a share, or of the mean of a scale.

    Parameters
    ----------
    mechanism : Mechanism
        With two answers and two reports, or several answers that are treated alike:
        then the share is that of one answer. Of a scale the mean is planned.
    estimand : str, optional
        "share" or "mean": the mean of a scale and else a share by default.
    share : float, optional
        Assumed share of the first answer, in [0, 1]; 1/2 by default.
    mean, sd : float, optional
        Mean and standard deviation of the answers on a scale, in points: in [0, K], and
        in [0, largest that the mean allows]. By default all points are equally common.
    confidence_level : float
        In (0, 1).
    respondents : int, optional
        Planned number, in [1, 10**9].
    margin : float, optional
        Wanted margin of error: in [1e-6, 1), or of a mean in points, in [1e-6 K, K).
    against : float, optional
        Bound that the share is to be shown to lie beyond, in [0, 1], not `share`.
    other_share : float, optional
        Assumed share of a second group, in [0, 1], not `share`.
    difference : float, optional
        Between the means of two groups around `mean`, in points, as for `group_sizes`.
    ratio : float
        Respondents in the second group for each in the first, in [0.01, 100].
    power : float
        Wanted power of the tests, in (alpha, 1).
    alpha : float, optional
        Level of the tests, in [1e-9, 0.5]; 1 - `confidence_level` by default.
    method : str
        Test of the bound, as for `sample_size`.
    prior : float
        Probability of the first answer to an observer before the report, in [0, 1].
    questions : int
        Number of such questions, in [1, 200].
    asked : int, optional
        How many of them, drawn at random, each respondent is asked, in [1, questions];
        all by default.
    forged : int
        Forged reports among those to this question, 0 or more.
    design_effect, response_rate : float
        Of weights, in [1, 100], and of the people invited, in (0, 1]. Only the
        fieldwork depends on them.
    with_shuffling : bool
        Whether to compute the epsilon of the counts, which can take a second.

    Returns
    -------
    Plan

    Raises
    ------
    TypeError, ValueError
        For an argument of the wrong type, or out of its range.

    Examples
    --------
    Two coins, a trait of one in ten, 1,000 respondents, a wanted margin of five points:

    >>> import candor
    >>> build = candor.mechanisms.build
    >>> coin = candor.plan(build("coin"), share=0.1, respondents=1000, margin=0.05)
    >>> print(f"{coin.precision.margin:.4f}, {coin.size.respondents}")
    0.0568, 1291

    The mean of a scale from 0 to 10 at epsilon 1:

    >>> scale = candor.plan(build("one_bit", epsilon=1, points=11), respondents=1000)
    >>> print(f"{scale.precision.margin:.2f}")
    0.67
    """
    of_mean = is_of_mean(mechanism, estimand)
    only_share = {"share": share, "against": against, "other_share": other_share}
    only_mean = {"mean": mean, "sd": sd, "difference": difference}
    for name, value in (only_share if of_mean else only_mean).items():
        if value is not None:
            planned = "a mean" if of_mean else "a share"
            raise ValueError(f"{name} must be left out of {planned}; got {value!r}")
    assumed = assume(
        mechanism,
        estimand=estimand,
        share=DEFAULT_SHARE if share is None else share,
        mean=mean,
        sd=sd,
        confidence_level=confidence_level,
    )
    all_planned = None if respondents is None else check_respondents(respondents)
    count = check_whole("questions", questions, low=1, high=MAX_QUESTIONS)
    if asked is not None:
        asked = check_whole("asked", asked, low=1, high=count)
    draw = Draw(questions=count, asked=asked or count, respondents=all_planned)
    n, length = draw.reports, assumed.length
    prior = SHARE.check("prior", prior)
    forged = check_whole("forged", forged, low=0, high=n or MAX_RESPONDENTS)
    design_effect = DESIGN_EFFECT.check("design_effect", design_effect)
    response_rate = RESPONSE_RATE.check("response_rate", response_rate)
    if margin is not None:
        margin = Range(
            low=MARGIN.low * length,
            high=length,
            open_high=True,
            example=f"{length / 20:g}",
        ).check("margin", margin)
    method, ratio = check_method(method), RATIO.check("ratio", ratio)
    is_compared = other_share is not None or difference is not None
    if alpha is None:
        # Without a test nothing depends on it, and a level may be too low for one.
        is_tested = is_compared or against is not None
        alpha = level_of_test(confidence_level) if is_tested else DEFAULT_ALPHA
    alpha, power = check_errors(alpha=alpha, power=power)

    weight = weight_of_forged(mechanism, of_mean=of_mean)
    precision = poisoning = shuffling = smallest = sample = test = None
    if n is not None:
        poisoning = poisoning_by(forged, weight=length * weight, respondents=n)
        precision = Precision(
            respondents=n,
            margin=length * assumed.margins.margin(n),
            direct_margin=length * assumed.direct_margins.margin(n),
        )
    size = _size(assumed, margin, draw)
    has_two = False
    if isinstance(assumed, AssumedShare):
        table = one_against_the_rest(mechanism)
        has_two = table is mechanism
        posterior = posterior_of(table, prior, of_one_answer=not has_two)
        kind, part = Kind(answers=len(mechanism.answers)), assumed.share
        if precision and n is not None:
            precision = _precision_of_share(precision, assumed, table)
            if count == 1 and has_two and with_shuffling:
                shuffling = shuffled_privacy(
                    assumed.channel, respondents=n, epsilon=table.epsilon
                )
            if margin is not None and has_two:
                smallest = smallest_epsilon(assumed, respondents=n, margin=margin)
        if against is not None:
            claim = Claim.of(table, share=assumed.share, against=against)
            sample = claim.sample_size(alpha=alpha, power=power, method=method)
            if n is not None:
                test = claim.test(n, alpha=alpha, method=method)
    else:
        posterior = posterior_bounds(mechanism, prior)
        answers = assumed.answers
        kind = Kind(answers=answers.points, scale=answers)
        part = answers.mean / length
    groups = group_test = None
    if is_compared:
        comparison = compare(
            mechanism,
            share=DEFAULT_SHARE if share is None else share,
            other_share=other_share,
            difference=difference,
            mean=mean,
            sd=sd,
            alpha=alpha,
        )
        groups = comparison.sizes(power=power, ratio=ratio)
        if n is not None and n > 1:
            group_test = comparison.with_sizes(*split_into_groups(n, ratio))
    budget, advice = total_epsilon([mechanism] * draw.asked), None
    # One of several answers alone has nothing to divide the budget among.
    if mechanism.is_protected and (has_two or count > 1):
        advice = advise_on_questions(draw, total_epsilon=budget, share=part, kind=kind)
    safe = sample.safe if sample else None
    return Plan(
        mechanism=mechanism,
        assumed=assumed,
        posterior=posterior,
        total_epsilon=budget,
        draw=draw if draw.asked < draw.questions else None,
        questions=advice,
        forged_weight=float(weight),
        precision=precision,
        poisoning=poisoning,
        shuffling=shuffling,
        margin=margin,
        size=size,
        smallest_epsilon=smallest,
        sample_size=sample,
        test=test,
        fieldwork=plan_fieldwork(
            design_effect=design_effect,
            response_rate=response_rate,
            respondents=all_planned,
            margin=precision.margin if precision else None,
            size=size.respondents if size else None,
            sample_size=None if safe is None else draw.respondents_for(safe),
        ),
        groups=groups,
        group_test=group_test,
        alternatives=_alternatives(assumed, margin, draw),
    )


def _precision_of_share(
    found: Precision, assumed: AssumedShare, table: Mechanism
) -> Precision:
    n = found.respondents
    is_exact = n <= MAX_EXACT_RESPONDENTS
    return replace(
        found,
        expected_half_width=expect_half_width(assumed, n) if is_exact else None,
        standard_errors=standard_errors(assumed, respondents=n, epsilon=table.epsilon),
    )


def _size(
    assumed: AssumedShare | AssumedMean, margin: float | None, draw: Draw
) -> Size | None:
    if margin is None:
        return None
    part = margin / assumed.length
    needed = assumed.margins.needed(part)
    if isinstance(assumed, AssumedMean) and needed > MAX_RESPONDENTS:
        return None
    return Size(
        margin=margin,
        respondents=draw.respondents_for(needed),
        direct_respondents=draw.respondents_for(assumed.direct_margins.needed(part)),
    )


def _alternatives(
    assumed: AssumedShare | AssumedMean, margin: float | None, draw: Draw
) -> tuple[Alternative, ...]:
    if not isinstance(assumed, AssumedMean):
        return ()
    length, found = assumed.length, []
    for family, variance in assumed.variances.items():
        margins = assumed.margins_by(family)
        needed = None if margin is None else margins.needed(margin / length)
        found.append(
            Alternative(
                family=family,
                variance=variance * length**2,
                margin=None if draw.reports is None
                else length * margins.margin(draw.reports),
                respondents=None if needed is None or needed > MAX_RESPONDENTS
                else draw.respondents_for(needed),
            )
        )  # fmt: skip
    return tuple(found)
