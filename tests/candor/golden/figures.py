"""The figures of the mathematics by name: the one place that knows its interface.

Every function takes plain JSON and returns {name: number, text, truth or None}. Where
the interface of the mathematics changes, this file follows, and the names stay.

A mechanism is given as {"family": name, parameter: value, ...}, or as {"weights": rows}
for a table that no family makes. Counts are in the order of its reports.
"""

import dataclasses
import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from random import Random  # noqa: TID251 - seeded, so that it repeats
from typing import Any

import numpy as np

from candor.binary import BinaryChannel
from candor.census import census_interval
from candor.dichotomies import dichotomy_of_answer, make_channel
from candor.differences import Difference
from candor.estimands import Estimand, mean_of_points, scores
from candor.homogeneity import exact_test, holm, independence_test
from candor.intervals import share_interval
from candor.joint import JointSample
from candor.latent_groups import LatentPair, latent_differences
from candor.mechanisms import Mechanism, build, load_families
from candor.mechanisms.composition import compose
from candor.mechanisms.draws import DrawnGroup, compute_chance, draw_asked
from candor.mechanisms.epsilon import epsilon_rounded_up
from candor.mechanisms.odds import (
    classify_exposure,
    guess_probability,
    largest_shift,
    most_revealing_report,
    tabulate_odds,
    times_rounded_up,
)
from candor.mechanisms.randomness import shuffle
from candor.mechanisms.sampling import settled_by_byte
from candor.mechanisms.scale import Scale
from candor.one_sided import one_sided_p_value
from candor.planning.assumptions import (
    assume,
    assume_share,
)
from candor.planning.budget import advise_on_questions
from candor.planning.fieldwork import Draw
from candor.planning.groups import compare, group_sizes
from candor.planning.margins import (
    estimate_for_margin,
    expect_half_width,
    margin_achieved,
    margin_curve,
    margin_of_error,
    margins_at,
)
from candor.planning.plan import plan
from candor.planning.power import ONE_SIDED, Claim, sample_size
from candor.planning.privacy import (
    compute_posterior,
    direct_half_width,
    direct_respondents,
    shuffled_privacy,
    smallest_epsilon,
    standard_errors,
)
from candor.poisoning import (
    forged_weight,
    forgery_proof_interval,
    poisoning_by,
)
from candor.profile_likelihood import PairShare
from candor.regression.fit import LogisticFit, fit_logistic
from candor.regression.patterns import Scrambled
from candor.releases.counts import (
    interval_of_count,
    release,
    sensitivity_of_histogram,
)
from candor.releases.noise import (
    DiscreteGaussian,
    DiscreteLaplace,
    Noise,
    summed,
)
from candor.releases.shares import (
    TookPart,
    error_with_noise,
    released_design_fit,
    released_intervals,
    released_p_value,
    respondents_between,
)
from candor.sample import Sample
from candor.sampler_audit import least_epsilon, row_fit
from candor.weighting import Sums, keyed, weigh
from candor.weighting.sample import WeightedSample
from tests.candor.tables import covariance_of

Figures = dict[str, Any]
Spec = Mapping[str, Any]

KINDS: dict[str, Callable[..., Figures]] = {}
"""Every kind of figure by name."""


def kind(function: Callable[..., Any]) -> Callable[..., Figures]:
    """Register a function under its name without `_figures`, its result made flat."""

    def figures(**arguments: Any) -> Figures:
        return flat(function(**arguments))

    KINDS[function.__name__.removesuffix("_figures")] = figures
    return figures


def flat(found: Any, name: str = "") -> Figures:
    """Return nested results as {dotted name: plain value}."""
    if dataclasses.is_dataclass(found) and not isinstance(found, type):
        parts: Any = [
            (each.name, getattr(found, each.name)) for each in dataclasses.fields(found)
        ]
    elif isinstance(found, Mapping):
        parts = found.items()
    elif isinstance(found, np.ndarray):
        return flat(found.tolist(), name)
    elif isinstance(found, list | tuple):
        parts = enumerate(found)
    else:
        return {name: plain(found)}
    figures: Figures = {}
    for key, value in parts:
        figures |= flat(value, f"{name}.{key}" if name else str(key))
    return figures


