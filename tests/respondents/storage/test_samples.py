"""PostgreSQL keeps no samples of what respondents send: it would keep them for long.

The planner's statistics list values of a column until the table is analysed again, also
values of rows that are deleted or were counted with others meanwhile.
"""

from importlib import import_module

import pytest
from django.db import connection

from respondents.models import Response, close
from respondents.storage.invitations import Invitation
from respondents.storage.secure_deletion import Unerased
from tests.factories import make_responses, make_survey
from tests.respondents.storage.on_disk import find_places, run_sql

pytestmark = [pytest.mark.storage, pytest.mark.usefixtures("committed")]

__test__ = connection.vendor == "postgresql"

MIGRATION = "respondents.migrations.0007_keep_no_samples_of_patterns"

SAMPLED = """
    SELECT tablename::text, attname::text FROM pg_stats
    WHERE schemaname = 'public' AND tablename LIKE 'respondents_%'
"""
NOT_SAMPLED = """
    SELECT relname::text, attname::text FROM pg_attribute
    JOIN pg_class ON pg_class.oid = attrelid
    WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
    AND relname LIKE 'respondents_%' AND attnum > 0 AND attstattarget = 0
"""
COLUMNS = NOT_SAMPLED.replace("attstattarget = 0", "NOT attisdropped")


def test_only_the_survey_column_has_planner_statistics():
    survey = make_survey(batch_size=10)
    make_responses(survey, [b"%03d" % number for number in range(60)])
    Response.objects.seal(survey, leave=10)
    Invitation.objects.make(make_survey(slug="invited", access="invitation"), 20)
    Unerased.objects.note_deletion()
    run_sql("ANALYZE")
    assert {column for _table, column in run_sql(SAMPLED)} == {"survey_id"}
    left = set(run_sql(COLUMNS)) - set(run_sql(NOT_SAMPLED))
    assert {column for _table, column in left} == {"survey_id"}
    assert run_sql("SELECT count(*) FROM pg_stats_ext") == [(0,)]


def test_the_migration_erases_earlier_planner_statistics():
    migration = import_module(MIGRATION)
    for table, column, _kind in migration.COLUMNS:
        run_sql(f"ALTER TABLE {table} ALTER COLUMN {column} SET STATISTICS -1")
    survey, markers = make_survey(batch_size=10), [b"marker-%d" % n for n in range(9)]
    make_responses(survey, markers * 3)
    close(survey)
    before = find_places(markers)
    run_sql("ANALYZE")
    sampled = ("respondents_sealedpattern", "pattern")
    assert sampled in run_sql(SAMPLED)
    # As bytes in hexadecimal in what PostgreSQL shows, and as they are in its file.
    assert all(
        now > then for now, then in zip(find_places(markers), before, strict=True)
    )

    for operation in migration.Migration.operations:
        with connection.schema_editor(atomic=operation.atomic or False) as editor:
            operation.code(None, editor)

    assert sampled not in run_sql(SAMPLED)
    run_sql("ANALYZE")
    assert sampled not in run_sql(SAMPLED)
    assert find_places(markers) == before
