"""Recorded cases and their figures, for regression tests of the library.

    python -m tests.candor.golden.record [KIND CASE]

Record all figures again, only after an intended change: state it in the commit. With a
kind and a case as JSON, add the case first.

A kind is a function of plain JSON values: a mechanism is {"family": name, parameter:
value, ...}, or as {"weights": rows} for a custom table, and counts follow the order of
the reports.
"""

import gzip
import json
import math
import sys
import warnings
from fractions import Fraction
from itertools import product
from pathlib import Path

import numpy as np

import candor
from candor.joint import JointSample
from candor.latent_groups import LatentPair, find_latent_differences
from candor.profile_likelihood import PairShare
from candor.releases import noise as noises
from candor.releases import shares as released
from candor.sample import Sample

RECORDED = Path(__file__).with_name("figures.json.gz")


def mechanism_of(spec):
    """Return the mechanism that a case describes."""
    if "family" in spec:
        given = {name: value for name, value in spec.items() if name != "family"}
        return candor.mechanism(spec["family"], **given)
    weights = tuple(map(tuple, spec["weights"]))
    return candor.Mechanism(
        family="custom",
        parameters={},
        answers=tuple(f"a{row}" for row in range(len(weights))),
        reports=tuple(f"r{column}" for column in range(len(weights[0]))),
        weights=weights,
    )


def counts_by(mechanism, counts, *groups):
    """Return {report: count}, or {(group, ..., report): count} of nested counts."""
    keys = product(*groups, mechanism.reports)
    return {
        key if groups else key[0]: count
        for key, count in zip(keys, np.ravel(counts).tolist(), strict=True)
    }


def estimate(mechanism, counts, level, method):
    made = mechanism_of(mechanism)
    given = counts_by(made, counts)
    rows = candor.estimate(made, given, confidence_level=level, method=method)
    return {"rows": rows, "design_fit": Sample.of(made, given).design_fit}


def difference(mechanisms, counts, level):
    first, second = map(mechanism_of, mechanisms)
    return candor.difference(
        first,
        *map(counts_by, (first, second), counts),
        second_mechanism=second,
        confidence_level=level,
    )


def weighted(mechanism, weights, level, method):
    """`weights` are those of the respondents who sent each report."""
    made = mechanism_of(mechanism)
    pairs = zip(made.reports, weights, strict=True)
    sums = {report: candor.Sums.of(each) for report, each in pairs if each}
    return candor.estimate_weighted(made, sums, confidence_level=level, method=method)


def raked(mechanism, counts, margins, level, method):
    made = mechanism_of(mechanism)
    given = counts_by(made, counts, *(range(len(each)) for each in margins))
    known = [dict(enumerate(each)) for each in margins]
    return candor.rake(made, given, known, confidence_level=level, method=method)


def joint_of(mechanisms, counts):
    first, second = map(mechanism_of, mechanisms)
    return JointSample.of(first, second, counts_by(second, counts, first.reports))


def joint(mechanisms, counts):
    found = joint_of(mechanisms, counts)
    names = ("n", "raw", "standard_errors", "shares", "within", "independence")
    return {name: getattr(found, name) for name in names}


def joint_interval(mechanisms, counts, level, method):
    found = joint_of(mechanisms, counts)
    return [found.intervals(target, level, method) for target in PairShare]


def hidden_difference(mechanisms, counts, pairs, level):
    pairs = [LatentPair(*pair) for pair in pairs]
    return find_latent_differences(
        joint_of(mechanisms, counts), pairs, confidence_level=level
    )


def plan(mechanism, options):
    return candor.plan(mechanism_of(mechanism), estimand="share", **options).to_dict()


def regression(predictors, counts, law, scrambled=None, **weighted):
    fit = candor.fit_logistic(
        predictors,
        counts,
        p_yes_given_yes=law[0],
        p_yes_given_no=law[1],
        names=[f"b{place}" for place in range(len(predictors[0]))],
        scrambled=None if scrambled is None else candor.Scrambled(**scrambled),
        **weighted,
    )
    designs = {"": fit.patterns.designs[-1]}
    if scrambled:
        designs = {"": fit.patterns.designs[-1], "_if_yes": fit.patterns.designs[0]}
    ends = {
        name + suffix: np.column_stack([design[:, :-1], np.full(len(design), value)])
        for name, value in (("high", 1.0), ("low", 0.0))
        for suffix, design in designs.items()
    }
    return {
        "coefficients": fit.table(),
        "expected_errors": np.sqrt(np.diag(fit.expected_covariance)),
        "log_likelihood": fit.log_likelihood,
        "information": fit.information,
        "effect": fit.effect(**ends),
    }


def released_share(mechanism, counts, noise, level, took_part):
    made, sensitivity = mechanism_of(mechanism), noise.get("sensitivity", 1)
    if "sigma" in noise:
        distribution = noises.DiscreteGaussian(Fraction(noise["sigma"]), sensitivity)
    else:
        distribution = noises.DiscreteLaplace(Fraction(noise["epsilon"]), sensitivity)
    took = None
    if took_part is not None:
        took = released.ParticipantCount(
            released=took_part[0], noise=distribution, all_have_reports=took_part[1]
        )
    return {
        "interval": released.find_released_intervals(
            made, counts, distribution, confidence_level=level, took_part=took
        ),
        "design_fit": released.compute_released_design_fit(
            made, counts, distribution, miss=1e-3
        ),
        "standard_error": released.compute_error_with_noise(
            made,
            0,
            standard_error=0.02,
            raw=0.3,
            respondents=max(sum(counts), 0),
            noise=distribution,
        ),
    }


KINDS = {
    kind.__name__: kind
    for kind in (
        estimate, difference, weighted, raked, joint, joint_interval,
        hidden_difference, plan, regression, released_share,
    )
}  # fmt: skip


ROW_FIELDS = (
    "estimate", "raw", "standard_error", "low", "high", "method", "p_value", "status",
)  # fmt: skip


def flat(found, name=""):
    """Yield (dotted name, JSON value) for every field of a result."""
    if isinstance(found, candor.Estimates):
        found = {row.estimand: row for row in found}
    elif isinstance(found, candor.Estimate):
        found = {key: getattr(found, key) for key in ROW_FIELDS}
    elif isinstance(found, np.ndarray):
        found = found.tolist()
    if isinstance(found, dict):
        parts = found.items()
    elif isinstance(found, list | tuple):
        parts = enumerate(found)
    else:
        is_infinite = isinstance(found, float) and not math.isfinite(found)
        yield name, str(found) if is_infinite or isinstance(found, str) else found
        return
    for key, value in parts:
        yield from flat(value, f"{name}.{key}" if name else str(key))


def figures_of(kind, case):
    """Return the figures of a case, or its error."""
    try:
        return dict(flat(KINDS[kind](**case)))
    except (ValueError, TypeError) as error:
        return {"error": type(error).__name__}


def read():
    """Return {kind: recorded cases with their figures}."""
    return json.loads(gzip.decompress(RECORDED.read_bytes()))


def record(kind="", case="{}"):
    cases = {kind: [case for case, _figures in pairs] for kind, pairs in read().items()}
    if kind:
        cases.setdefault(kind, []).append(json.loads(case))
    found = {
        kind: [(case, figures_of(kind, case)) for case in of_kind]
        for kind, of_kind in cases.items()
    }
    text = json.dumps(found, separators=(",", ":"), allow_nan=False)
    RECORDED.write_bytes(gzip.compress(text.encode(), mtime=0))


if __name__ == "__main__":
    warnings.simplefilter("error")
    record(*sys.argv[1:])