def plain(value: Any) -> Any:
    """Return one value as JSON has it: exact numbers as text."""
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, Fraction | Decimal):
        return str(value)
    if isinstance(value, Enum):
        return value.value
    return value


def mechanism_of(spec: Spec) -> Mechanism:
    """Return the mechanism that a case describes."""
    if "weights" not in spec:
        rest = {name: value for name, value in spec.items() if name != "family"}
        return build(spec["family"], **rest)
    weights = tuple(map(tuple, spec["weights"]))
    return Mechanism(
        family="custom",
        parameters={},
        answers=tuple(f"a{row}" for row in range(len(weights))),
        reports=tuple(f"r{column}" for column in range(len(weights[0]))),
        weights=weights,
    )


def picked(found: object, names: str) -> Figures:
    return {name: getattr(found, name) for name in names.split()}


def tally_of(mechanism: Mechanism, counts: Sequence[int]) -> dict[str, int]:
    return dict(zip(mechanism.reports, counts, strict=True))


def sample_of(mechanism: Mechanism, counts: Sequence[int]) -> Sample:
    return Sample.of(mechanism, tally_of(mechanism, counts))


def spread_error(sample: Sample | WeightedSample, estimand: Estimand | str) -> float:
    """Return the standard error, 0 where all reports are the same.

    That is what was recorded; now the error is that of a share half a report inside,
    which `tests/candor/test_sample.py` holds.
    """
    error = sample.standard_error(estimand)
    is_plug_in = math.isnan(error) or not sample.is_identical(estimand)
    return error if is_plug_in else 0.0


def table_of(law: Sequence[float]) -> Mechanism:
    """Return the table of two answers with these probabilities of "yes"."""
    parts = [Fraction(each).limit_denominator(10_000) for each in law]
    total = math.lcm(*(each.denominator for each in parts))
    rows = [(int(each * total), int((1 - each) * total)) for each in parts]
    return Mechanism(
        family="custom",
        parameters={},
        answers=("yes", "no"),
        reports=("yes", "no"),
        weights=tuple(rows),
    )


def law_from(law: Sequence[float]) -> BinaryChannel:
    given_yes, given_no = law
    return BinaryChannel(p_yes_given_yes=given_yes, p_yes_given_no=given_no)


# Mechanisms


@kind
def mechanism_figures(mechanism: Spec) -> Figures:
    made = mechanism_of(mechanism)
    weights, ratio = made.weights, made.worst_ratio
    odds = tabulate_odds(weights)
    numerators, denominator = scores(
        weights, *([] if made.tells_shares else [mean_of_points(len(made.answers))])
    )
    hand = None
    if "family" in mechanism:
        rest = {name: value for name, value in mechanism.items() if name != "family"}
        hand = load_families()[mechanism["family"]].instruction(rest)
    places = range(len(weights))
    return {
        "answers": " ".join(made.answers),
        "reports": " ".join(made.reports),
        "parameters": " ".join(f"{k}={v}" for k, v in made.parameters.items()),
        "weights": "; ".join(" ".join(map(str, row)) for row in weights),
        "total": made.total,
        "epsilon": made.epsilon,
        "worst_ratio": str(ratio),
        "epsilon_shown": epsilon_rounded_up(ratio),
        "ratio_shown": None if ratio is None else times_rounded_up(ratio),
        "is_protected": made.is_protected,
        "is_scrambled": made.is_scrambled,
        "tells_shares": made.tells_shares,
        "proofs": " ".join(f"{k}={v}" for k, v in made.proofs.items()),
        "odds.base": odds.base,
        "odds.counts": "; ".join(" ".join(map(str, row)) for row in odds.counts),
        "exposure": classify_exposure(weights),
        "read_off": guess_probability(weights),
        "most_telling": " ".join(str(most_revealing_report(p, weights)) for p in places)
        if made.is_protected
        else None,
        "shift_towards": " ".join(str(largest_shift(p, weights)) for p in places)
        if made.is_protected
        else None,
        "scores": "; ".join(" ".join(map(str, row)) for row in numerators.tolist()),
        "scores.denominator": denominator,
        "by_hand.device": hand and hand.device,
        "by_hand.outcomes": hand and len(hand.outcomes),
        "by_hand.values": hand and " ".join(f"{k}={v}" for k, v in hand.values.items()),
    }


