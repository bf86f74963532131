"""Recreate the triggers that keep an opened survey unchanged."""

from importlib import import_module

from django.db import connection

MIGRATIONS = (
    "0012_opened_surveys_stay",
    "0013_opened_surveys_are_not_emptied",
    "0026_panels",
)
"""The last migrations that create each trigger; a test compares with all migrations."""

IN_SQLITE = """
    SELECT tbl_name, name, replace(sql, '"', '') FROM sqlite_master
    WHERE type = 'trigger'
"""
# Includes the function that the trigger calls, and whether it is disabled.
IN_POSTGRESQL = """
    SELECT relname::text, tgname::text,
           concat(pg_get_triggerdef(pg_trigger.oid), tgenabled,
                  pg_get_functiondef(tgfoid))
    FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid
    WHERE NOT tgisinternal AND relnamespace = current_schema()::regnamespace
"""

FUNCTIONS = """
    SELECT oid::regprocedure::text FROM pg_proc
    WHERE pronamespace = current_schema()::regnamespace
    AND starts_with(proname, 'frozen_')
"""

Triggers = dict[tuple[str, str], str]


def read_triggers() -> Triggers:
    """Return {(table, name): definition}; only survey tables have triggers."""
    query = IN_SQLITE if connection.vendor == "sqlite" else IN_POSTGRESQL
    with connection.cursor() as cursor:
        cursor.execute(query)
        return {(table, name): text for table, name, text in cursor.fetchall()}


def recreate_triggers() -> list[str]:
    """Recreate the triggers as the migrations do; return the names that differed."""
    # In one transaction, which SQLite's schema editor has to begin itself.
    with connection.schema_editor() as editor:
        before = read_triggers()
        for table, name in before:
            drop_trigger(table, name)
        drop_functions()
        for module in MIGRATIONS:
            import_module(f"surveys.migrations.{module}").create(None, editor)
        after = read_triggers()
    return sorted({name for (_table, name), _text in before.items() ^ after.items()})


def drop_trigger(table: str, name: str) -> None:
    place = "" if connection.vendor == "sqlite" else f" ON {table}"
    with connection.cursor() as cursor:
        cursor.execute(f"DROP TRIGGER {connection.ops.quote_name(name)}{place}")


def drop_functions() -> None:
    if connection.vendor != "postgresql":
        return
    with connection.cursor() as cursor:
        cursor.execute(FUNCTIONS)
        for [function] in cursor.fetchall():
            cursor.execute(f"DROP FUNCTION {function}")
