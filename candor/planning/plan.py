"""The plan of a question: precision, sample sizes, power and privacy."""

from dataclasses import replace
from typing import Any

from candor.dichotomies import one_against_the_rest
from candor.intervals import DEFAULT_CONFIDENCE_LEVEL, DEFAULT_METHOD
from candor.mechanisms import Mechanism
from candor.mechanisms.epsilon import compute_epsilon
from candor.mechanisms.mechanism import compute_total_ratio
from candor.planning.assumptions import assume, check_left_out, is_of_mean
from candor.planning.budget import Kind, advise_on_questions
from candor.planning.fieldwork import (
    Draw,
    find_needed_respondents,
    plan_clusters,
    plan_fieldwork,
)
from candor.planning.groups import compare, split_into_groups
from candor.planning.inputs import (
    DEFAULT_POWER,
    DEFAULT_PRIOR,
    DEFAULT_SHARE,
    INPUTS,
)
from candor.planning.margins import compare_families, plan_precision, plan_size
from candor.planning.power import (
    DEFAULT_ALPHA,
    Claim,
    check_errors,
    check_method,
    compute_test_level,
)
from candor.planning.privacy import (
    compute_posterior,
    compute_posterior_bounds,
    compute_shuffled_privacy,
    smallest_epsilon,
    standard_errors,
)
from candor.planning.results import Plan
from candor.poisoning import compute_forged_weight, compute_poisoning
from candor.validation import MAX_RESPONDENTS


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
    intra_class: float = 0.0,
    cluster_size: float = 1.0,
    response_rate: float = 1.0,
    with_shuffling: bool = True,
) -> Plan:
    """Return the plan of a question that estimates a share or the mean of a scale.

    Parameters
    ----------
    mechanism : Mechanism
        With two answers and two reports, or several answers that are treated equally:
        then the share is that of one answer. For a scale the mean is planned.
    estimand : str, optional
        "share" or "mean"; by default the mean for a scale, otherwise a share.
    share : float, optional
        Assumed share of the first answer, in [0, 1]; 1/2 by default.
    mean, sd : float, optional
        Mean and standard deviation of the answers on a scale, in points: in [0, K], and
        in [0, largest value that the mean allows]. By default all points are equally
        common.
    confidence_level : float
        In (0, 1); in [0.5, 1 - 1e-9] for a test without `alpha`.
    respondents : int, optional
        Planned number, in [1, 10**9].
    margin : float, optional
        Wanted margin of error: in [1e-6, 1), or for a mean, in points, in [1e-6 K, K).
    against : float, optional
        Bound beyond which the share is to be shown to lie, in [0, 1], not `share`.
    other_share : float, optional
        Assumed share of a second group, in [0, 1], not `share`.
    difference : float, optional
        Difference between the means of two groups around `mean`, in points, as for
        `group_sizes`.
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
    design_effect : float
        Design effect of weights, in [1, 100]. It affects only the fieldwork.
    response_rate : float
        Part of the people invited who respond, in (0, 1]. It affects only the
        fieldwork.
    intra_class, cluster_size : float
        Correlation of the answers within a cluster, in [0, 1], and respondents per
        cluster, in [1, 10**4]. Their design effect multiplies the one of weights.
    with_shuffling : bool
        Whether to compute the epsilon of the counts, which can take a second.

    Returns
    -------
    Plan

    Raises
    ------
    TypeError, ValueError
        If an argument has the wrong type or is out of its range.

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
    if of_mean:
        check_left_out("a mean", share=share, against=against, other_share=other_share)
    else:
        check_left_out("a share", mean=mean, sd=sd, difference=difference)
    if not isinstance(with_shuffling, bool):
        raise TypeError(f"with_shuffling must be True or False; got {with_shuffling!r}")
    known: dict[str, Any] = {"mean": mean, "sd": sd}
    known["share"] = DEFAULT_SHARE if share is None else share
    assumed = assume(
        mechanism, estimand=estimand, confidence_level=confidence_level, **known
    )
    count = INPUTS["questions"].check(questions)
    if respondents is not None:
        respondents = INPUTS["respondents"].check(respondents)
    if asked is not None:
        asked = INPUTS["asked"].check(asked, high=count)
    draw = Draw(questions=count, asked=asked or count, respondents=respondents)
    n, length = draw.reports, assumed.length
    prior, ratio = INPUTS["prior"].check(prior), INPUTS["ratio"].check(ratio)
    forged = INPUTS["forged"].check(forged, high=n or MAX_RESPONDENTS)
    design_effect = INPUTS["design_effect"].check(design_effect)
    # Randomisation is independent within a cluster; only the answers are correlated.
    answered = assumed.direct_variance / assumed.variance if assumed.variance else 1.0
    design_effect *= plan_clusters(
        intra_class=INPUTS["intra_class"].check(intra_class),
        cluster_size=INPUTS["cluster_size"].check(cluster_size),
        chance=float(draw.chance),
        answered=answered,
    )
    response_rate = INPUTS["response_rate"].check(response_rate)
    if margin is not None:
        margin = INPUTS["margin"].check(margin, length=length)
    method = check_method(method)
    is_compared = other_share is not None or difference is not None
    if alpha is None:
        # Without a test alpha is not used, and 1 - confidence_level may be too small.
        is_tested = is_compared or against is not None
        alpha = compute_test_level(confidence_level) if is_tested else DEFAULT_ALPHA
    alpha, power = check_errors(alpha=alpha, power=power)

    weight = compute_forged_weight(mechanism, of_mean=of_mean)
    # Basic composition, Dwork & Roth 2014, theorem 3.14: epsilons add.
    budget = compute_epsilon(compute_total_ratio([mechanism] * draw.asked))
    size, precision = plan_size(assumed, margin, draw), plan_precision(assumed, n)
    found: dict[str, Any] = {"margin": margin, "size": size, "precision": precision}
    if n is not None:
        found["poisoning"] = compute_poisoning(
            forged, weight=length * weight, respondents=n
        )
    if draw.asked < count:
        found["draw"] = draw
    safe, has_two = None, False
    if of_mean:
        posterior = compute_posterior_bounds(mechanism, prior)
        kind = Kind(answers=assumed.answers.points, scale=assumed.answers)
        found["alternatives"] = compare_families(assumed, margin, draw)
    else:
        table = one_against_the_rest(mechanism)
        has_two = table is mechanism
        posterior = compute_posterior(table, prior, of_one_answer=not has_two)
        kind = Kind(answers=len(mechanism.answers))
        if precision and n is not None:
            errors = standard_errors(assumed, respondents=n, epsilon=table.epsilon)
            found["precision"] = replace(precision, standard_errors=errors)
            if count == 1 and has_two and with_shuffling:
                found["shuffling"] = compute_shuffled_privacy(
                    assumed.channel, respondents=n, epsilon=table.epsilon
                )
            if margin is not None and has_two:
                found["smallest_epsilon"] = smallest_epsilon(
                    assumed, respondents=n, margin=margin
                )
        if against is not None:
            claim = Claim.of(
                table, share=assumed.part, against=against, alpha=alpha, method=method
            )
            found["sample_size"] = claim.sample_size(power)
            safe = found["sample_size"].safe
            if n is not None:
                found["test"] = claim.test(n)
    if is_compared:
        known |= {"other_share": other_share, "difference": difference}
        comparison = compare(mechanism, **known, alpha=alpha)
        found["groups"] = comparison.sizes(power=power, ratio=ratio)
        if n is not None and n > 1:
            sizes = split_into_groups(n, ratio)
            found["group_test"] = comparison.with_sizes(*sizes)
    # With a single question of several answers there is no budget to divide.
    if mechanism.is_protected and (has_two or count > 1):
        found["questions"] = advise_on_questions(
            draw, total_epsilon=budget, share=assumed.part, kind=kind
        )
    fieldwork = plan_fieldwork(
        design_effect=design_effect,
        response_rate=response_rate,
        respondents=respondents,
        margin=precision.margin if precision else None,
        size=size.respondents if size else None,
        sample_size=None
        if safe is None
        else find_needed_respondents(safe, draw.chance),
    )
    return Plan(
        mechanism=mechanism,
        assumed=assumed,
        posterior=posterior,
        total_epsilon=budget,
        forged_weight=float(weight),
        fieldwork=fieldwork,
        **found,
    )