@kind
def draw_figures(mechanism: Spec, words: Sequence[int]) -> Figures:
    made, given = mechanism_of(mechanism), itertools.cycle(words)
    sent = [made.randomise(answer, lambda: next(given)) for answer in made.answers * 3]
    answers = np.arange(3 * len(made.answers)) % len(made.answers)
    first = np.array(
        [word % 256 for word in itertools.islice(given, len(answers))], dtype=np.uint8
    )

    def draw(count: int) -> Any:
        return np.array([next(given) for _ in range(count)], dtype=np.uint32)

    settled = settled_by_byte(made.weights, answers, first, draw)
    return {
        "reports": " ".join(sent),
        "many": " ".join(map(str, settled.tolist())),
    }


@kind
def order_figures(
    words: Sequence[int], count: int, groups: Sequence[Sequence[Any]]
) -> Figures:
    """Which questions are asked, and a shuffled order, from given words."""
    given = itertools.cycle(words)
    drawn = [
        DrawnGroup(asked=asked, questions=tuple(questions))
        for asked, questions in groups
    ]
    asked = draw_asked(count, drawn, lambda: next(given))
    items = list(range(count))
    shuffle(items, lambda: next(given))
    return {
        "asked": " ".join(str(int(each)) for each in asked),
        "order": " ".join(map(str, items)),
        "chances": " ".join(str(compute_chance(n + 1, drawn)) for n in range(count)),
    }


@kind
def together_figures(
    mechanisms: Sequence[Spec], groups: Sequence[Sequence[Any]], prior: str
) -> Figures:
    drawn = [
        DrawnGroup(asked=asked, questions=tuple(questions))
        for asked, questions in groups
    ]
    found = compose([mechanism_of(each) for each in mechanisms], drawn)
    return {
        "ratio": str(found.ratio),
        "epsilon": found.epsilon,
        "scrambled": " ".join(map(str, found.scrambled)),
        "unscrambled": " ".join(map(str, found.unscrambled)),
        "suspicion": found.posterior(Fraction(prior)),
    }


@kind
def scale_figures(low: str, high: str, points: int, part: float) -> Figures:
    scale = Scale.of({"low": low, "high": high}, points)
    values = " ".join(map(str, scale.values))
    return {"step": scale.step, "values": values, "at": scale.at(part)}


@kind
def audit_figures(weights: Sequence[int], counts: Sequence[Sequence[int]]) -> Figures:
    return {
        "least_epsilon": least_epsilon(counts),
        "row_fit": row_fit(weights, counts[0]),
    }


# Shares


@kind
def share_figures(
    mechanism: Spec, counts: Sequence[int], level: float, method: str
) -> Figures:
    made = mechanism_of(mechanism)
    found = sample_of(made, counts)
    places = np.triu_indices(len(made.answers))
    return {
        "respondents": found.n,
        "raw": list(found.raw_shares.values()),
        "shares": list(found.shares.values()),
        "errors": [spread_error(found, each) for each in made.answers],
        "covariance": covariance_of(found)[places] if len(made.answers) < 5 else None,
        "design_fit": found.design_fit,
        "interval": [found.interval(each, level, method) for each in made.answers],
    }


@kind
def unfolded_figures(mechanism: Spec, counts: Sequence[int]) -> Figures:
    """Shares of a table whose answers have no dichotomy."""
    made = mechanism_of(mechanism)
    found = sample_of(made, counts)
    return {
        "raw": list(found.raw_shares.values()),
        "shares": list(found.shares.values()),
        "errors": [spread_error(found, each) for each in made.answers],
        "design_fit": found.design_fit,
    }


@kind
def target_figures(
    mechanism: Spec,
    counts: Sequence[int],
    coefficients: Sequence[int],
    level: float,
    method: str,
) -> Figures:
    found = sample_of(mechanism_of(mechanism), counts)
    estimand = Estimand(tuple(coefficients))
    return {
        "raw": found.raw(estimand),
        "standard_error": spread_error(found, estimand),
        "interval": found.interval(estimand, level, method),
    }


