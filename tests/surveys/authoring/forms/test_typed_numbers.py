"""Numbers as people type them on a page."""

import math
from decimal import Decimal

import pytest

from surveys.authoring.forms.fields import normalise_integer, normalise_number
from surveys.models import Question, Survey
from tests.surveys.authoring.posted import ADD, posted


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("1,5", "1.5"),
        (" 0,25 ", "0.25"),
        ("-0,5", "-0.5"),
        (",5", ".5"),
        # math.log(3) is 1.0986122..., and the others likewise; all are rounded down.
        ("ln 3", "1.0986"),
        ("LN(3)", "1.0986"),
        ("ln3", "1.0986"),
        ("ln 5/3", "0.5108"),
        ("ln(1,5)", "0.4054"),
        ("ln 0.5", "-0.6932"),
        ("ln 1", "0.0000"),
    ],
)
def test_decimal_commas_and_logarithms_are_parsed(typed, read):
    assert normalise_number(typed) == read


@pytest.mark.parametrize(
    "typed",
    ["", "1.5", "3/4", "often", "1,5,0", "1,", "1.000,5", "1,5%", "ln", "ln x", "ln 0",
     "ln -3", "ln(3", "ln ln 3", "log 3", "ln " + "9" * 10_000, "1," + "9" * 10_000],
)  # fmt: skip
def test_other_number_input_is_unchanged(typed):
    assert normalise_number(typed) == typed


@pytest.mark.parametrize("number", [1.5, 2, 3, 7, 10, 1000])
def test_logarithms_are_rounded_down(number):
    read = float(normalise_number(f"ln {number}"))
    assert math.log(number) - 1e-4 < read <= math.log(number)


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("1,000", "1000"),
        ("1.000", "1000"),
        ("1 000 000", "1000000"),
        ("1\N{NO-BREAK SPACE}000", "1000"),
        ("1'000", "1000"),
        ("1000", "1000"),
        ("1,5", "1,5"),
        ("10.00", "10.00"),
        ("1,0000", "1,0000"),
        ("1e3", "1e3"),
    ],
)
def test_thousands_separators_are_accepted(typed, read):
    assert normalise_integer(typed) == read


@pytest.mark.parametrize(
    ("family", "typed", "stored"),
    [
        ("epsilon", {"epsilon__epsilon": "ln 3"}, {"epsilon": "5493/5000"}),
        ("warner", {"warner__p": "0,75"}, {"p": "3/4"}),
    ],
)
def test_the_form_stores_normalised_numbers(client, researcher, family, typed, stored):
    plan = {"batch_size": "1,000", "wanted_margin": "2,5", "target": "1,000"}
    client.post(ADD, posted({"family": family, **typed}, **plan))
    assert Question.objects.get().parameters == stored
    survey = Survey.objects.get()
    assert (survey.wanted_margin, survey.target) == (Decimal("2.5"), 1000)
    assert survey.batch_size == 1000


TARGET = "Enter a whole number from 1 to 10,000,000."
MARGIN = "Enter a number from 0.1 to 50, with 2 decimals at most."
BATCH = "Enter a whole number from 10 to 10,000."
ADDRESS = "Only a to z, digits, hyphens and underscores."


MESSAGES = {"target": TARGET, "wanted_margin": MARGIN, "batch_size": BATCH}


@pytest.mark.parametrize(
    "typed",
    [
        {"target": "1,5", "wanted_margin": "0.05", "batch_size": "9"},
        {"target": "0", "wanted_margin": "51", "batch_size": "10,001"},
        {"target": "10,000,001", "wanted_margin": "2.555"},
        {"wanted_margin": "nan"},
    ],
)
def test_an_invalid_value_is_reported_with_the_allowed_range(client, researcher, typed):
    answer = client.post(ADD, posted({"family": "coin"}, slug="Prüfung 1", **typed))
    errors = answer.context["adminform"].form.errors
    assert errors == {"slug": [ADDRESS], **{each: [MESSAGES[each]] for each in typed}}
    assert not Survey.objects.exists()
