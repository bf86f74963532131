"""Fits and searches return the recorded figures on every processor.

The records cover functions that use linear algebra or a search. Functions that count
are tested by enumeration.
"""

import json
import math

import pytest

from tests.candor.golden.record import KINDS, figures_of, read

EXACT_TO = 1e-12
"""Tolerance of figures with a formula: relative or absolute, the larger one."""

MAXIMUM_LIKELIHOOD = 1e-8
"""The search stops at this distance from the maximum: `likelihood.GAP`."""

ENDS = 1e-8
"""Ten times the tolerance of searches for ends and p-values, 1e-9 (`profile.EXACT_TO`,
`privacy.FINE`, `means.ROOT_TOLERANCE`, `releases.shares.MIN_STEP`)."""

SEARCHED = {
    "joint.shares": MAXIMUM_LIKELIHOOD,
    "joint.within": MAXIMUM_LIKELIHOOD,
    "estimate.rows.mean": ENDS,
    "difference.mean": MAXIMUM_LIKELIHOOD,
    "joint_interval": ENDS,
    "hidden_difference": ENDS,
    "plan.pile": ENDS,
    # The search finds a chance to 1e-12; the error of a share is many times larger.
    "released_share.interval": 1e-10,
    # The last step of the search starts within 1e-5 standard errors of the maximum,
    # and Newton's method squares that. Ends have a deviance within 1e-6 of its limit
    # (`profile.PROFILE_EXACT`), and the p-value near 1 falls with the root of one.
    "regression": 1e-9,
    **{
        f"regression.coefficients.b{place}.{figure}": 1e-6
        for place in range(5)
        for figure in ("low", "high", "p_value")
    },
}
"""Tolerances of figures that depend on a search or on the order of additions in linear
algebra (`scripts.baseline_processor`)."""

DENSEST = 1e-10
"""Ends of the interval of highest density: `brentq` finds its drop to 2e-12."""

MAX_SHOWN = 10
"""Differing figures of one kind."""


@pytest.fixture(scope="module")
def recorded():
    return read()


def test_every_kind_is_recorded(recorded):
    assert set(recorded) == set(KINDS)


@pytest.mark.parametrize("kind", KINDS)
def test_figures_match_the_recorded_ones(kind, recorded):
    wrong = [
        f"{kind} {json.dumps(case)}: {difference}"
        for case, expected in recorded[kind]
        for difference in differences(kind, case, expected)
    ]
    shown = "\n".join(wrong[:MAX_SHOWN])
    assert not wrong, f"{len(wrong)} figures differ, such as\n{shown}"


def differences(kind, case, expected):
    """Return a message for each figure that differs."""
    got = figures_of(kind, case)
    return [
        f"{name} was {expected.get(name, 'missing')!r}, is {got.get(name, 'missing')!r}"
        for name in {**expected, **got}
        if name not in expected
        or name not in got
        or not is_same(expected[name], got[name], within=tolerance(kind, case, name))
    ]


def tolerance(kind, case, name):
    """Return the tolerance of a figure: that of its longest name in the table."""
    path = f"{kind}.{name}".split(".")
    prefixes = [".".join(path[:length]) for length in range(len(path), 0, -1)]
    least = DENSEST if case.get("method") == "bayes" else EXACT_TO
    return next((SEARCHED[each] for each in prefixes if each in SEARCHED), least)


def is_same(expected, got, *, within):
    """Return whether two figures agree: floats within a tolerance, others exactly."""
    if isinstance(expected, float) and isinstance(got, float):
        return math.isclose(expected, got, rel_tol=within, abs_tol=within)
    return type(expected) is type(got) and expected == got