@kind
def bounds_figures(
    mechanism: Spec, counts: Sequence[int], level: float, method: str
) -> Figures:
    """Bounds of each share had nobody given the last answer, which declines."""
    made = mechanism_of(mechanism)
    found = sample_of(made, counts)
    *others, declined = made.answers
    return {"bounds": [found.bounds(each, declined, level, method) for each in others]}


@kind
def interval_figures(
    yes: int, respondents: int, law: Sequence[float], level: float, method: str
) -> Figures:
    design = law_from(law).design(respondents)
    found = share_interval(yes, design, confidence_level=level, method=method)
    return {"low": found.low, "high": found.high}


@kind
def one_sided_test_figures(
    yes: int, respondents: int, law: Sequence[float], bound: float, method: str
) -> Figures:
    counts = {"yes": yes, "no": respondents - yes}
    return {
        name: one_sided_p_value(
            table_of(law), counts, bound=bound, is_above=is_above, method=method
        )
        for name, is_above in (("above", True), ("below", False))
    }


@kind
def census_figures(
    counted: int, respondents: int, law: Sequence[float], level: float
) -> Figures:
    counts = {"yes": counted, "no": respondents - counted}
    found = census_interval(table_of(law), counts, confidence_level=level)
    return {
        "respondents": found.n,
        "low": found.low,
        "high": found.high,
        "likeliest": found.estimate,
    }


@kind
def forgery_figures(
    counted: int,
    respondents: int,
    law: Sequence[float],
    forged: int,
    level: float,
    method: str,
) -> Figures:
    found = forgery_proof_interval(
        table_of(law),
        {"yes": counted, "no": respondents - counted},
        forged=forged,
        confidence_level=level,
        method=method,
    )
    return {"low": found.low, "high": found.high}


@kind
def forger_figures(mechanism: Spec, forged: int, respondents: int) -> Figures:
    made = mechanism_of(mechanism)
    weight = forged_weight(made)
    found = poisoning_by(forged, weight=weight, respondents=respondents)
    return {"weight": weight, "radius": found.radius}


@kind
def difference_figures(
    mechanisms: Sequence[Spec], counts: Sequence[Sequence[int]], level: float
) -> Figures:
    tables = [mechanism_of(each) for each in mechanisms]
    groups = map(sample_of, tables, counts)
    first = Estimand.make_share(0, answers=len(tables[0].answers))
    found = Difference(*groups, first, level)
    return picked(found, "estimate raw standard_error low high p_value is_exact ratio")


# Means


@kind
def mean_figures(
    mechanism: Spec, counts: Sequence[int], level: float, method: str
) -> Figures:
    made = mechanism_of(mechanism)
    found, mean = sample_of(made, counts), mean_of_points(len(made.answers))
    return {
        "respondents": found.n,
        "raw": found.raw(mean),
        "estimate": found.estimate(mean),
        "standard_error": spread_error(found, mean),
        "design_fit": found.design_fit,
        "method": found.method(mean, method),
        "interval": found.interval(mean, level, method),
    }


@kind
def mean_difference_figures(
    mechanisms: Sequence[Spec], counts: Sequence[Sequence[int]], level: float
) -> Figures:
    tables = [mechanism_of(each) for each in mechanisms]
    groups = map(sample_of, tables, counts)
    found = Difference(*groups, mean_of_points(len(tables[0].answers)), level)
    return picked(found, "method estimate raw standard_error low high p_value is_exact")


# Two questions together


def joint_of(mechanisms: Sequence[Spec], counts: Sequence[Sequence[int]]) -> Any:
    first, second = map(mechanism_of, mechanisms)
    tally = {
        (one, other): count
        for one, row in zip(first.reports, counts, strict=True)
        for other, count in zip(second.reports, row, strict=True)
    }
    return JointSample.of(first, second, tally)


@kind
def joint_figures(
    mechanisms: Sequence[Spec], counts: Sequence[Sequence[int]]
) -> Figures:
    found = joint_of(mechanisms, counts)
    return {
        "respondents": found.n,
        "raw": found.raw,
        "errors": found.standard_errors,
        **picked(found, "shares within independence is_tested_exactly"),
    }


