"""What the tests of planning share: the command, and tables that were published."""

import json
from decimal import Decimal
from functools import cache
from pathlib import Path

from candor.mechanisms import build
from candor.planning.power import Claim
from tests.candor.cli.command import candor, candor_json

# In a folder of its own: the files next to it are studies with counts of reports.
TABLES = json.loads(
    (Path(__file__).parents[2] / "published" / "planning" / "tables.json").read_text()
)


def plan(*arguments):
    return candor("plan", *arguments)


def plan_json(name, **options):
    """What `plan --format json` prints for a mechanism of the tables."""
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
    """The test of a bound with so many respondents."""
    claim = Claim.of(
        mechanism, share=share, against=against, alpha=alpha, method=method
    )
    return claim.test(respondents)


def half_a_digit(written):
    """Half a unit of the last digit of a printed number."""
    return 10.0 ** Decimal(written).as_tuple().exponent / 2


def rounds_to(found, written):
    """Whether a number agrees with a printed one to half a unit of its last digit."""
    # Ties go either way, and floats are no decimals.
    return abs(found - float(written)) <= half_a_digit(written) + 1e-9
