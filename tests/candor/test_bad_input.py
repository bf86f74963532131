"""Public functions refuse bad arguments by name and never return NaN.

`CALLS` has a valid call of every public function, `BAD` the values that each argument
refuses. To cover another function, add an entry.
"""

import inspect
import json
import math
import numbers
from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from fractions import Fraction
from types import MappingProxyType

import numpy as np
import pytest

import candor

COIN, DIE = candor.mechanism("coin"), candor.mechanism("die")
GRID = candor.mechanism("grid", epsilon=2, points=3)
ONE_BIT = candor.mechanism("one_bit", epsilon=1, points=5)
COUNTS = MappingProxyType({"yes": 40, "no": 60})
OTHERS = MappingProxyType({"yes": 30, "no": 70})
STRATA = MappingProxyType(
    {("f", "yes"): 20, ("f", "no"): 30, ("m", "yes"): 25, ("m", "no"): 25}
)
SUMS = MappingProxyType(
    {"yes": candor.Sums.of([1, 2]), "no": candor.Sums.of([0.5, 1, 3])}
)

NOT_A_MECHANISM = ("coin", None, ((3, 1), (1, 3)))
NOT_COUNTS = (
    None, "yes", [40, 60], {"maybe": 1}, {"yes": 10**18, "no": 10**18},
    *({"yes": each, "no": 60} for each in (-1, math.nan, 1.5, "4", True, math.inf)),
)  # fmt: skip
NOT_A_LEVEL = (0, 1, -0.5, 95, math.nan, math.inf, "0.95", None, True)
NOT_AN_ESTIMAND = (
    "maybe",
    "mean",
    1,
    candor.Estimand((1, 0, 0)),
    candor.Estimand((1, 1)),
    candor.Estimand((0.5, 0)),  # type: ignore[arg-type]
)
NOT_A_SHARE = (-0.1, 1.1, math.nan, math.inf, "0.5", None, True)
NOT_STRATA = (
    None, "yes", {}, {"yes": 4}, {1: 4}, {("f", "maybe"): 4},
    {("x", "yes"): 4, ("f", "no"): 2, ("m", "no"): 2},
    *({**STRATA, ("f", "yes"): each} for each in (-1, math.nan, 1.5, 10**18)),
)  # fmt: skip
NOT_A_MARGIN = (
    None, [0.5, 0.5], {"f": 0.5, "m": 0.4}, {"f": math.nan, "m": 0.5},
    {"f": -0.5, "m": 1.5}, {"f": "half", "m": 0.5},
)  # fmt: skip
NUMBERS = (-1, math.nan, math.inf, "3", None, True)


IN_GROUPS = (None, [1], {"yes": 3}, {("a", "maybe"): 1}, {("a", "yes"): -1})
GROUP_NAMES = ("ab", ("a",), ("a", "b", "c"), ("a", 1), None, 3)
NOT_A_SCALE_VALUE = (math.nan, -1, 2, "1")

BAD = {
    "mechanism": NOT_A_MECHANISM,
    "first": (*NOT_A_MECHANISM, GRID),
    "second": (*NOT_A_MECHANISM, ONE_BIT, DIE),
    "second_mechanism": ("coin", ((3, 1), (1, 3)), GRID),
    "anchor": (*NOT_A_MECHANISM, GRID),
    "counts": NOT_COUNTS,
    "first_counts": (*NOT_COUNTS, {}),
    "second_counts": (*NOT_COUNTS, {}),
    "sums": (None, [1], {"yes": 3}, {"maybe": SUMS["yes"]}, {}),
    "estimand": NOT_AN_ESTIMAND,
    "group": (1, ("a",)),
    "groups": GROUP_NAMES,
    "answer": ("maybe", "", 0),
    "anchor_answer": ("maybe", "", 1),
    "safe_report": ("maybe", "", 1),
    "confidence_level": NOT_A_LEVEL,
    "method": ("exact", "", None, 1),
    "shares": NOT_A_MARGIN,
    "margins": (None, "fm", [], {"f": 1.0}, *([each] for each in NOT_A_MARGIN)),
    "share": NOT_A_SHARE,
    "bound": NOT_A_SHARE,
    "prior": NOT_A_SHARE,
    "against": (*NOT_A_SHARE, 0.2),
    "other_share": (*NOT_A_SHARE, 0.2),
    "mean": NOT_A_SCALE_VALUE,
    "sd": NOT_A_SCALE_VALUE,
    "difference": NOT_A_SCALE_VALUE,
    "respondents": (*NUMBERS, 0, 1.5, 10**10),
    "ratio": (*NUMBERS, 0, 1000),
    "alpha": (*NUMBERS, 0, 1),
    "power": (*NUMBERS, 0, 1),
    "is_above": (None, 1, "yes"),
    "forged": (*NUMBERS, 101, 1.5),
    "total": (*NUMBERS, 0),
    "squares": (*NUMBERS, 0),
    "largest": (*NUMBERS, 0),
}
"""Refused values by name of the argument."""