@kind
def joint_interval_figures(
    mechanisms: Sequence[Spec],
    counts: Sequence[Sequence[int]],
    level: float,
    method: str,
) -> Figures:
    found = joint_of(mechanisms, counts)
    return {
        target.name.lower(): dict(
            zip(("low", "high"), found.intervals(target, level, method), strict=True)
        )
        for target in PairShare
    }


@kind
def hidden_difference_figures(
    mechanisms: Sequence[Spec],
    counts: Sequence[Sequence[int]],
    pairs: Sequence[Sequence[int]],
    level: float,
) -> Figures:
    found = latent_differences(
        joint_of(mechanisms, counts),
        [LatentPair(*pair) for pair in pairs],
        confidence_level=level,
    )
    return {str(place): each._asdict() for place, each in enumerate(found)}


# Weights


def of_weighted(
    made: Mechanism, found: WeightedSample, level: float, method: str
) -> Figures:
    figures: Figures = {
        "respondents": found.n,
        "effective": found.effective_n,
        "design_effect": found.design_effect,
        "largest_weight": found.largest_weight,
        "has_run_away": found.has_extreme_weight,
    }
    mean = mean_of_points(len(made.answers))
    if made.tells_shares:
        figures |= {
            "raw": list(found.raw_shares.values()),
            "shares": list(found.shares.values()),
            "errors": [spread_error(found, each) for each in made.answers],
        }
    else:
        # As parts of the scale, as they were recorded.
        raw, part = found.raw(mean) / mean.span, found.estimate(mean) / mean.span
        figures |= {
            "raw": [raw, 1 - raw],
            "shares": [part, 1 - part],
            "errors": [spread_error(found, mean) / mean.span] * 2,
        }
    if made.family in ("one_bit", "grid"):
        return figures | {
            "mean.raw": found.raw(mean),
            "mean.likeliest": found.estimate(mean),
            "mean.error": spread_error(found, mean),
            "mean.method": found.method(mean, method),
            "mean.interval": found.interval(mean, level, method),
        }
    return figures | {
        "interval": [found.interval(each, level, method) for each in made.answers]
    }


@kind
def weighted_figures(
    mechanism: Spec, weights: Sequence[Sequence[float]], level: float, method: str
) -> Figures:
    """`weights` are those of the respondents who sent each report."""
    made = mechanism_of(mechanism)
    sums = {
        report: Sums.of(each)
        for report, each in zip(made.reports, weights, strict=True)
        if each
    }
    return of_weighted(made, weigh(made, keyed(sums), []), level, method)


@kind
def post_stratified_figures(
    mechanism: Spec,
    counts: Sequence[Sequence[int]],
    shares: Sequence[float],
    level: float,
    method: str,
) -> Figures:
    """`counts` are those of each group, as are `shares`."""
    made = mechanism_of(mechanism)
    given = {
        (group, report): count
        for group, row in enumerate(counts)
        for report, count in zip(made.reports, row, strict=True)
    }
    found = weigh(made, given, [dict(enumerate(shares))])
    return of_weighted(made, found, level, method)


@kind
def raked_figures(
    mechanism: Spec,
    counts: Sequence[Sequence[Sequence[int]]],
    margins: Sequence[Sequence[float]],
    level: float,
    method: str,
) -> Figures:
    """`counts` are those of each group of the first margin and of the second."""
    made = mechanism_of(mechanism)
    given = {
        (one, other, report): count
        for one, rows in enumerate(counts)
        for other, row in enumerate(rows)
        for report, count in zip(made.reports, row, strict=True)
    }
    found = weigh(made, given, [dict(enumerate(each)) for each in margins])
    return of_weighted(made, found, level, method)


# Plans


@kind
def plan_figures(mechanism: Spec, options: Mapping[str, Any]) -> Figures:
    renamed = {"with_pile": "with_shuffling"}
    given = {renamed.get(name, name): value for name, value in options.items()}
    if "alpha" in given:
        given["method"] = ONE_SIDED
    found = plan(mechanism_of(mechanism), estimand="share", **given)
    return without_table(found.to_dict())


@kind
def mean_plan_figures(mechanism: Spec, options: Mapping[str, Any]) -> Figures:
    found = plan(mechanism_of(mechanism), estimand="mean", **options)
    return without_table(found.to_dict())


