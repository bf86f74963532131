"""Closed surveys to archive, archives, and what someone may have done to them."""

import json
from io import StringIO

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from django.core.management import call_command
from django.db import transaction

from candor.mechanisms.draws import NOT_ASKED
from tests.factories import make_survey

QUESTIONS = (
    "coin",
    ("k_ary", {"epsilon": 1, "choices": 3}),
    "direct",
    "die",
    ("grid", {"epsilon": 1, "points": 4}),
)
DRAWS = "1 of 1, 4"
REPORTS = (2, 3, 2, 2, 4)


def patterns_of(seed, respondents=600):
    """Counts of patterns as the survey draws them: of questions 1 and 4 one each."""
    rng = np.random.default_rng(seed)  # noqa: TID251 - a fixed seed
    rows = rng.integers(0, REPORTS, size=(respondents, len(REPORTS)))
    left_out = rng.integers(0, 2, size=respondents) * 3
    rows[np.arange(respondents), left_out] = NOT_ASKED
    patterns, counts = np.unique(rows.astype(np.uint8), axis=0, return_counts=True)
    return {
        bytes(pattern): int(count)
        for pattern, count in zip(patterns, counts, strict=True)
    }


def make_closed(counts, questions=QUESTIONS, **fields):
    """A closed survey of which this was counted."""
    fields = {"draws": DRAWS, **fields}
    return make_survey(questions, counts=counts, closed=True, **fields)


def run(command, *arguments):
    written = StringIO()
    call_command(command, *map(str, arguments), stdout=written)
    return written.getvalue()


def archived(survey, folder):
    run("archive", survey.slug, folder)
    return folder


def elsewhere(folder, counts, *args, **fields):
    """The archive of another server, of which this database knows nothing."""
    with transaction.atomic():
        archived(make_closed(counts, *args, **fields), folder)
        transaction.set_rollback(True)
    return folder


def change(folder, **changed):
    """Change keys of the design's file, without the signature that shows it."""
    file = folder / "design.json"
    described = json.loads(file.read_text())
    described.pop("signature", None)
    file.write_text(json.dumps({**described, **changed}))


def change_column(folder, name, row, value):
    """Change one cell of the counts."""
    file = folder / "patterns.parquet"
    table = pq.read_table(file)
    column = table[name].to_pylist()
    column[row] = value
    place = table.column_names.index(name)
    cells = pa.array(column, type=table.schema.field(name).type)
    pq.write_table(table.set_column(place, name, cells), file, store_schema=False)
