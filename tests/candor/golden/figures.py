"""The figures of the mathematics by name: the one place that knows its interface.

Every function takes plain JSON and returns {name: number, text, truth or None}. Where
the interface of the mathematics changes, this file follows, and the names stay.

A mechanism is given as {"family": name, parameter: value, ...}, or as {"weights": rows}
for a table that no family makes. Counts are in the order of its reports.
"""

import dataclasses
import math
from collections.abc import Mapping
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from typing import Any

import numpy as np

from candor.binary import BinaryChannel
from candor.differences import Difference
from candor.estimands import Estimand, mean_of_points
from candor.intervals import share_interval
from candor.joint import JointSample
from candor.latent_groups import LatentPair, latent_differences
from candor.mechanisms import Mechanism, build
from candor.planning.plan import plan
from candor.planning.power import ONE_SIDED
from candor.profile_likelihood import PairShare
from candor.regression.fit import fit_logistic
from candor.regression.patterns import Scrambled
from candor.releases.noise import DiscreteGaussian, DiscreteLaplace
from candor.releases.shares import (
    TookPart,
    error_with_noise,
    released_design_fit,
    released_intervals,
    respondents_between,
)
from candor.sample import Sample
from candor.weighting import Sums, keyed, weigh
from tests.candor.tables import covariance_of

Figures = dict[str, Any]
Spec = Mapping[str, Any]

KINDS = {}
"""Every kind of figure by name."""


def kind(function):
    """Register a function under its name without `_figures`, its result made flat."""

    def figures(**arguments):
        return flat(function(**arguments))

    KINDS[function.__name__.removesuffix("_figures")] = figures
    return figures


def flat(found, name=""):
    """Return nested results as {dotted name: plain value}."""
    if dataclasses.is_dataclass(found) and not isinstance(found, type):
        parts = [
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
    figures = {}
    for key, value in parts:
        figures |= flat(value, f"{name}.{key}" if name else str(key))
    return figures


def plain(value):
    """Return one value as JSON has it: exact numbers as text."""
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, Fraction | Decimal):
        return str(value)
    if isinstance(value, Enum):
        return value.value
    return value


def mechanism_of(spec):
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


def picked(found, names):
    return {name: getattr(found, name) for name in names.split()}


def tally_of(mechanism, counts):
    return dict(zip(mechanism.reports, counts, strict=True))


def sample_of(mechanism, counts):
    return Sample.of(mechanism, tally_of(mechanism, counts))


def spread_error(sample, estimand):
    """Return the standard error, 0 where all reports are the same.

    That is what was recorded; now the error is that of a share half a report inside,
    which `tests/candor/test_sample.py` holds.
    """
    error = sample.standard_error(estimand)
    is_plug_in = math.isnan(error) or not sample.is_identical(estimand)
    return error if is_plug_in else 0.0


def law_from(law):
    given_yes, given_no = law
    return BinaryChannel(p_yes_given_yes=given_yes, p_yes_given_no=given_no)


# Shares


@kind
def share_figures(mechanism, counts, level, method):
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
def interval_figures(yes, respondents, law, level, method):
    design = law_from(law).design(respondents)
    found = share_interval(yes, design, confidence_level=level, method=method)
    return {"low": found.low, "high": found.high}


@kind
def difference_figures(mechanisms, counts, level):
    tables = [mechanism_of(each) for each in mechanisms]
    groups = map(sample_of, tables, counts)
    first = Estimand.make_share(0, answers=len(tables[0].answers))
    found = Difference(*groups, first, level)
    return picked(found, "estimate raw standard_error low high p_value is_exact ratio")


# Means


@kind
def mean_figures(mechanism, counts, level, method):
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
def mean_difference_figures(mechanisms, counts, level):
    tables = [mechanism_of(each) for each in mechanisms]
    groups = map(sample_of, tables, counts)
    found = Difference(*groups, mean_of_points(len(tables[0].answers)), level)
    return picked(found, "method estimate raw standard_error low high p_value is_exact")


# Two questions together


def joint_of(mechanisms, counts):
    first, second = map(mechanism_of, mechanisms)
    tally = {
        (one, other): count
        for one, row in zip(first.reports, counts, strict=True)
        for other, count in zip(second.reports, row, strict=True)
    }
    return JointSample.of(first, second, tally)


@kind
def joint_figures(mechanisms, counts):
    found = joint_of(mechanisms, counts)
    return {
        "respondents": found.n,
        "raw": found.raw,
        "errors": found.standard_errors,
        **picked(found, "shares within independence is_tested_exactly"),
    }


@kind
def joint_interval_figures(mechanisms, counts, level, method):
    found = joint_of(mechanisms, counts)
    return {
        target.name.lower(): dict(
            zip(("low", "high"), found.intervals(target, level, method), strict=True)
        )
        for target in PairShare
    }


@kind
def hidden_difference_figures(mechanisms, counts, pairs, level):
    found = latent_differences(
        joint_of(mechanisms, counts),
        [LatentPair(*pair) for pair in pairs],
        confidence_level=level,
    )
    return {str(place): each._asdict() for place, each in enumerate(found)}


# Weights


def of_weighted(made, found, level, method):
    figures = {
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
def weighted_figures(mechanism, weights, level, method):
    """`weights` are those of the respondents who sent each report."""
    made = mechanism_of(mechanism)
    sums = {
        report: Sums.of(each)
        for report, each in zip(made.reports, weights, strict=True)
        if each
    }
    return of_weighted(made, weigh(made, keyed(sums), []), level, method)


@kind
def post_stratified_figures(mechanism, counts, shares, level, method):
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
def raked_figures(mechanism, counts, margins, level, method):
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
def plan_figures(mechanism, options):
    renamed = {"with_pile": "with_shuffling"}
    given = {renamed.get(name, name): value for name, value in options.items()}
    if "alpha" in given:
        given["method"] = ONE_SIDED
    found = plan(mechanism_of(mechanism), estimand="share", **given)
    return without_table(found.to_dict())


def without_table(found):
    """Leave out what is known of the mechanism, and parts that were not asked for."""
    table = {"family", "parameters", "answers", "reports", "weights"}
    return {
        name: value
        for name, value in found.items()
        if name not in table and value is not None
    }


# Regression


@kind
def regression_figures(
    predictors, counts, law, scrambled=None, squared_weights=None, respondents=None
):
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


def of_effect(fit, scrambled):
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


def noise_of(noise):
    """Return the law of {"epsilon" or "sigma": text, "sensitivity": int}."""
    sensitivity = noise.get("sensitivity", 1)
    if "sigma" in noise:
        return DiscreteGaussian(Fraction(noise["sigma"]), sensitivity)
    return DiscreteLaplace(Fraction(noise["epsilon"]), sensitivity)


@kind
def released_share_figures(mechanism, counts, noise, level, took_part):
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