def undefined(value: Any) -> Any:
    """Return NaN for None, as figures without a value were recorded."""
    return math.nan if value is None else value


def without_table(found: Figures) -> Figures:
    """Leave out what is known of the mechanism, and parts that were not asked for."""
    table = {"family", "parameters", "answers", "reports", "weights"}
    return {
        name: value
        for name, value in found.items()
        if name not in table and value is not None
    }


@kind
def sample_size_figures(
    mechanism: Spec,
    share: float,
    against: float,
    alpha: float,
    power: float,
    method: str,
) -> Figures:
    found = sample_size(
        mechanism_of(mechanism),
        share=share,
        against=against,
        alpha=alpha,
        power=power,
        method=method,
    )
    return picked(found, "direction normal first safe")


@kind
def power_figures(
    mechanism: Spec,
    respondents: int,
    share: float,
    against: float,
    alpha: float,
    method: str,
) -> Figures:
    claim = Claim.of(
        mechanism_of(mechanism),
        share=share,
        against=against,
        alpha=alpha,
        method=method,
    )
    found = claim.test(respondents)
    return {
        "direction": found.direction,
        "report": found.report,
        "critical_count": found.critical_count,
        "size": found.size,
        "power": found.power,
    }


@kind
def group_size_figures(
    mechanism: Spec,
    share: float,
    other_share: float,
    ratio: float,
    alpha: float,
    power: float,
) -> Figures:
    shares = {"share": share, "other_share": other_share}
    groups = compare(mechanism_of(mechanism), **shares, alpha=alpha)
    found = groups.sizes(power=power, ratio=ratio)
    return picked(found, "respondents others is_exact")


@kind
def group_power_figures(
    mechanism: Spec,
    share: float,
    other_share: float,
    respondents: int,
    others: int,
    alpha: float,
) -> Figures:
    shares = {"share": share, "other_share": other_share}
    groups = compare(mechanism_of(mechanism), **shares, alpha=alpha)
    found = groups.with_sizes(respondents, others)
    return {"power": found.power, "is_exact": found.is_exact}


@kind
def mean_group_figures(
    mechanism: Spec,
    supposed: Mapping[str, float],
    power: float,
    ratio: float,
    sizes: Sequence[int],
) -> Figures:
    made = mechanism_of(mechanism)
    needed = group_sizes(made, **supposed, power=power, ratio=ratio)
    groups = compare(made, **{"alpha": 0.05, **supposed})
    respondents, others = sizes
    (mean, other_mean), (sd, other_sd) = needed.values, needed.sds or (None, None)
    return {
        "sizes": {
            "difference": mean - other_mean,
            "mean": mean,
            "other_mean": other_mean,
            "sd": sd,
            "other_sd": other_sd,
            "alpha": needed.alpha,
            "test": needed.test,
            "power": needed.power,
            "ratio": needed.ratio,
            "respondents": needed.respondents,
            "others": needed.others,
            "is_exact": needed.is_exact,
        },
        "test": groups.with_sizes(respondents, others),
    }


@kind
def precision_figures(
    mechanism: Spec, respondents: int, share: float, margin: float, level: float
) -> Figures:
    made = mechanism_of(mechanism)
    known = {"share": share, "confidence_level": level}
    assumed = assume(made, estimand="share", **known)
    errors = standard_errors(assumed, respondents=respondents, epsilon=made.epsilon)
    return {
        "variance": assumed.variance,
        "margin": assumed.margin(respondents),
        "needed": assumed.needed(margin),
        "direct_half_width": direct_half_width(respondents=respondents, **known),
        "direct_respondents": direct_respondents(half_width=margin, **known),
        "cost_of_privacy": assumed.cost_of_privacy,
        "errors": {name: undefined(each) for name, each in vars(errors).items()},
        "smallest_epsilon": smallest_epsilon(
            assumed, respondents=respondents, margin=margin
        ),
    }


@kind
def half_width_figures(
    mechanism: Spec, respondents: int, share: float, level: float
) -> Figures:
    channel = make_channel(mechanism_of(mechanism))
    assumed = assume_share(share, channel=channel, confidence_level=level)
    return {"half_width": expect_half_width(assumed, respondents)}


