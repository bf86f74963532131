"""On PostgreSQL the respondents' server stores responses and reads none, nor links."""

import secrets
from contextlib import contextmanager
from io import StringIO

import psycopg
import pytest
from django.core.management import CommandError, call_command
from django.db import ProgrammingError, connection
from django.test import Client

from respondents.models import Receipt, Response, SealedPattern, close
from respondents.storage.invitations import Invitation, hash_token
from respondents.tokens import make_token
from surveys.models import Survey
from tests.factories import make_responses, make_survey
from tests.respondents.sent import send
from tests.respondents.storage.on_disk import run_sql
from tests.respondents.ways import FastClient

pytestmark = [pytest.mark.storage, pytest.mark.usefixtures("committed")]

HAS_ROLES = connection.vendor == "postgresql"


@pytest.fixture
def role(committed):
    """A role of no rights, which may log in, as `createuser` makes it."""
    name = f"candor_door_{secrets.token_hex(4)}"
    run_sql(f"CREATE ROLE {name} LOGIN")
    yield name
    run_sql(f"DROP OWNED BY {name}")
    run_sql(f"DROP ROLE {name}")


@contextmanager
def as_restricted_role(role, settings):
    """Be the respondents' door: its role, its addresses, and no sealing."""
    settings.SEALS = False
    settings.ROOT_URLCONF = "config.respondents_urls"
    run_sql(f"SET SESSION AUTHORIZATION {role}")
    yield
    run_sql("RESET SESSION AUTHORIZATION")


def place_of(role):
    """How this role connects to the tests' database."""
    place = connection.get_connection_params()
    return {"dbname": place["dbname"], "host": place["host"], "user": role}


RIGHTS = """
    WITH ours AS (
        SELECT oid, relname::text, relkind FROM pg_class
        WHERE relnamespace = 'public'::regnamespace
    ), tables AS (SELECT * FROM ours WHERE relkind IN ('r', 'v', 'm', 'p', 'f'))
    SELECT relname, privilege FROM tables, unnest(ARRAY[
        'SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER'
    ]) AS privilege WHERE has_table_privilege(%(role)s, oid, privilege)
    UNION ALL
    SELECT relname, format('%%s (%%s)', privilege, attname)
    FROM tables JOIN pg_attribute ON attrelid = oid AND attnum > 0,
        unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'REFERENCES']) AS privilege
    WHERE has_column_privilege(%(role)s, oid, attnum, privilege)
        AND NOT has_table_privilege(%(role)s, oid, privilege)
    UNION ALL
    SELECT relname, privilege FROM ours, unnest(ARRAY[
        'SELECT', 'USAGE', 'UPDATE'
    ]) AS privilege
    WHERE relkind = 'S' AND has_sequence_privilege(%(role)s, oid, privilege)
    UNION ALL
    SELECT oid::regprocedure::text, 'EXECUTE' FROM pg_proc
    WHERE pronamespace = 'public'::regnamespace AND prorettype <> 'trigger'::regtype
        AND has_function_privilege(%(role)s, oid, 'EXECUTE')
    UNION ALL
    SELECT 'public', 'CREATE' WHERE has_schema_privilege(%(role)s, 'public', 'CREATE')
"""
"""No one can call a function of a trigger."""


def rights_of(role):
    """Return {table or function: rights}, however the role came by them."""
    rights = {}
    with connection.cursor() as cursor:
        cursor.execute(RIGHTS, {"role": role})
        for name, right in cursor.fetchall():
            rights.setdefault(name.replace("bigint,bytea", "bigint, bytea"), set()).add(
                right
            )
    return rights


