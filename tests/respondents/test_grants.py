"""On PostgreSQL the respondents' door takes responses and cannot read one."""

import secrets
from contextlib import contextmanager
from io import StringIO

import psycopg
import pytest
from django.core.management import CommandError, call_command
from django.db import ProgrammingError, connection
from django.test import Client

from respondents.invitations import Invitation
from respondents.models import Receipt, Response, SealedPattern, close
from surveys.models import Survey
from tests.factories import make_responses, make_survey
from tests.respondents.storage.on_disk import run_sql
from tests.respondents.ways import InFront

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
def at_the_door(role, settings):
    """Be the respondents' door: its role, its addresses, and no sealing."""
    settings.SEALS = False
    settings.ROOT_URLCONF = "config.respondents_urls"
    run_sql(f"SET SESSION AUTHORIZATION {role}")
    yield
    run_sql("RESET SESSION AUTHORIZATION")


def body_for(survey, number, **more):
    reports = "00" * survey.questions.count()
    return {
        "design": survey.design_digest,
        "submission": f"{number:032x}",
        "reports": reports,
        **more,
    }


def send(client, survey, body):
    return client.post(
        f"/s/{survey.slug}/reports/", body, content_type="application/json"
    ).status_code


class TestRoles:
    __test__ = HAS_ROLES

    @pytest.mark.parametrize("door", [Client, InFront])
    def test_the_door_takes_everything_that_respondents_send(
        self, role, settings, door
    ):
        call_command("grants", role, "--apply", stdout=StringIO())
        client, survey = door(), make_survey()
        invited = make_survey(slug="invited", access="invitation")
        tokens = Invitation.objects.make(invited, 3)
        closed = make_survey(slug="closed")
        close(closed)
        bodies = [body_for(survey, 1), body_for(survey, 1), body_for(survey, 2)]
        linked = [body_for(invited, 3, invitation=token) for token in tokens[:2]]

        with at_the_door(role, settings):
            assert client.get(f"/s/{survey.slug}/").status_code == 200
            assert [send(client, survey, body) for body in bodies] == [200] * 3
            assert [send(client, invited, body) for body in linked] == [200] * 2
            again = {**linked[0], "submission": "f" * 32}
            assert send(client, invited, again) == 200
            assert send(client, closed, body_for(closed, 4)) == 410
            assert client.get("/s/closed/").status_code == 410
            assert client.get("/health/").json() == {"database": "ok"}

        assert Response.objects.filter(survey=survey).count() == 2
        assert Receipt.objects.filter(survey=survey).count() == 2
        assert Response.objects.filter(survey=invited).count() == 2
        assert Invitation.objects.filter(spent=True).count() == 2
        # The first of each kind is Django's.
        assert door is Client or client.handler.fast == 4

    def test_the_door_closes_nothing_and_takes_nothing_late(
        self, role, client, settings
    ):
        call_command("grants", role, "--apply", stdout=StringIO())
        survey = make_survey()
        body = body_for(survey, 1)
        Survey.objects.filter(pk=survey.pk).update(closes_on="2020-01-01")
        with at_the_door(role, settings):
            assert send(client, survey, body) == 410
            assert client.get(f"/s/{survey.slug}/").status_code == 410
        survey.refresh_from_db()
        assert survey.is_open
        call_command("seal", stdout=StringIO())
        survey.refresh_from_db()
        assert survey.is_closed

    def test_a_connection_of_the_role_reads_no_report(self, role):
        call_command("grants", role, "--apply", stdout=StringIO())
        survey = make_survey()
        make_responses(survey, [b"\x01"] * 3)
        Response.objects.seal(survey, leave=1)
        place = connection.get_connection_params()
        address = {"dbname": place["dbname"], "host": place["host"], "user": role}
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
            "DELETE FROM respondents_invitation",
            "UPDATE surveys_survey SET state = 'closed'",
            "SELECT * FROM auth_user",
            "SELECT * FROM django_session",
        ]
        with psycopg.connect(**address, autocommit=True) as session:
            for statement in refused:
                with pytest.raises(psycopg.errors.InsufficientPrivilege):
                    session.execute(statement)
            with pytest.raises(psycopg.errors.IntegrityConstraintViolation):
                session.execute("UPDATE surveys_survey SET id = id + 1")

    def test_what_was_granted_before_is_taken_back(self, role):
        run_sql(f"GRANT SELECT (pattern) ON respondents_response TO {role}")
        run_sql(f"GRANT ALL ON respondents_sealedpattern TO {role}")
        call_command("grants", role, "--apply", stdout=StringIO())
        run_sql(f"SET SESSION AUTHORIZATION {role}")
        try:
            for model in (Response, SealedPattern):
                with pytest.raises(ProgrammingError, match="permission denied"):
                    list(model.objects.all())
        finally:
            run_sql("RESET SESSION AUTHORIZATION")

    @pytest.mark.parametrize(
        "widen", ["ALTER ROLE {role} SUPERUSER", "GRANT pg_read_all_data TO {role}"]
    )
    def test_a_role_that_reads_all_the_same_is_refused(self, role, widen):
        run_sql(widen.format(role=role))
        with pytest.raises(CommandError, match="can read respondents_response"):
            call_command("grants", role, "--apply")

    def test_without_apply_it_only_shows(self, role):
        shown = StringIO()
        call_command("grants", role, stdout=shown)
        assert f'GRANT INSERT ON respondents_response TO "{role}";' in shown.getvalue()
        run_sql(f"SET SESSION AUTHORIZATION {role}")
        try:
            # Who may not use the schema is not told either what is in it.
            with pytest.raises(ProgrammingError, match=r"permission denied|not exist"):
                Response.objects.create(id=1, survey_id=1, pattern=b"")
        finally:
            run_sql("RESET SESSION AUTHORIZATION")


class TestSQLite:
    __test__ = not HAS_ROLES

    def test_it_says_that_it_has_no_roles(self):
        with pytest.raises(CommandError, match="SQLite knows no roles"):
            call_command("grants", "anybody")