@kind
def curve_figures(
    mechanism: Spec, respondents: int, share: float, margin: float, level: float
) -> Any:
    assumed = assume(
        mechanism_of(mechanism),
        estimand="share",
        share=share,
        confidence_level=level,
    )
    return margin_curve(assumed, respondents=respondents, margin=margin)


@kind
def reached_figures(
    mechanism: Spec, counts: Sequence[int], margin: float, level: float
) -> Figures:
    made = mechanism_of(mechanism)
    tally = tally_of(made, counts)
    shares = estimate_for_margin(made, tally)
    return {
        "shares": shares,
        "margin": margin_achieved(made, tally, confidence_level=level),
        "needed": margins_at(made, shares, confidence_level=level).needed(margin),
    }


@kind
def scale_plan_figures(
    mechanism: Spec, supposed: Mapping[str, float], respondents: int, level: float
) -> Figures:
    made = mechanism_of(mechanism)
    assumed = assume(made, estimand="mean", confidence_level=level, **supposed)
    return {
        "mean": assumed.answers.mean,
        "sd": assumed.answers.sd,
        "variances": assumed.variances,
        "best": assumed.most_precise,
        "direct_variance": assumed.direct_variance,
        "margin": assumed.margin(respondents),
        "needed": assumed.needed(0.05),
        "cost_of_privacy": assumed.cost_of_privacy,
        "of_question": margin_of_error(
            made, respondents=respondents, confidence_level=level
        )
        / assumed.length,
    }


@kind
def reading_figures(mechanism: Spec, prior: float) -> Figures:
    found = vars(compute_posterior(mechanism_of(mechanism), prior))
    reports = [
        {name: undefined(each) for name, each in vars(report).items()}
        for report in found["reports"]
    ]
    return {**found, "reports": reports}


@kind
def pile_figures(mechanism: Spec, respondents: int, delta: float) -> Figures:
    made = mechanism_of(mechanism)
    found = shuffled_privacy(
        make_channel(made), respondents=respondents, epsilon=made.epsilon, delta=delta
    )
    return {"epsilon": found.epsilon}


@kind
def budget_figures(questions: int, total_epsilon: float, share: float) -> Any:
    everything = Draw(questions=questions, asked=questions)
    return advise_on_questions(everything, total_epsilon=total_epsilon, share=share)


# Regression


@kind
def regression_figures(
    predictors: Sequence[Sequence[float]],
    counts: Sequence[Sequence[float]],
    law: Sequence[Any],
    scrambled: Mapping[str, Any] | None = None,
    squared_weights: Sequence[Sequence[float]] | None = None,
    respondents: int | None = None,
) -> Figures:
    fit = fit_logistic(
        predictors,
        counts,
        p_yes_given_yes=law[0],
        p_yes_given_no=law[1],
        names=[f"b{place}" for place in range(len(predictors[0]))],
        scrambled=None if scrambled is None else Scrambled(**scrambled),
        squared_weights=squared_weights,
        respondents=respondents,
    )
    return {
        "estimates": fit.estimates,
        "errors": fit.standard_errors,
        "expected_errors": np.sqrt(np.diag(fit.expected_covariance)),
        "log_likelihood": fit.log_likelihood,
        "respondents": fit.respondents,
        "is_weighted": fit.is_weighted,
        # Weights count by their effective size, whatever their mean is.
        **(
            {"information": fit.information, "tells_little": fit.tells_little}
            if squared_weights is None
            else {}
        ),
        "interval": {name: fit.interval(name) for name in fit.names},
        "p_value": {name: fit.p_value(name) for name in fit.names},
        "effect": of_effect(fit, scrambled),
    }


def of_effect(fit: LogisticFit, scrambled: Mapping[str, Any] | None) -> Figures:
    """Return the average effect of the last coefficient, from 0 to 1."""
    having = fit.patterns.designs[0]
    ends = {}
    for name, value in (("high", 1.0), ("low", 0.0)):
        for suffix, design in (("", fit.patterns.designs[-1]), ("_if_yes", having)):
            end = design.copy()
            end[:, -1] = value
            if scrambled or not suffix:
                ends[name + suffix] = end
    found = fit.effect(**ends)
    low, high = found.interval(0.9)
    return {
        "estimate": found.estimate,
        "standard_error": found.standard_error,
        "low": low,
        "high": high,
    }


