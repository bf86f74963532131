"""`candor release`; its maths is checked in tests/candor/releases."""

import json

import pytest

from candor.releases.noise import DiscreteGaussian, DiscreteLaplace
from tests.candor.cli.command import CommandFailedError, candor

COUNT = ("--count", "120")


def release(*arguments):
    return candor("release", *COUNT, *arguments).replace("\N{NO-BREAK SPACE}", " ")


@pytest.fixture
def noise(monkeypatch):
    """Every noise is 3, so that the whole output can be read."""
    for law in (DiscreteLaplace, DiscreteGaussian):
        monkeypatch.setattr(law, "draw", lambda self, source: 3)


def test_its_json_is_one_object(noise):
    found = json.loads(release("--epsilon", "0.5", "--format", "json"))
    assert found == {
        "released": 123,
        "epsilon": 0.5,
        "delta": 0.0,
        "sensitivity": 1,
        "noise": "discrete Laplace",
        "standard_deviation": pytest.approx(2.79918, abs=5e-6),
        "low": 117,
        "high": 129,
        "confidence_level": 0.95,
    }


def test_its_table_says_the_same_and_not_the_true_count(noise):
    shown = release("--epsilon", "1/2", "--sensitivity", "2")
    assert shown.splitlines() == [
        "released        123",
        "true count      111 to 135 (0.95 confidence interval)",
        "noise           discrete Laplace, standard deviation 5.64",
        "epsilon         at most 0.5; one person changes the count by 2 at most",
        "released again  epsilons add",
    ]


def test_planned_releases_are_added_up_by_both_ways(noise):
    given = ("--sigma", "8", "--delta", "1e-6", "--releases", "12")
    assert release(*given).splitlines()[-1] == (
        "released again  12 times in all: epsilon 2.370 at most, delta 1e-06 in all "
        "(basic composition 6.841, zero-concentrated 2.370)"
    )
    found = json.loads(release(*given, "--format", "json"))
    assert (found["releases"], found["total_epsilon"]) == (
        12,
        found["total_concentrated"],
    )
    assert found["total_basic"] == pytest.approx(6.8404634, abs=5e-8)
    shown = release("--epsilon", "0.5", "--releases", "3").splitlines()[-1]
    assert shown == "released again  3 times in all: epsilon 1.5 at most"


@pytest.mark.parametrize(
    ("delta", "message"),
    [("1e-6", "1e-06"), ("1.01e-6", "1.1e-06"), ("0.991", "0.991"), ("0.3", "0.3")],
)
def test_its_table_never_tells_less_of_a_chance_nor_one_that_is_certain(
    noise, delta, message
):
    shown = release("--sigma", "4", "--delta", delta)
    assert f", but for a chance of {message} (delta);" in shown


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ([], "release needs epsilon"),
        (["--epsilon", "half"], "got 'half'"),
        (["--epsilon", "1", "--confidence-level", "1"], "--confidence-level: must be"),
        (["--epsilon", "1", "--releases", "0"], "releases must be a whole number"),
    ],
)
def test_bad_input_is_one_clear_line(given, message):
    with pytest.raises(CommandFailedError) as error:
        release(*given)
    assert message in str(error.value)
