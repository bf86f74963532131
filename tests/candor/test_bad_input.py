"""Bad arguments of the public functions: refused by name, and never NaN.

Every public function has an entry in `CALLS`: a valid call, and for each argument the
values that it refuses. To cover another function, add an entry.
"""

import inspect
import math
import numbers
from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from types import MappingProxyType

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
    None,
    "yes",
    [40, 60],
    {"maybe": 1},
    {"yes": -1, "no": 60},
    {"yes": math.nan, "no": 60},
    {"yes": 1.5},
    {"yes": "4"},
    {"yes": True},
    {"yes": math.inf},
    {"yes": 10**18, "no": 10**18},
)
NOT_A_LEVEL = (0, 1, -0.5, 95, math.nan, math.inf, "0.95", None, True)
NOT_A_METHOD = ("exact", "", None, 1)
NOT_AN_ESTIMAND = (
    "maybe",
    "mean",
    1,
    candor.Estimand((1, 0, 0)),
    candor.Estimand((1, 1)),
    candor.Estimand((0.5, 0)),  # type: ignore[arg-type]
)
NOT_A_SHARE = (-0.1, 1.1, math.nan, math.inf, "0.5", None, True)
NOT_AN_ANSWER = ("maybe", "", 0)
NOT_A_GROUP = (1, ("a",))
NOT_STRATA = (
    None,
    "yes",
    {},
    {"yes": 4},
    {1: 4},
    {("f", "maybe"): 4},
    {("x", "yes"): 4, ("f", "no"): 2, ("m", "no"): 2},
    {**STRATA, ("f", "yes"): -1},
    {**STRATA, ("f", "yes"): math.nan},
    {**STRATA, ("f", "yes"): 1.5},
    {**STRATA, ("f", "yes"): 10**18},
)
NOT_A_MARGIN = (
    None,
    [0.5, 0.5],
    {"f": 0.5, "m": 0.4},
    {"f": math.nan, "m": 0.5},
    {"f": -0.5, "m": 1.5},
    {"f": "half", "m": 0.5},
)
NUMBERS = (-1, math.nan, math.inf, "3", None, True)


INTERVAL = {"confidence_level": NOT_A_LEVEL, "method": NOT_A_METHOD}