# Releases


def noise_of(noise: Mapping[str, Any]) -> Noise:
    """Return the law of {"epsilon" or "sigma": text, "sensitivity": int}."""
    sensitivity = noise.get("sensitivity", 1)
    if "sigma" in noise:
        return DiscreteGaussian(Fraction(noise["sigma"]), sensitivity)
    return DiscreteLaplace(Fraction(noise["epsilon"]), sensitivity)


@kind
def noise_figures(noise: Mapping[str, Any], cells: int) -> Figures:
    law = noise_of(noise)
    width = math.ceil(law.standard_deviation)
    places = np.array([0, 1, width, 3 * width, -2 * width])
    many = summed(law, cells)
    figures: Figures = {
        "sd": law.standard_deviation,
        "probability": law.probability(places),
        "more_than": law.more_than(places),
        "at_most": law.at_most(places),
        "summed": many.more_than(places),
        "reach": [law.reach(tail) for tail in (0.2, 0.025, 1e-6)],
        "summed_reach": [many.reach(tail) for tail in (0.2, 0.025, 1e-6)],
    }
    if isinstance(law, DiscreteGaussian):
        figures["delta"] = [law.delta(epsilon) for epsilon in (0.1, 0.5, 1.0, 4.0)]
        figures["epsilon"] = [law.epsilon(delta) for delta in (1e-9, 1e-6, 1e-3)]
    return figures


@kind
def release_figures(
    count: int, options: Mapping[str, Any], seed: int, level: float
) -> Figures:
    """A released count, whose noise is drawn from seeded numbers."""
    source = Random(seed)  # noqa: S311 - figures have to repeat
    found = release(count, source=source.randrange, **options)
    return {
        **picked(found, "released epsilon delta"),
        "sd": found.standard_deviation,
        "sensitivity": found.sensitivity,
        "interval": found.interval(level),
    }


@kind
def released_count_figures(
    released: int, noise: Mapping[str, Any], level: float
) -> Figures:
    return {"interval": interval_of_count(released, noise_of(noise), level)}


@kind
def released_share_figures(
    mechanism: Spec,
    counts: Sequence[int],
    noise: Mapping[str, Any],
    level: float,
    took_part: Sequence[Any] | None,
) -> Figures:
    made, law, n = mechanism_of(mechanism), noise_of(noise), max(sum(counts), 0)
    took = None
    if took_part is not None:
        released, all_have_reports = took_part
        took = TookPart(released=released, noise=law, all_have_reports=all_have_reports)
    return {
        "respondents": respondents_between(counts, law, 0.05, took),
        "interval": released_intervals(
            made, counts, law, confidence_level=level, took_part=took
        ),
        "design_fit": released_design_fit(made, counts, law, miss=1e-3),
        "standard_error": error_with_noise(
            made, 0, standard_error=0.02, raw=0.3, respondents=n, noise=law
        ),
    }


@kind
def released_test_figures(
    mechanism: Spec, counts: Sequence[int], noise: Mapping[str, Any], bound: float
) -> Figures:
    law, fold = noise_of(noise), dichotomy_of_answer(mechanism_of(mechanism), 0)
    return {
        name: released_p_value(counts, fold, law, bound=bound, is_above=is_above)
        for name, is_above in (("above", True), ("below", False))
    }


@kind
def histogram_figures(contributions: int, may_change_cell: bool) -> Figures:
    found = sensitivity_of_histogram(contributions, may_change_cell=may_change_cell)
    return {"sensitivity": found}


# Homogeneity


@kind
def homogeneity_figures(table: Sequence[Sequence[int]]) -> Figures:
    found = independence_test(table)
    is_two_by_two = [len(row) for row in table] == [2, 2]
    return {
        "p_value": found and found[0],
        "is_exact": found and found[1],
        "fisher": exact_test(table) if is_two_by_two else None,
    }


@kind
def holm_figures(p_values: Sequence[float]) -> Figures:
    return {"adjusted": holm(p_values)}