PLANNED = {  # None leaves these out.
    "share": NOT_A_SHARE[:-2],
    "respondents": (*NUMBERS[:-2], 0, 1.5, 10**10),
    "margin": (-1, 0, 1, math.nan, "0.1", True),
    "against": (-0.1, 1.1, math.nan, "0.5", True, 0.5),
    "other_share": (-0.1, 1.1, math.nan, "0.5", True, 0.5),
    "estimand": ("maybe", "mean", 1),
    "alpha": (-1, 0, 1, math.nan, "0.05", True),
    "questions": (*NUMBERS, 0, 201),
    "asked": (-1, 0, 2, 1.5, math.nan, "1", True),
    "forged": (*NUMBERS, 1.5, 10**10),
    "design_effect": (*NUMBERS, 0.5, 101),
    "intra_class": (-0.1, 1.1, math.nan, "0.1", True),
    "cluster_size": (*NUMBERS, 0.5, 10**5),
    "response_rate": (*NUMBERS, 0, 1.5),
    "with_shuffling": (None, 1, "yes"),
}
FITTED = {
    "predictors": (None, 1, "x", [[1, math.nan], [1, 0]], [[1, "a"], [1, 0]]),
    "counts": (None, [60, 40], [[60, -1], [4, 6]], [[1, math.inf], [4, 6]]),
    "p_yes_given_yes": (-0.1, 0.2, 1.1, math.nan, "0.5", None, [0.7] * 3),
    "p_yes_given_no": (-0.1, 0.8, math.nan, math.inf, "0.5", None, [0.2] * 3),
    "names": (None, "ab", 1, ["x"], ["x", "x"], ["x", 1]),
    "scrambled": (0.5, {}, COIN),
    "squared_weights": (1, [[1, 2]], [[60, 40], [40, 60]]),
    "respondents": (-1, 1.5, math.nan, "3", True, 10**12),
    "clusters": (1, "ab", ["a"], ["a", "a"], [[], []]),
}
RELEASED = {
    "count": (*NUMBERS, 1.5, 10**10),
    "epsilon": (-1, 0, 1000, math.nan, math.inf, "x", None, True),
    "sensitivity": (*NUMBERS, 0, 1.5, 10**6),
    "sigma": (-1, 0, math.nan, math.inf, "x", True, 10**6),
    "delta": (-1, 0.1, math.nan, "x"),
    "source": (None, 3),
}
POOLED = {
    "groups": (
        None, "coin", [], [(COIN, COUNTS)], [(COIN, COUNTS), (GRID, {"0": 4})],
        *([(each, OTHERS), (COIN, COUNTS)] for each in NOT_A_MECHANISM),
        [(DIE, {}), (COIN, COUNTS)], [1, 2], [(), (COIN, COUNTS)],
    ),
}  # fmt: skip
ONE = {"mechanism": COIN, "counts": COUNTS}
TWO = {"mechanism": COIN, "first_counts": COUNTS, "second_counts": OTHERS}
OTHER_STRATA = {(f"other {group}", r): n for (group, r), n in STRATA.items()}
TABLE = {
    "predictors": [[1, 1], [1, 0]],
    "counts": [[60, 40], [40, 60]],
    "p_yes_given_yes": 0.75,
    "p_yes_given_no": 0.25,
    "names": ["Intercept", "x"],
}
PAIRS = {("yes", "yes"): 20, ("no", "yes"): 20, ("no", "no"): 50}
NOT_SQUARE = (*NOT_A_MECHANISM, ONE_BIT)

