"""Parameters as researchers type them."""

import json
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from candor.mechanisms.parameters import Parameter, ParameterError, exact

fixed = settings(derandomize=True, deadline=None, max_examples=50, database=None)

CHANCE = Parameter(name="p", label="Chance", example="1/6")

READ = [
    ("1/6", Fraction(1, 6)),
    (" 1/6 ", Fraction(1, 6)),
    ("1/6\n", Fraction(1, 6)),
    ("+1/6", Fraction(1, 6)),
    ("2/12", Fraction(1, 6)),
    ("0.25", Fraction(1, 4)),
    (".25", Fraction(1, 4)),
    ("25e-2", Fraction(1, 4)),
    ("2.5E-1", Fraction(1, 4)),
    (0.25, Fraction(1, 4)),
    (0.1, Fraction(1, 10)),
    (1e-5, Fraction(1, 10**5)),
    (Decimal("0.1"), Fraction(1, 10)),
    (Decimal("1E-2"), Fraction(1, 100)),
    (Fraction(1, 6), Fraction(1, 6)),
    # The shortest texts of the doubles nearest to 5/6, 1/3, 1/7 and 31/365
    (0.8333333333333334, Fraction(5, 6)),
    ("0.8333333333333334", Fraction(5, 6)),
    (1 / 3, Fraction(1, 3)),
    (1 / 7, Fraction(1, 7)),
    (31 / 365, Fraction(31, 365)),
    ("0.16666666666666666666666666666666666666", Fraction(1, 6)),
    # Not the double nearest to 1/3
    ("0.3333333333", Fraction(3333333333, 10**10)),
    (0.33333333, Fraction(33333333, 10**8)),
    # A fraction is exact
    ("16666666666666667/100000000000000000", Fraction(16666666666666667, 10**17)),
    (f"1/{10**30}", Fraction(1, 10**30)),
    (5e-324, Fraction(5, 10**324)),
    (np.float64(0.25), Fraction(1, 4)),
    (np.float64(1 / 6), Fraction(1, 6)),
    (np.float32(0.1), Fraction(1, 10)),
    (np.float16(0.5), Fraction(1, 2)),
    (np.longdouble("0.1"), Fraction(1, 10)),
    (np.str_("1/6"), Fraction(1, 6)),
]

REFUSED = [
    *("", "x", "1/0", "1//6", "1 / 6", "-1/6", "1/", ".", "1e", "1e5", "1e-999999999"),
    *("0", "1.0", "-0", "1.0000000000000001", "0,25", "25%", "½", "²", "NaN", "inf"),
    *("0x1", "0.1_0", "1/6;", "1/6\x00", "True"),
    *("\u0660.\u0662\u0665", "\uff11/\uff16", "1\u20446", "−1/6"),  # noqa: RUF001
    *("1" * 400 + ".00000000000001", "1" * 400 + "e999"),  # beyond every float
    *("0." + "9" * 10_000, "1/" + "9" * 10_000, "x" * 10**6, "(" * 5000),
    *(None, True, [0.25], (1, 6), {"p": 0.25}, b"1/6", object(), 0.25 + 0j, float),
    *(float("nan"), float("inf"), 0, 1, -0.25, 1e300, 10**5000, Fraction(1, 10**5000)),
    *(Decimal("NaN"), Decimal("sNaN"), Decimal("Infinity"), Decimal("1E-99999999")),
    *(np.float64("nan"), np.bool_(True), np.int64(1), np.array(0.25), np.array([])),
]


@pytest.mark.parametrize(("value", "number"), READ, ids=repr)
def test_a_number_is_parsed_as_an_exact_fraction(value, number):
    assert CHANCE.parse(value) == number


@pytest.mark.parametrize("value", REFUSED, ids=map(str, range(len(REFUSED))))
def test_invalid_numbers_are_rejected_with_name_range_and_value(value):
    with pytest.raises(ParameterError) as caught:
        CHANCE.parse(value)
    message = str(caught.value)
    assert message.startswith("p must be a number in (0, 1), such as 1/6; got ")
    assert len(message) < 120
    assert "\x00" not in message
    assert caught.value.parameter == "p"
    assert caught.value.value is value


@fixed
@given(st.floats(0, 1, exclude_min=True, exclude_max=True))
def test_a_float_and_its_exact_fraction_are_equal(value):
    assert float(exact(value)) == value


@fixed
@given(st.fractions(0, 1).filter(lambda number: 0 < number < 1))
def test_the_text_of_a_fraction_is_read_back_exactly(number):
    assert exact(str(number)) == exact(number) == number


@fixed
@given(
    st.one_of(
        st.text(max_size=20),
        st.text("0123456789./eE+- ", max_size=12),
        st.floats(),
        st.integers(),
        st.decimals(),
        st.none(),
        st.booleans(),
        st.binary(),
        st.lists(st.floats(), max_size=2),
        st.complex_numbers(),
    )
)
def test_any_input_is_parsed_or_raises_a_parameter_error(value):
    try:
        number = CHANCE.parse(value)
    except ParameterError:
        return
    assert 0 < number < 1
    # A stored number is read back unchanged.
    assert CHANCE.parse(json.loads(json.dumps(str(number)))) == number
