import csv
import json
import math
from io import StringIO

import pandas as pd
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from candor.cli.rows import FORMULA_STARTS, format_csv, format_json
from estimation.files.estimates import serialize
from tests.estimation.results_of import result_of

# PostgreSQL and the admin's forms accept neither NUL nor surrogates.
TEXT = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]))
RISKY = st.sampled_from(FORMULA_STARTS).flatmap(lambda c: TEXT.map(lambda t: c + t))


def read(text):
    return list(csv.DictReader(StringIO(text, newline="")))


@settings(deadline=None)
@given(st.one_of(TEXT, RISKY))
def test_csv_texts_survive_and_never_start_a_formula(text):
    (row,) = read(format_csv([{"text": text, "end": 1}]))
    assert not row["text"].startswith(FORMULA_STARTS)
    assert row["text"] == (f"'{text}" if text.startswith(FORMULA_STARTS) else text)


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.tuples(st.floats(), st.one_of(TEXT, RISKY)), min_size=1))
def test_pandas_reads_the_same_numbers_and_texts(rows):
    written = format_csv([{"number": number, "text": text} for number, text in rows])
    frame = pd.read_csv(
        StringIO(written, newline=""),
        keep_default_na=False,
        na_values={"number": [""]},
        dtype={"number": float, "text": str},
    )
    for (number, text), found in zip(rows, frame.itertuples(), strict=True):
        assert found.number == number or (
            math.isnan(found.number) and math.isnan(number)
        )
        assert found.text.removeprefix("'") == text.removeprefix("'")


def test_json_has_null_for_missing_numbers():
    found = json.loads(format_json(serialize(result_of(0, 0, family="direct"))))
    assert found["epsilon"] is None
    assert found["estimates"][0]["raw"] is None
