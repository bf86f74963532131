"""Bytes per respondent in the database, by table.

Each table is filled separately, with its indexes and in random order, and measured in
pages of the database.

    python -m benchmarks.storage [--rows 100000] [--questions 20]
    scripts/with_postgresql .venv/bin/python -m benchmarks.storage
"""

import argparse
import secrets
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.database import set_up

ROWS, QUESTIONS = 100_000, 20
BATCH = 10_000


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rows", type=int, default=ROWS)
    parser.add_argument("--questions", type=int, default=QUESTIONS)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        set_up(Path(folder))
        measure(chosen.rows, chosen.questions)


def measure(rows: int, questions: int) -> None:
    from django.contrib.auth.models import User

    from respondents.models import Receipt, Response, SealedPattern
    from respondents.storage.exactly_once import draw_random_id
    from respondents.storage.invitations import Invitation
    from surveys.models import Survey

    owner = User.objects.create(username="owner")
    survey = Survey.objects.create(
        title="Benchmark", slug="benchmark", organiser="No one", owner=owner
    )

    def pattern() -> bytes:
        return secrets.token_bytes(questions)

    rows_of: dict[str, tuple[Any, Callable[[], dict[str, object]]]] = {
        "its mark, until the survey closes": (
            Receipt, lambda: {"id": draw_random_id()}
        ),
        "a response that waits to be sealed": (
            Response, lambda: {"id": draw_random_id(), "pattern": pattern()}
        ),
        "a one-time link": (
            Invitation, lambda: {"hash": secrets.token_bytes(32), "spent": True}
        ),
        "a sealed pattern, however often it came": (
            SealedPattern,
            lambda: {"id": draw_random_id(), "pattern": pattern(), "count": 1},
        ),
    }  # fmt: skip
    for name, (model, fields) in rows_of.items():
        before = size()
        for _ in range(0, rows, BATCH):
            model.objects.bulk_create(
                model(survey=survey, **fields()) for _ in range(BATCH)
            )
        taken = (size() - before) / rows
        sys.stdout.write(f"{name:<42}{taken:6.0f} bytes\n")


def size() -> int:
    from django.db import connection

    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("PRAGMA page_count")
            [pages] = cursor.fetchone()
            cursor.execute("PRAGMA page_size")
            [bytes_of_one] = cursor.fetchone()
            return int(pages * bytes_of_one)
        cursor.execute("SELECT pg_database_size(current_database())")
        return int(cursor.fetchone()[0])


if __name__ == "__main__":
    main()
