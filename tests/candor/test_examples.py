"""The examples in docstrings give the figures that they show."""

import doctest
import pkgutil
from importlib import import_module

import pytest

import candor
from candor.mechanisms import build
from candor.mechanisms.composition import compose
from candor.mechanisms.draws import draw_asked
from candor.mechanisms.odds import exposure_of, odds_of
from candor.mechanisms.randomness import randomise, uniform_below
from candor.mechanisms.sampling import randomise_many
from candor.regression.fit import LogisticFit, fit_logistic
from candor.releases.counts import Release, release, sensitivity_of_histogram
from candor.releases.noise import DiscreteLaplace
from candor.releases.sampling import below
from candor.releases.shares import estimate_released

MODULES = [each.name for each in pkgutil.walk_packages(candor.__path__, "candor.")]
FINDER = doctest.DocTestFinder(exclude_empty=True)


@pytest.mark.parametrize("name", MODULES)
def test_examples_show_what_comes_out(name):
    assert doctest.testmod(import_module(name)).failed == 0


@pytest.mark.parametrize(
    "public",
    [
        DiscreteLaplace,
        LogisticFit.table,
        Release.table,
        below,
        build,
        candor.Mechanism,
        compose,
        draw_asked,
        estimate_released,
        exposure_of,
        fit_logistic,
        odds_of,
        randomise,
        randomise_many,
        release,
        sensitivity_of_histogram,
        uniform_below,
    ],
    ids=lambda public: public.__qualname__,
)
def test_public_functions_have_an_example(public):
    assert any(each.examples for each in FINDER.find(public, public.__name__))
