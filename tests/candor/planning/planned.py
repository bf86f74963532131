"""Shared by the tests of planning: the command and published tables."""

import json
from decimal import Decimal
from functools import cache
from pathlib import Path

from candor.mechanisms import build
from candor.planning.power import Claim
from tests.candor.cli.command import candor, candor_json

# A separate folder: the files in `published` are studies with counts.
TABLES = json.loads(
    (Path(__file__).parents[2] / "published" / "planning" / "tables.json").read_text()
)


def plan(*arguments):
    return candor("plan", *arguments)


def plan_json(name, **options):
    """Return the output of `plan --format json` for a mechanism of the tables."""
    recipe = TABLES["mechanisms"][name]
    return plan_json_of(recipe["family"], recipe.get("parameters", {}), **options)


def plan_json_of(family, parameters, **options):
    arguments = ["plan", "--family", family]
    if parameters:
        given = (f"{key}={value}" for key, value in parameters.items())
        arguments += ["--set", *given]
    for option, value in options.items():
        arguments += [f"--{option.replace('_', '-')}", str(value)]
    return candor_json(*arguments)


@cache
def mechanism_of(name):
    recipe = TABLES["mechanisms"][name]
    return build(recipe["family"], **recipe.get("parameters", {}))


def power_of(
    mechanism, *, respondents, share, against, alpha=0.05, method="feldman-cousins"
):
    """Return the test of a bound with n respondents."""
    claim = Claim.of(
        mechanism, share=share, against=against, alpha=alpha, method=method
    )
    return claim.test(respondents)


def half_a_digit(written):
    """Return half a unit of the last digit of a printed number."""
    return 10.0 ** Decimal(written).as_tuple().exponent / 2


def rounds_to(found, written):
    """Return whether a number rounds to a printed one."""
    # Ties round either way, and floats are not decimals.
    return abs(found - float(written)) <= half_a_digit(written) + 1e-9
