"""Count one survey with the database, DuckDB and Spark: `make check-spark`.

All three must agree on a survey with a draw, a question with several answers and a
scale, also for two archives together. Spark and Java take some 500 MB, so no other
target needs them; make installs them in an environment of their own.
"""

import os
from itertools import chain, combinations
from pathlib import Path
from tempfile import TemporaryDirectory

import django
from django.core.management import call_command

QUESTIONS = range(1, 6)
MAX_CONCURRENT = 3
"""Spark takes a second for each expression."""


def main() -> None:
    with TemporaryDirectory() as name:
        folder = Path(name)
        os.environ["DATABASE_URL"] = f"sqlite:///{folder / 'check.sqlite3'}"
        os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
        django.setup()
        call_command("migrate", verbosity=0)
        print(check(folder))


def check(folder: Path) -> str:
    from estimation.rows.archives import ENGINES, count_archives
    from estimation.rows.counts import read_contingency_table
    from respondents.imports.archives.merge import read_sites
    from tests.archives import archived, make_closed, patterns_of, run

    survey = make_closed(patterns_of(5, respondents=5000))
    # Both engines would read this name as a pattern.
    places = [archived(survey, folder / name) for name in ("site [1] *?{a,b}", "again")]
    asked = [*chain(*(combinations(QUESTIONS, size) for size in (1, 2))), (5, 3, 1)]
    for folders in (places[:1], places):
        sites = read_sites(folders, may_be_identical=True)
        with ENGINES["duckdb"]() as duckdb, ENGINES["spark"]() as spark:
            for numbers in asked:
                kept = read_contingency_table(survey, numbers).counts
                expected = {
                    pattern: count * len(folders) for pattern, count in kept.items()
                }
                for engine in (duckdb, spark):
                    found = count_archives(sites, numbers, engine).counts
                    assert found == expected, (engine, numbers)
    arguments = (places[0], "--questions", 2, 3, "--engine")
    texts = [run("analyse", *arguments, engine) for engine in ("duckdb", "spark")]
    assert texts[0].replace('"duckdb"', '"spark"') == texts[1]
    return f"Database, DuckDB and Spark agree on {len(asked)} sets of questions"


if __name__ == "__main__":
    main()