# By function: a valid call, refused values beyond BAD, and the names of arguments in
# errors where they differ.
CALLS = {
    "estimate": (ONE, {}),
    "difference": (TWO, {}),
    "pool": ({"groups": [(COIN, COUNTS), (DIE, OTHERS)]}, POOLED),
    "sensitivity": (ONE, {}),
    "estimate_cheating": (
        {"first": DIE, "first_counts": COUNTS, "second": COIN, "second_counts": OTHERS},
        {},
    ),
    "estimate_attentive": (
        {"mechanism": COIN, "anchor": DIE, "counts": PAIRS},
        {
            "mechanism": (*NOT_A_MECHANISM, GRID),
            "counts": (None, [1, 2], {"yes": 3}, {("yes", "no"): -3}, {}),
        },
    ),
    "estimate_weighted": (
        {"mechanism": COIN, "sums": SUMS}, {}, {"sums": "sums|counts"},
    ),
    "estimate_clustered": ({**ONE, "counts": STRATA}, {"counts": IN_GROUPS}),
    "clustered_difference": (
        {"mechanism": COIN, "first_counts": STRATA, "second_counts": OTHER_STRATA},
        {"first_counts": IN_GROUPS, "second_counts": (*IN_GROUPS, STRATA)},
    ),
    "post_stratify": (
        {**ONE, "counts": STRATA, "shares": {"f": 0.5, "m": 0.5}},
        {"counts": NOT_STRATA},
    ),
    "rake": (
        {**ONE, "counts": STRATA, "margins": [{"f": 0.5, "m": 0.5}]},
        {"counts": NOT_STRATA},
        {"margins": "margins|shares"},
    ),
    "census_interval": (ONE, {"mechanism": NOT_SQUARE, "counts": (*NOT_COUNTS, {})}),
    "forgery_proof_interval": ({**ONE, "forged": 5}, {"mechanism": NOT_SQUARE}),
    "one_sided_p_value": (
        {**ONE, "bound": 0.2},
        {"mechanism": NOT_SQUARE, "counts": (*NOT_COUNTS, {})},
    ),
    "fit_logistic": (TABLE, FITTED),
    "total_epsilon": (
        {"parts": [1.1, candor.release(120, sigma=4, delta=0.1)], "delta": 1e-6},
        {
            "parts": (None, "yes", 1.1, [-0.1], [math.nan], ["1"], [None], [True]),
            "delta": (-1, 0, 1, math.nan, "x", True, None),
        },
    ),
    "release": ({"count": 120, "epsilon": "1/2"}, RELEASED),
    "plan": (
        {"mechanism": COIN, "respondents": 1000, "margin": 0.05, "against": 0.1},
        PLANNED,
        {"estimand": "estimand|mechanism"},
    ),
    "sample_size": ({"mechanism": COIN, "share": 0.2, "against": 0.1}, {}),
    "group_sizes": ({"mechanism": COIN, "share": 0.2, "other_share": 0.4}, {}),
    "margin_of_error": ({"mechanism": COIN, "respondents": 1000}, {}),
    "holm": (
        {"p_values": [0.01, 0.04, 0.03]},
        {"p_values": (None, "0.1", 0.1, *([0.5, each] for each in NOT_A_SHARE))},
    ),
    "Sums": (
        {"respondents": 3, "total": 4.0, "squares": 6.0, "largest": 2.0},
        {"respondents": (*NUMBERS, 1.5, 0, 2), "squares": (*NUMBERS, 0, 5, 9)},
        {"respondents": "respondents|total|squares"},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CALLS)
def test_bad_arguments_are_named(name):
    arguments, bad, *named = CALLS[name]
    function, called = getattr(candor, name), dict(*named)
    for argument in inspect.signature(function).parameters:
        expected = called.get(argument, argument)
        for value in {**BAD, **bad}[argument]:
            with pytest.raises((TypeError, ValueError), match=expected):
                function(**{**arguments, argument: value})


def test_every_public_function_has_an_entry():
    """Except for `mechanism`: tests/candor/mechanisms/test_family.py has its."""
    functions = {
        name for name in candor.PUBLIC if inspect.isfunction(getattr(candor, name))
    }
    assert functions - {"mechanism"} <= set(CALLS)


def numbers_in(found):
    """Yield all numbers of any result."""
    if isinstance(found, numbers.Real):
        yield float(found)
    elif is_dataclass(found):
        for each in fields(found):
            yield from numbers_in(getattr(found, each.name))
    elif isinstance(found, Mapping):
        yield from numbers_in(list(found.values()))
    elif isinstance(found, Iterable) and not isinstance(found, str):
        for each in found:
            yield from numbers_in(each)


@pytest.mark.parametrize("name", CALLS)
def test_a_valid_call_has_no_nan(name):
    found = list(numbers_in(getattr(candor, name)(**CALLS[name][0])))
    assert found
    assert not any(map(math.isnan, found))


def tables_of(level):
    for name, (arguments, *_bad) in CALLS.items():
        function = getattr(candor, name)
        if "confidence_level" in inspect.signature(function).parameters:
            yield function(**{**arguments, "confidence_level": level})
    yield candor.fit_logistic(**TABLE).table(level)
    yield candor.release(120, epsilon=1).table(level)


@pytest.mark.parametrize("level", [np.float32(0.9), Fraction(9, 10)])
def test_a_level_may_be_any_real_number(level):
    tables = [each for each in tables_of(level) if isinstance(each, candor.Estimates)]
    assert len(tables) == 11
    for table in tables:
        assert " 0.9 " in table.summary()
        assert json.dumps(table.to_dict())


def test_a_row_refuses_a_method_that_it_does_not_have():
    skipped = candor.mechanism("grid_skip", epsilon=2, points=3)
    for row in (
        candor.estimate(skipped, {"0": 4, "1": 5, "skipped": 4})["mean"],
        candor.difference(**TWO)["yes"],
        candor.fit_logistic(**TABLE).table()[0],
        candor.release(120, epsilon=1).table()[0],
    ):
        assert row.interval(0.9, row.method) == row.interval(0.9)
        with pytest.raises(ValueError, match=f"method must be '{row.method}'"):
            row.interval(0.9, "pratt")
    with pytest.raises(ValueError, match="method must be one of"):
        candor.estimate(skipped, {"0": 4}, estimand="mean", method="exact")


# Estimates at edges: identical reports, reports out of range, the largest counts.
EDGES = [
    (mechanism, counts)
    for mechanism in (COIN, DIE, candor.mechanism("direct"), GRID, ONE_BIT)
    for one in (2, 7, 10**9)
    for counts in (
        {mechanism.reports[0]: one},
        {mechanism.reports[-1]: one},
        {mechanism.reports[0]: one // 2, mechanism.reports[1]: one // 2},
    )
]


@pytest.mark.parametrize(("mechanism", "counts"), EDGES)
def test_estimates_at_the_edge_have_no_nan(mechanism, counts):
    for table in (
        candor.estimate(mechanism, counts),
        candor.difference(mechanism, counts, counts),
    ):
        assert not any(map(math.isnan, numbers_in(list(table))))
        for row in table:
            assert row.standard_error > 0
            assert row.low <= row.estimate <= row.high


@pytest.mark.parametrize("family", ["direct_choice", "k_ary"])
@pytest.mark.parametrize("counts", [(9, 0, 0), (0, 9, 0), (3, 3, 3), (1, 0, 1)])
def test_estimands_without_a_dichotomy_have_finite_figures(family, counts):
    settings = {} if family == "direct_choice" else {"epsilon": 1}
    table = candor.mechanism(family, choices=3, **settings)
    given = dict(zip(table.reports, counts, strict=True))
    (row,) = candor.estimate(table, given, estimand=candor.Estimand((0, 1, 2)))
    assert not any(map(math.isnan, numbers_in([row])))
    assert 0 <= row.low <= row.estimate <= row.high <= 2


def test_the_interval_without_reports_is_0_to_1():
    (row, _no) = candor.estimate(COIN, {})
    assert math.isnan(row.estimate)
    assert (row.low, row.high, row.status) == (0, 1, "no reports")


def test_a_mean_needs_a_scale():
    with pytest.raises(ValueError, match="'mean' needs the points of a scale"):
        candor.estimate(COIN, COUNTS, estimand="mean")
    with pytest.raises(KeyError, match="estimand must be one of yes, no"):
        candor.estimate(COIN, COUNTS)["mean"]
    assert candor.estimate(ONE_BIT, {"high": 60, "low": 40})["mean"].n == 100
