"""Test vectors shared with the browser's sampler (tests/browser)."""

import pytest

from candor.mechanisms import Mechanism, ParameterError, build, load_families
from candor.mechanisms.epsilon import epsilon_rounded_up
from candor.mechanisms.randomness import randomise, uniform_below
from candor.mechanisms.table import TableError
from scripts import make_vectors
from tests.candor.mechanisms.checks import VECTORS, CountingDraw, only, read_vectors

MAX_MESSAGE_LENGTH = 200
"""Three lines on a phone for any input."""

TABLES = [
    (name, table) for name in load_families() for table in read_vectors(name)["tables"]
]


def test_vector_files_match_the_reference_implementation():
    made = make_vectors.files()
    on_disk = {path.name: path.read_text("utf-8") for path in VECTORS.iterdir()}
    assert on_disk == made


@pytest.mark.parametrize(
    ("name", "vector"), TABLES, ids=[f"{name}{t['parameters']}" for name, t in TABLES]
)
def test_tables_and_reports_match_the_reference_vectors(name, vector):
    mechanism = build(name, **vector["parameters"])
    # If parameters decide the number of answers, each table names its own.
    names = {**read_vectors(name), **vector}
    stored = mechanism.to_dict()
    for part in ("answers", "reports", "weights"):
        assert stored[part] == names[part]
    assert epsilon_rounded_up(mechanism.worst_ratio) == vector["epsilon"]
    for case in vector["cases"]:
        draw = CountingDraw(only(*case["words"]))
        assert randomise(mechanism.weights, case["answer"], draw) == case["report"]
        assert draw.used == case["words_used"]


@pytest.mark.parametrize("name", load_families())
def test_bad_parameters_give_one_clear_error(name):
    ranges = {given.name: given.allowed for given in load_families()[name].parameters}
    for case in read_vectors(name)["refused"]:
        with pytest.raises(ParameterError) as caught:
            pytest.fail(f"{case}: {build(name, **case['parameters'])}")
        error = caught.value
        assert case["names"] in error.parameter, case
        message = str(error)
        opening, _got, text = message.partition("; got ")
        assert opening == f"{error.parameter} must be {error.allowed}", case
        assert len(message) < MAX_MESSAGE_LENGTH, case

        if error.allowed == ranges.get(error.parameter):
            value = case["parameters"].get(error.parameter)
            is_empty = value is None or str(value).strip() == ""
            assert ("nothing" if is_empty else str(value)[:50]) in text, case


@pytest.mark.parametrize(
    "case", read_vectors("refused_tables")["tables"], ids=lambda case: case["why"]
)
def test_a_table_that_cannot_be_sampled_or_inverted_is_rejected(case):
    rows = case["weights"]
    with pytest.raises(TableError):
        Mechanism.from_dict(
            {
                "family": "coin",
                "parameters": {},
                "answers": [f"answer {k}" for k in range(len(rows))],
                "reports": [f"report {k}" for k in range(len(rows[0]) if rows else 2)],
                "weights": rows,
            }
        )


@pytest.mark.parametrize("total", read_vectors("refused_tables")["totals"])
def test_a_total_larger_than_a_word_is_rejected(total):
    with pytest.raises(ValueError, match=r"n must be in \[1, 2\*\*32\]"):
        uniform_below(total, only(0))
