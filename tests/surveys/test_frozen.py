from datetime import date
from threading import Event

import pytest
from django.db import IntegrityError, connection, transaction

from respondents.distribution import rehearsal
from surveys.frozen import FrozenError
from surveys.models import Question, Survey
from tests.concurrency import run_concurrently
from tests.factories import make_survey, make_user

pytestmark = [pytest.mark.storage, pytest.mark.django_db]

DRAFT_CHANGES = {
    "rewords the title": "UPDATE surveys_survey SET title = 'Other'",
    "moves it": "UPDATE surveys_survey SET slug = 'other'",
    "changes a hint": "UPDATE surveys_question SET hint = 'Other'",
    "changes a condition": "UPDATE surveys_question SET show_if = '1 is Yes'",
    "translates a question": "UPDATE surveys_question SET translations = '[]'",
    "orders a section by chance": "UPDATE surveys_question SET shuffle_section = TRUE",
    "rewords a question": "UPDATE surveys_question SET text = 'Other?'",
    "changes a table": "UPDATE surveys_question SET \"table\" = '[]'",
    "changes a family": "UPDATE surveys_question SET family = 'direct'",
    "changes parameters": "UPDATE surveys_question SET parameters = '[]'",
    "reorders questions": "UPDATE surveys_question SET position = 7",
    "relabels a choice": "UPDATE surveys_choice SET label = 'Other'",
    "swaps choices": "UPDATE surveys_choice SET position = position + 2",
    "drops the choices": "DELETE FROM surveys_choice",
    "adds a question": (
        "INSERT INTO surveys_question "
        "(survey_id, position, text, family, parameters, innocuous_question, hint,"
        " helpline, section, section_text, shuffle_section, shuffle_choices, show_if,"
        " answer_if_hidden, ends_if, tick_list,"
        " translations)"
        " SELECT id, 2, 'Another?', 'coin', '{}', '', '', '', '', '', FALSE, FALSE, '',"
        " '', '', '', '{}'"
        " FROM surveys_survey"
    ),
    "adds a choice": (
        "INSERT INTO surveys_choice (question_id, position, label)"
        " SELECT id, 2, 'Perhaps' FROM surveys_question"
    ),
}
FROZEN_CHANGES = {
    **DRAFT_CHANGES,
    "takes another id": "UPDATE surveys_survey SET id = id + 1000",
    "changes the digest": "UPDATE surveys_survey SET design_digest = 'Other'",
    "changes the day": "UPDATE surveys_survey SET opened_on = '2001-01-01'",
    "becomes a draft": "UPDATE surveys_survey SET state = 'draft', design_digest = ''",
    "goes, and its questions after it": (
        "DELETE FROM surveys_survey; DELETE FROM surveys_choice;"
        " DELETE FROM surveys_question"
    ),
    "passes for a test of a draft": (
        "UPDATE surveys_survey SET is_simulated = TRUE, rehearsal_of_id = id"
    ),
    "drops the questions": ("DELETE FROM surveys_choice; DELETE FROM surveys_question"),
}


def run_sql(statements):
    with transaction.atomic(), connection.cursor() as cursor:
        for statement in statements.split(";"):
            cursor.execute(statement)


def test_raw_sql_may_change_a_draft():
    make_survey(opened=False)
    for change in DRAFT_CHANGES.values():
        with transaction.atomic():
            run_sql(change)
            transaction.set_rollback(True)


def test_raw_sql_cannot_change_an_opened_survey():
    make_survey()
    for change in FROZEN_CHANGES.values():
        with pytest.raises(IntegrityError, match="an opened survey is frozen"):
            run_sql(change)


class TestTruncate:
    """SQLite has none."""

    __test__ = connection.vendor == "postgresql"

    @pytest.mark.parametrize(
        "tables",
        [
            "surveys_choice",
            "surveys_question, surveys_choice",
            "surveys_survey CASCADE",
        ],
    )
    def test_tables_of_an_opened_survey_cannot_be_truncated(self, tables):
        make_draft()
        checked = "SET CONSTRAINTS ALL IMMEDIATE"  # or PostgreSQL refuses by itself
        # Drafts may go.
        run_sql(f"{checked}; SAVEPOINT a; TRUNCATE {tables}; ROLLBACK TO a")
        make_survey()
        run_sql("UPDATE surveys_survey SET state = 'closed' WHERE state = 'open'")

        with pytest.raises(IntegrityError, match="an opened survey is frozen"):
            run_sql(f"{checked}; TRUNCATE {tables}")


def test_a_rehearsal_cannot_become_a_survey_but_can_be_deleted():
    draft = make_draft()
    make_survey(slug="test", rehearsal_of=draft, is_simulated=True)

    with pytest.raises(IntegrityError, match="an opened survey is frozen"):
        run_sql("UPDATE surveys_survey SET rehearsal_of_id = NULL WHERE slug = 'test'")
    rehearsal.wipe(draft)
    assert Survey.objects.get() == draft


