"""The database and DuckDB count one survey equally; `make check-spark` adds Spark."""

import pytest

from candor.files.table import FileError
from estimation.rows.archives import ENGINES, count_archives
from estimation.rows.counts import read_contingency_table
from respondents.imports.archives.merge import read_sites
from tests.archives import archived, change_column, make_closed, patterns_of

pytestmark = pytest.mark.django_db

QUESTIONS = [[1], [2], [5], [1, 2], [3, 1], [1, 4], [2, 3, 5], [5, 4, 3, 2, 1]]


@pytest.fixture
def engine():
    with ENGINES["duckdb"]() as duckdb:
        yield duckdb


@pytest.fixture
def survey():
    return make_closed(patterns_of(3))


@pytest.fixture
def folder(survey, tmp_path):
    # Both engines would read it as a pattern.
    return archived(survey, tmp_path / "site [1] *?{a,b}")


def test_database_and_duckdb_counts_agree(survey, folder, engine):
    sites = read_sites([folder])
    for numbers in QUESTIONS:
        found = count_archives(sites, numbers, engine)
        kept = read_contingency_table(survey, numbers)
        assert dict(found.counts) == dict(kept.counts), numbers
        assert found.respondents == kept.respondents
        assert found.added_up == kept.added_up


@pytest.mark.parametrize(
    ("column", "value", "message"),
    [
        ("count", -1, r"column count: must be a whole number in \[1, 10+\]; got -1"),
        ("count", 10**13, r"column count: must be a whole .*; got 10000000000000"),
        ("count", None, r"column count: must be a whole .*; got 0"),
        ("count", 2**63 - 1, r"column count: must be a whole .*; got 9223372036854775"),
        ("count", 900, "respondents: must be "),
        ("q2", 9, r"column q2: must be a whole number in \[0, 2\], or nothing; got 9"),
    ],
)
def test_impossible_archive_values_are_rejected(folder, engine, column, value, message):
    change_column(folder, column, 0, value)
    with pytest.raises(FileError, match=message):
        count_archives(read_sites([folder]), [2, 3], engine)


def test_a_corrupt_archive_file_is_rejected(folder, engine):
    content = bytearray((folder / "patterns.parquet").read_bytes())
    content[4:60] = bytes(56)
    (folder / "patterns.parquet").write_bytes(content)
    with pytest.raises(FileError, match="cannot be read"):
        count_archives(read_sites([folder]), [1], engine)