# By function: the arguments of a valid call, the bad values of each argument, and how
# errors name an argument where that is not its own name.
CALLS = {
    "estimate": (
        {"mechanism": COIN, "counts": COUNTS},
        {
            "mechanism": NOT_A_MECHANISM,
            "counts": NOT_COUNTS,
            "estimand": NOT_AN_ESTIMAND,
            "group": NOT_A_GROUP,
            **INTERVAL,
        },
    ),
    "difference": (
        {"mechanism": COIN, "first_counts": COUNTS, "second_counts": OTHERS},
        {
            "mechanism": NOT_A_MECHANISM,
            "first_counts": (*NOT_COUNTS, {}),
            "second_counts": (*NOT_COUNTS, {}),
            "second_mechanism": ("coin", ((3, 1), (1, 3)), GRID),
            "estimand": NOT_AN_ESTIMAND,
            "confidence_level": NOT_A_LEVEL,
            "groups": ("ab", ("a",), ("a", "b", "c"), ("a", 1), None, 3),
        },
    ),
    "pool": (
        {"groups": [(COIN, COUNTS), (DIE, OTHERS)]},
        {
            "groups": (
                None,
                "coin",
                [],
                [(COIN, COUNTS)],
                [(COIN, COUNTS), (GRID, {"0": 4})],
                *([(each, OTHERS), (COIN, COUNTS)] for each in NOT_A_MECHANISM),
                [(DIE, {}), (COIN, COUNTS)],
                [1, 2],
                [(), (COIN, COUNTS)],
            ),
            "answer": ("maybe", 1, ""),
            "confidence_level": NOT_A_LEVEL,
        },
    ),
    "sensitivity": (
        {"mechanism": COIN, "counts": COUNTS},
        {
            "mechanism": NOT_A_MECHANISM,
            "counts": NOT_COUNTS,
            "estimand": NOT_AN_ESTIMAND,
            "safe_report": ("maybe", 1, ""),
            **INTERVAL,
        },
    ),
    "estimate_cheating": (
        {"first": DIE, "first_counts": COUNTS, "second": COIN, "second_counts": OTHERS},
        {
            "first": (*NOT_A_MECHANISM, GRID),
            "first_counts": (*NOT_COUNTS, {}),
            "second": (*NOT_A_MECHANISM, ONE_BIT, DIE),
            "second_counts": (*NOT_COUNTS, {}),
            "safe_report": ("maybe", 1, ""),
            "confidence_level": NOT_A_LEVEL,
        },
    ),
    "estimate_attentive": (
        {
            "mechanism": COIN,
            "anchor": DIE,
            "counts": {("yes", "yes"): 20, ("no", "yes"): 20, ("no", "no"): 50},
        },
        {
            "mechanism": (*NOT_A_MECHANISM, GRID),
            "anchor": (*NOT_A_MECHANISM, GRID),
            "counts": (None, [1, 2], {"yes": 3}, {("yes", "no"): -3}, {}),
            "anchor_answer": ("maybe", 1, ""),
            "confidence_level": NOT_A_LEVEL,
        },
    ),
    "estimate_weighted": (
        {"mechanism": COIN, "sums": SUMS},
        {
            "mechanism": NOT_A_MECHANISM,
            "sums": (None, [1], {"yes": 3}, {"maybe": SUMS["yes"]}, {}),
            "estimand": NOT_AN_ESTIMAND,
            **INTERVAL,
        },
        {"sums": "sums|counts"},
    ),
    "estimate_clustered": (
        {"mechanism": COIN, "counts": STRATA},
        {
            "mechanism": NOT_A_MECHANISM,
            "counts": (None, [1], {"yes": 3}, {("a", "maybe"): 1}, {("a", "yes"): -1}),
            "estimand": NOT_AN_ESTIMAND,
            **INTERVAL,
        },
    ),
    "clustered_difference": (
        {
            "mechanism": COIN,
            "first_counts": STRATA,
            "second_counts": {(f"other {s}", r): n for (s, r), n in STRATA.items()},
        },
        {
            "mechanism": NOT_A_MECHANISM,
            "first_counts": (None, [1], {}, {("a", "maybe"): 1}, {("a", "yes"): -1}),
            "second_counts": (None, [1], {"yes": 3}, {("a", "yes"): 9}, STRATA),
            "estimand": NOT_AN_ESTIMAND,
            "confidence_level": NOT_A_LEVEL,
            "groups": ("ab", ("a",), ("a", "b", "c"), ("a", 1), None, 3),
        },
    ),
    "post_stratify": (
        {"mechanism": COIN, "counts": STRATA, "shares": {"f": 0.5, "m": 0.5}},
        {
            "mechanism": NOT_A_MECHANISM,
            "counts": NOT_STRATA,
            "shares": NOT_A_MARGIN,
            "estimand": NOT_AN_ESTIMAND,
            **INTERVAL,
        },
    ),
    "rake": (
        {"mechanism": COIN, "counts": STRATA, "margins": [{"f": 0.5, "m": 0.5}]},
        {
            "mechanism": NOT_A_MECHANISM,
            "counts": NOT_STRATA,
            "margins": (None, "fm", [], {"f": 1.0}, *([each] for each in NOT_A_MARGIN)),
            "estimand": NOT_AN_ESTIMAND,
            **INTERVAL,
        },
        {"margins": "margins|shares"},
    ),
    "census_interval": (
        {"mechanism": COIN, "counts": {"yes": 12, "no": 18}},
        {
            "mechanism": (*NOT_A_MECHANISM, ONE_BIT),
            "counts": (*NOT_COUNTS, {}),
            "answer": NOT_AN_ANSWER,
            "confidence_level": NOT_A_LEVEL,
        },
    ),
    "forgery_proof_interval": (
        {"mechanism": COIN, "counts": COUNTS, "forged": 5},
        {
            "mechanism": (*NOT_A_MECHANISM, ONE_BIT),
            "counts": NOT_COUNTS,
            "forged": (*NUMBERS, 101, 1.5),
            "answer": NOT_AN_ANSWER,
            **INTERVAL,
        },
    ),
    "one_sided_p_value": (
        {"mechanism": COIN, "counts": COUNTS, "bound": 0.2},
        {
            "mechanism": (*NOT_A_MECHANISM, ONE_BIT),
            "counts": (*NOT_COUNTS, {}),
            "bound": NOT_A_SHARE,
            "answer": NOT_AN_ANSWER,
            "is_above": (None, 1, "yes"),
            "method": NOT_A_METHOD,
        },
    ),
    "fit_logistic": (
        {
            "predictors": [[1, 1], [1, 0]],
            "counts": [[60, 40], [40, 60]],
            "p_yes_given_yes": 0.75,
            "p_yes_given_no": 0.25,
            "names": ["Intercept", "x"],
        },
        {
            "predictors": (None, 1, "x", [[1, math.nan], [1, 0]], [[1, "a"], [1, 0]]),
            "counts": (None, [60, 40], [[60, -1], [4, 6]], [[1, math.inf], [4, 6]]),
            "p_yes_given_yes": (-0.1, 0.2, 1.1, math.nan, "0.5", None, [0.7] * 3),
            "p_yes_given_no": (-0.1, 0.8, math.nan, math.inf, "0.5", None, [0.2] * 3),
            "names": (None, "ab", 1, ["x"], ["x", "x"], ["x", 1]),
            "scrambled": (0.5, {}, COIN),
            "squared_weights": (1, [[1, 2]], [[60, 40], [40, 60]]),
            "respondents": (-1, 1.5, math.nan, "3", True, 10**12),
            "clusters": (1, "ab", ["a"], ["a", "a"], [[], []]),
        },
    ),
    "total_epsilon": (
        {"parts": [1.1, candor.release(120, sigma=4, delta=0.1)], "delta": 1e-6},
        {
            "parts": (None, "yes", 1.1, [-0.1], [math.nan], ["1"], [None], [True]),
            "delta": (-1, 0, 1, math.nan, "x", True, None),
        },
    ),
    "release": (
        {"count": 120, "epsilon": "1/2"},
        {
            "count": (*NUMBERS, 1.5, 10**10),
            "epsilon": (-1, 0, 1000, math.nan, math.inf, "x", None, True),
            "sensitivity": (*NUMBERS, 0, 1.5, 10**6),
            "sigma": (-1, 0, math.nan, math.inf, "x", True, 10**6),
            "delta": (-1, 0.1, math.nan, "x"),
            "source": (None, 3),
        },
        {"epsilon": "epsilon", "delta": "delta"},
    ),
    "plan": (
        {"mechanism": COIN, "respondents": 1000, "margin": 0.05, "against": 0.1},
        {
            "mechanism": NOT_A_MECHANISM,
            "estimand": ("maybe", "mean", 1),
            "share": NOT_A_SHARE[:-2],
            "mean": (math.nan, -1, 2, "1"),
            "sd": (math.nan, -1, 2, "1"),
            "confidence_level": NOT_A_LEVEL,
            "respondents": (*NUMBERS[:-2], 0, 1.5, 10**10),
            "margin": (-1, 0, 1, math.nan, "0.1", True),
            "against": (-0.1, 1.1, math.nan, "0.5", True, 0.5),
            "other_share": (-0.1, 1.1, math.nan, "0.5", True, 0.5),
            "difference": (math.nan, -1, 2, "1"),
            "ratio": (*NUMBERS, 0, 1000),
            "power": (*NUMBERS, 0, 1),
            "alpha": (-1, 0, 1, math.nan, "0.05", True),
            "method": NOT_A_METHOD,
            "prior": NOT_A_SHARE,
            "questions": (*NUMBERS, 0, 201),
            "asked": (-1, 0, 2, 1.5, math.nan, "1", True),
            "forged": (*NUMBERS, 1.5, 10**10),
            "design_effect": (*NUMBERS, 0.5, 101),
            "intra_class": (-0.1, 1.1, math.nan, "0.1", True),
            "cluster_size": (*NUMBERS, 0.5, 10**5),
            "response_rate": (*NUMBERS, 0, 1.5),
            "with_shuffling": (None, 1, "yes"),
        },
        {"estimand": "estimand|mechanism"},
    ),
    "sample_size": (
        {"mechanism": COIN, "share": 0.2, "against": 0.1},
        {
            "mechanism": NOT_A_MECHANISM,
            "share": NOT_A_SHARE,
            "against": (*NOT_A_SHARE, 0.2),
            "alpha": (*NUMBERS, 0, 1),
            "power": (*NUMBERS, 0, 1),
            "method": NOT_A_METHOD,
        },
    ),
    "group_sizes": (
        {"mechanism": COIN, "share": 0.2, "other_share": 0.4},
        {
            "mechanism": NOT_A_MECHANISM,
            "share": (*NOT_A_SHARE, 0.4),
            "other_share": (*NOT_A_SHARE, 0.2),
            "difference": (math.nan, -1, 2, "1"),
            "mean": (math.nan, -1, 2, "1"),
            "sd": (math.nan, -1, 2, "1"),
            "ratio": (*NUMBERS, 0, 1000),
            "alpha": (*NUMBERS, 0, 1),
            "power": (*NUMBERS, 0, 1),
        },
    ),
    "margin_of_error": (
        {"mechanism": COIN, "respondents": 1000},
        {
            "mechanism": NOT_A_MECHANISM,
            "respondents": (*NUMBERS, 0, 1.5, 10**10),
            "share": NOT_A_SHARE,
            "mean": (math.nan, -1, 2, "1"),
            "sd": (math.nan, -1, 2, "1"),
            "confidence_level": NOT_A_LEVEL,
        },
    ),
    "holm": (
        {"p_values": [0.01, 0.04, 0.03]},
        {"p_values": (None, "0.1", 0.1, *([0.5, each] for each in NOT_A_SHARE))},
    ),
    "Sums": (
        {"respondents": 3, "total": 4.0, "squares": 6.0, "largest": 2.0},
        {
            "respondents": (*NUMBERS, 1.5, 0),
            "total": (*NUMBERS, 0),
            "squares": (*NUMBERS, 0),
            "largest": (*NUMBERS, 0),
        },
        {"respondents": "respondents|total"},
    ),
}