@pytest.mark.parametrize("is_imported", [True, False])
def test_raw_sql_cannot_change_a_closed_survey(is_imported):
    make_survey(opened=False, is_imported=is_imported).open()
    run_sql("UPDATE surveys_survey SET state = 'closed'")
    for change in (
        "UPDATE surveys_survey SET state = 'open'",
        "UPDATE surveys_survey SET is_imported = NOT is_imported",
        FROZEN_CHANGES["moves it"],
    ):
        with pytest.raises(IntegrityError, match="an opened survey is frozen"):
            run_sql(change)


QUERYSETS = {
    "pass for real": lambda: Survey.objects.update(is_simulated=False),
    "take questions away": lambda: Question.objects.update(survey=make_draft()),
    "get more questions": lambda: make_draft().questions.update(
        survey=Survey.objects.earliest("id")
    ),
    "vanish": lambda: Survey.objects.all().delete(),
}


def make_draft():
    return make_survey(slug="draft", opened=False)


def test_querysets_cannot_change_an_opened_survey():
    make_survey(is_simulated=True)
    for change in QUERYSETS.values():
        refused = pytest.raises(IntegrityError, match="an opened survey is frozen")
        with refused, transaction.atomic():
            change()


def other_value(field):
    others = {
        "batch_size": 1,
        "least_links": 7,
        "least_responses": 7,
        "opened_on": date.min,
        "is_imported": True,
        "declared_tables": True,
        "panel_budget": 9,
    }
    return others.get(field, "other")


def test_models_and_triggers_keep_every_frozen_field():
    make_survey()
    for field in Survey.FROZEN:
        survey, value = Survey.objects.get(), other_value(field)
        setattr(survey, field, value)
        with pytest.raises(FrozenError):
            survey.save()
        refused = pytest.raises(IntegrityError, match="an opened survey is frozen")
        with refused, transaction.atomic():
            Survey.objects.update(**{field: value})


def test_only_these_fields_may_change_after_opening():
    names = {field.name for field in Survey._meta.concrete_fields}

    assert names - set(Survey.FROZEN) - {"id"} == {
        "owner",
        "state",
        "is_simulated",  # from off to on
        "closed_on",
        "closes_on",
        "target",
        "closes_at_target",
        "wanted_margin",
        "archived_on",
        "deleted_at",  # a constraint keeps it empty
        "purged_on",
        "rehearsal_of",
        "released_epsilon",
        "results_address",
        "unsealed",
        "version",  # another after each change of the draft; nothing is asked by it
    }


def test_an_opened_survey_cannot_be_reopened_or_become_a_draft():
    survey = make_survey()
    with pytest.raises(FrozenError):
        survey.open()
    survey.state = Survey.State.DRAFT
    with pytest.raises(FrozenError):
        survey.save()


def test_an_opened_survey_can_get_another_owner():
    survey = make_survey()
    survey.owner = make_user("successor")

    survey.save()

    assert Survey.objects.get().owner.username == "successor"


MODELS = {
    "save a question": lambda question: question.save(),
    "delete a question": lambda question: question.delete(),
    "set choices": lambda question: question.set_choices(["Other", "No"]),
    "save a choice": lambda question: question.choices.first().save(),
    "delete a choice": lambda question: question.choices.first().delete(),
    "add a question": lambda question: question.survey.add_question("Another?"),
}


def test_models_reject_changes_before_the_database():
    question = make_survey().questions.get()
    for change in MODELS.values():
        with pytest.raises(FrozenError):
            change(question)


def test_a_stale_instance_cannot_change_an_opened_survey():
    survey = make_survey(opened=False)
    stale = Survey.objects.get()
    survey.open()

    stale.title = "Other"
    with pytest.raises(FrozenError):
        stale.save()


@pytest.mark.usefixtures("committed")
def test_a_question_added_during_opening_is_rejected():
    survey = make_survey(opened=False)
    is_opened, may_commit = Event(), Event()

    def open_slowly():
        with transaction.atomic():
            survey.open()
            is_opened.set()
            may_commit.wait(timeout=0.3)

    def add_a_question():
        is_opened.wait()
        with pytest.raises(IntegrityError, match="an opened survey is frozen"):
            run_sql(DRAFT_CHANGES["adds a question"])
        may_commit.set()

    run_concurrently(open_slowly, add_a_question)

    assert survey.questions.count() == 1


def test_all_triggers_exist_after_migrations():
    # SQLite loses a table's triggers when a migration rebuilds the table: such a
    # migration has to create them again.
    if connection.vendor == "sqlite":
        listed = "SELECT name FROM sqlite_master WHERE type = 'trigger'"
    else:
        listed = "SELECT tgname FROM pg_trigger WHERE NOT tgisinternal"
    with connection.cursor() as cursor:
        cursor.execute(listed)
        names = {name for (name,) in cursor.fetchall()}

    assert names == {
        "frozen_survey_update",
        "frozen_survey_origin",
        "frozen_survey_delete",
        "frozen_survey_rehearsal",
        *(
            f"frozen_surveys_{table}_{event}_replaces"
            for table in ("survey", "question", "choice")
            for event in ("insert", "update")
            if connection.vendor == "sqlite"
        ),
        *(
            f"frozen_surveys_{table}_truncate"
            for table in ("survey", "question", "choice")
            if connection.vendor == "postgresql"
        ),
        *(
            f"frozen_surveys_{table}_{event}"
            for table in ("question", "choice")
            for event in ("insert", "update", "delete")
        ),
    }