class TestRoles:
    __test__ = HAS_ROLES

    @pytest.mark.parametrize("door", [Client, FastClient])
    def test_the_restricted_role_stores_everything_respondents_send(
        self, role, settings, door
    ):
        call_command("grants", role, "--apply", stdout=StringIO())
        client, survey = door(), make_survey()
        invited = make_survey(slug="invited", access="invitation")
        tokens = Invitation.objects.make(invited, 3)
        closed = make_survey(slug="closed")
        close(closed)
        with as_restricted_role(role, settings):
            assert client.get(f"/s/{survey.slug}/").status_code == 200
            for number in (1, 1, 2):
                assert send(client, survey, number=number).status_code == 200
            for token in (*tokens[:2], tokens[0]):
                assert send(client, invited, invitation=token).status_code == 200
            unknown = make_token(invited.design_digest)
            assert send(client, invited, invitation=unknown).status_code == 403
            assert send(client, closed).status_code == 410
            assert client.get("/s/closed/").status_code == 410
            assert client.get("/health/").json() == {"database": "ok"}

        assert Response.objects.filter(survey=survey).count() == 2
        assert Receipt.objects.filter(survey=survey).count() == 2
        assert Response.objects.filter(survey=invited).count() == 2
        assert Invitation.objects.filter(spent=True).count() == 2
        # The first of each kind is Django's.
        assert door is Client or client.handler.fast == 4

    def test_the_restricted_role_neither_closes_nor_accepts_late_responses(
        self, role, client, settings
    ):
        call_command("grants", role, "--apply", stdout=StringIO())
        survey = make_survey()
        Survey.objects.filter(pk=survey.pk).update(closes_on="2020-01-01")
        with as_restricted_role(role, settings):
            assert send(client, survey).status_code == 410
            assert client.get(f"/s/{survey.slug}/").status_code == 410
        survey.refresh_from_db()
        assert survey.is_open
        call_command("seal", stdout=StringIO())
        survey.refresh_from_db()
        assert survey.is_closed

    def test_the_restricted_role_cannot_read_reports(self, role):
        call_command("grants", role, "--apply", stdout=StringIO())
        survey = make_survey()
        make_responses(survey, [b"\x01"] * 3)
        Response.objects.seal(survey, leave=1)
        refused = [
            "SELECT pattern FROM respondents_response",
            "SELECT count(*) FROM respondents_response",
            "DELETE FROM respondents_response RETURNING pattern",
            "UPDATE respondents_response SET pattern = pattern RETURNING pattern",
            "INSERT INTO respondents_response DEFAULT VALUES RETURNING pattern",
            "COPY respondents_response TO STDOUT",
            "SELECT pattern FROM respondents_sealedpattern",
            "TABLE respondents_sealedpattern",
            "DELETE FROM respondents_receipt",
            "SELECT * FROM respondents_receipt",
            "UPDATE surveys_survey SET state = 'closed'",
            "SELECT * FROM auth_user",
            "SELECT * FROM django_session",
        ]
        with psycopg.connect(**place_of(role), autocommit=True) as session:
            for statement in refused:
                with pytest.raises(psycopg.errors.InsufficientPrivilege):
                    session.execute(statement)
            with pytest.raises(psycopg.errors.IntegrityConstraintViolation):
                session.execute("UPDATE surveys_survey SET id = id + 1")

    def test_the_restricted_role_can_only_spend_a_known_link(self, role):
        call_command("grants", role, "--apply", stdout=StringIO())
        survey = make_survey(access="invitation")
        other = make_survey(slug="other", access="invitation")
        used, unused = map(hash_token, Invitation.objects.make(survey, 2))
        [foreign] = map(hash_token, Invitation.objects.make(other, 1))
        refused = [
            "SELECT hash FROM {links}",
            "SELECT count(*) FROM {links}",
            "SELECT FROM {links} FOR KEY SHARE",
            "COPY {links} TO STDOUT",
            "UPDATE {links} SET spent = false",
            "UPDATE {links} SET spent = true",
            "INSERT INTO {links} DEFAULT VALUES",
            "DELETE FROM {links}",
            "TRUNCATE {links}",
            "CREATE OR REPLACE FUNCTION public.respondents_knows(bigint, bytea) "
            "RETURNS boolean LANGUAGE sql AS 'SELECT true'",
        ]
        with psycopg.connect(**place_of(role), autocommit=True) as session:
            # Tables of its own do not take the place of the real ones.
            session.execute("CREATE TEMP TABLE respondents_invitation (LIKE pg_class)")
            session.execute("SET search_path = pg_temp, public")

            def call(name, mark):
                query = f"SELECT public.respondents_{name}(%s, %s)"
                return session.execute(query, [survey.pk, mark]).fetchone()[0]

            for statement in refused:
                with pytest.raises(psycopg.errors.InsufficientPrivilege):
                    session.execute(
                        statement.format(links="public.respondents_invitation")
                    )
            marks = [used, foreign, b"unknown"]
            assert [call("knows", mark) for mark in marks] == [True, False, False]
            assert [call("spend", mark) for mark in marks] == [True, None, None]
            assert [call("spend", mark) for mark in marks] == [False, None, None]
            assert call("knows", used)
        rows = Invitation.objects.values_list("hash", "spent")
        assert {bytes(mark): spent for mark, spent in rows} == {
            used: True,
            unused: False,
            foreign: False,
        }

    def test_the_role_has_these_rights_and_no_others(self, role):
        call_command("grants", role, "--apply", stdout=StringIO())
        assert rights_of(role) == {
            "surveys_survey": {"SELECT", "UPDATE (id)"},
            "surveys_question": {"SELECT"},
            "surveys_choice": {"SELECT"},
            "respondents_receipt": {"INSERT", "SELECT (id)"},
            "respondents_response": {"INSERT"},
            "respondents_spend(bigint, bytea)": {"EXECUTE"},
            "respondents_knows(bigint, bytea)": {"EXECUTE"},
        }

    def test_no_other_role_may_call_the_functions(self, role):
        assert rights_of(role) == {}

    def test_earlier_grants_are_revoked(self, role):
        run_sql(f"GRANT SELECT (pattern) ON respondents_response TO {role}")
        run_sql(f"GRANT ALL ON respondents_sealedpattern TO {role}")
        # What `grants` gave in 0.1.0.
        run_sql(f"GRANT SELECT, UPDATE (spent) ON respondents_invitation TO {role}")
        call_command("grants", role, "--apply", stdout=StringIO())
        run_sql(f"SET SESSION AUTHORIZATION {role}")
        try:
            for model in (Response, SealedPattern, Invitation):
                with pytest.raises(ProgrammingError, match="permission denied"):
                    list(model.objects.all())
        finally:
            run_sql("RESET SESSION AUTHORIZATION")

    @pytest.mark.parametrize(
        "widen", ["ALTER ROLE {role} SUPERUSER", "GRANT pg_read_all_data TO {role}"]
    )
    def test_a_role_with_other_read_access_is_rejected(self, role, widen):
        run_sql(widen.format(role=role))
        with pytest.raises(
            CommandError, match="able to read or change respondents_response"
        ):
            call_command("grants", role, "--apply")

    def test_public_rights_on_links_are_rejected(self, role):
        columns = ("SELECT (spent)", "UPDATE (hash)", "UPDATE (spent)")
        for right in ("SELECT", *columns, "INSERT", "DELETE"):
            run_sql(f"GRANT {right} ON respondents_invitation TO PUBLIC")
            try:
                with pytest.raises(CommandError, match="respondents_invitation"):
                    call_command("grants", role, "--apply")
            finally:
                run_sql(f"REVOKE {right} ON respondents_invitation FROM PUBLIC")

    def test_a_role_name_with_a_double_quote_is_quoted(self, committed):
        name = f'candor"door"{secrets.token_hex(4)}'
        quoted = '"' + name.replace('"', '""') + '"'
        run_sql(f"CREATE ROLE {quoted} LOGIN")
        try:
            call_command("grants", name, "--apply", stdout=StringIO())
            assert rights_of(name)["respondents_response"] == {"INSERT"}
        finally:
            run_sql(f"DROP OWNED BY {quoted}")
            run_sql(f"DROP ROLE {quoted}")

    def test_without_apply_grants_are_only_shown(self, role):
        shown = StringIO()
        call_command("grants", role, stdout=shown)
        assert f'GRANT INSERT ON respondents_response TO "{role}";' in shown.getvalue()
        run_sql(f"SET SESSION AUTHORIZATION {role}")
        try:
            # Who may not use the schema does not learn what is in it.
            with pytest.raises(ProgrammingError, match=r"permission denied|not exist"):
                Response.objects.create(id=1, survey_id=1, pattern=b"")
        finally:
            run_sql("RESET SESSION AUTHORIZATION")


class TestSQLite:
    __test__ = not HAS_ROLES

    def test_sqlite_reports_that_it_has_no_roles(self):
        with pytest.raises(CommandError, match="SQLite has no roles"):
            call_command("grants", "anybody")