@pytest.mark.parametrize("name", CALLS)
def test_bad_arguments_are_named(name):
    arguments, bad, *named = CALLS[name]
    called = {argument: argument for argument in bad} | dict(*named)
    function = getattr(candor, name)
    assert {*inspect.signature(function).parameters} == {*bad}
    for argument, values in bad.items():
        for value in values:
            with pytest.raises((TypeError, ValueError), match=called[argument]):
                function(**{**arguments, argument: value})


def test_every_public_function_has_an_entry():
    """Except for `mechanism`: tests/candor/mechanisms/test_family.py has its."""
    functions = {
        name for name in candor.PUBLIC if inspect.isfunction(getattr(candor, name))
    }
    assert functions - {"mechanism"} <= set(CALLS)


def numbers_in(found):
    """Yield all numbers of a result, whatever it is."""
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


# Estimates at every edge: identical reports, reports out of range, the largest counts.
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
def test_an_estimand_without_a_dichotomy_has_figures_in_every_table(family, counts):
    settings = {} if family == "direct_choice" else {"epsilon": 1}
    table = candor.mechanism(family, choices=3, **settings)
    given = dict(zip(table.reports, counts, strict=True))
    (row,) = candor.estimate(table, given, estimand=candor.Estimand((0, 1, 2)))
    assert not any(map(math.isnan, numbers_in([row])))
    assert 0 <= row.low <= row.estimate <= row.high <= 2


def test_without_reports_the_interval_is_everything():
    (row, _no) = candor.estimate(COIN, {})
    assert math.isnan(row.estimate)
    assert (row.low, row.high, row.status) == (0, 1, "no reports")


def test_a_mean_needs_a_scale():
    with pytest.raises(ValueError, match="'mean' needs the points of a scale"):
        candor.estimate(COIN, COUNTS, estimand="mean")
    with pytest.raises(KeyError, match="estimand must be one of yes, no"):
        candor.estimate(COIN, COUNTS)["mean"]
    assert candor.estimate(ONE_BIT, {"high": 60, "low": 40})["mean"].n == 100
