"""The whole plan: figures of each question and the JSON output."""

import json

import pytest

from candor.mechanisms import build
from candor.planning.plan import plan


@pytest.mark.parametrize("family", ["coin", "direct"])
@pytest.mark.parametrize("share", [0, 0.1])
def test_a_plan_is_written_as_strict_json(family, share):
    found = plan(
        build(family), share=share, respondents=50, margin=0.1, against=0.3, prior=0
    )
    written = json.dumps(found.to_dict(), allow_nan=False)
    assert json.loads(written) == found.to_dict()


def test_one_function_plans_shares_and_means():
    scale = build("grid", epsilon=4, points=5)
    mean = plan(scale, respondents=400, difference=1, margin=0.2)
    assert mean.assumed.most_precise == "grid"
    assert mean.size.respondents > 0
    assert {each.unit for each in mean.figures()} >= {"points", "respondents"}
    share = plan(scale, estimand="share", share=0.3, respondents=400)
    assert share.assumed.part == 0.3
    figures = {each.name: each for each in share.figures()}
    assert figures["margin of error"].value == share.precision.margin
    assert figures["margin of error"].unit == ""


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"estimand": "median"}, "estimand must be share or mean; got 'median'"),
        ({"estimand": "mean"}, "mechanism must be of one_bit or grid; got coin"),
        ({"difference": 1}, "difference must be left out of a share; got 1"),
    ],
)
def test_arguments_of_another_estimand_are_rejected(given, message):
    with pytest.raises(ValueError, match=message):
        plan(build("coin"), **given)
    with pytest.raises(ValueError, match=r"share must be left out of a mean; got 0\.1"):
        plan(build("one_bit", epsilon=1, points=5), share=0.1)


@pytest.mark.parametrize("level", [0.4, 1 - 1e-10])
@pytest.mark.parametrize("test", [{"against": 0.1}, {"other_share": 0.2}])
def test_a_level_that_defines_no_test_is_named(level, test):
    message = rf"confidence_level must be a number in \[0\.5, 0\.999999999\].* {level}"
    with pytest.raises(ValueError, match=message):
        plan(build("coin"), confidence_level=level, **test)
    plan(build("coin"), confidence_level=level, alpha=0.05, **test)
    plan(build("coin"), confidence_level=level)


def test_figures_have_unique_names():
    grid = build("grid", epsilon=2, points=5)
    for found in (
        plan(
            build("coin"), respondents=1000, margin=0.1, against=0.2, other_share=0.3,
            questions=5, asked=2, response_rate=0.5,
        ),
        plan(grid, respondents=1000, margin=0.1, difference=1, questions=5),
    ):  # fmt: skip
        names = [(each.section, each.name) for each in found.figures()]
        assert len(set(names)) == len(names)


def test_epsilon_is_never_printed_too_small():
    found = plan(build("epsilon", epsilon="3"), respondents=1000)
    for figure in found.figures():
        if figure.unit == "epsilon":
            assert float(str(figure).split()[0]) >= figure.value
