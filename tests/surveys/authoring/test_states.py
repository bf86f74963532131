"""The states of a draft: which are kept, what is shown, and what restoring does."""

from datetime import timedelta
from itertools import pairwise

import pytest
from django.utils import timezone
from reversion.models import Revision, Version

from respondents.models import close
from surveys.authoring.history import (
    KEPT_WHOLE,
    find_revisions,
    read_state,
    record_first_state,
    record_state,
    restore_state,
)
from surveys.authoring.states import compare_states
from surveys.frozen import FrozenError
from surveys.log import read_log, record
from surveys.models import Choice, Membership, Question, Role, Survey
from tests.factories import make_responses, make_survey, make_user
from tests.surveys.authoring.posted import page_of, posted, text_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def survey(client):
    survey = make_survey(["coin"], opened=False)
    client.force_login(survey.owner)
    return survey


def save(client, survey, text="Sensitive question 1?", **fields):
    question = survey.questions.first()
    own = {"id": question.pk, "position": "1", "yes_label": "Yes", "no_label": "No"}
    form = posted({"text": text, **own}, slug=survey.slug, **fields)
    assert client.post(page_of(survey), form).status_code == 302


def list_changes(survey):
    """What each state changed of the one before, the newest first."""
    states = [read_state(each) for each in find_revisions(survey)]
    return [
        [(each.name, each.before, each.after) for each in compare_states(old, new)]
        for new, old in pairwise(states)
    ]


def test_each_save_records_user_time_and_changes(client, survey):
    save(client, survey, title="Other")
    maria = make_user("maria")
    Membership.objects.create(survey=survey, user=maria, role=Role.EDITOR)
    client.force_login(maria)
    planned = {"target": "9", "closes_at_target": "on"}
    for _again in range(2):  # a save without a change is no state
        save(client, survey, "Other words?", title="Other", **planned)
    assert list_changes(survey) == [
        [
            ("Planned number of responses", "", "9"),
            ("Close when the planned number is reached", "no", "yes"),
            ("Question 1, Question", "Sensitive question 1?", "Other words?"),
        ],
        [("Title", "Study habits", "Other")],
    ]
    page = text_of(client.get(page_of(survey, "states")))
    assert "<del>Study habits</del> → <ins>Other</ins>" in page
    assert page.index(">maria<") < page.index(">owner<")


def test_changes_of_answers_parameters_and_order_are_listed(survey):
    second = survey.add_question("Second?", family="epsilon", parameters={"epsilon": 1})
    record_first_state(survey)
    first = survey.questions.first()
    first.set_choices(["Ja", "Nein"])
    second.position, second.parameters = 1, {"epsilon": "2"}
    second.save()
    first.position = 2
    first.translations = {"de": {"text": "Erste?", "choices": ["Ja", "Nein"]}}
    first.save()
    record_state(survey.owner, survey)
    assert list_changes(survey) == [
        [
            ("Question 1, Epsilon", "1", "2"),
            ("Question 2, Wording of Yes", "Yes", "Ja"),
            ("Question 2, Wording of No", "No", "Nein"),
            ("Question 2, Translations", "", "Erste?; Ja, Nein"),
            ("Order of questions", "1, 2", "2, 1"),
        ]
    ]


def test_a_changed_mechanism_is_listed_with_its_parameters(survey):
    record_first_state(survey)
    question = survey.questions.get()
    question.family, question.parameters = "warner", {"p": "0.8"}
    question.save()
    record_state(survey.owner, survey)
    [changes] = list_changes(survey)
    assert changes[0] == ("Question 1, Mechanism", "Coin flip", "Warner")
    assert ("", "0.8") in [each[1:] for each in changes]


def test_restoring_recovers_questions_and_answers_as_a_new_state(client, survey):
    survey.add_question("Second?", choices=["Ja", "Nein"], hint="A hint.")
    record_first_state(survey)
    before = survey.definition()
    keys = list(survey.questions.values_list("pk", flat=True))
    survey.questions.last().delete()
    survey.add_question("Third?")
    survey.title, survey.closes_on, survey.wanted_margin = "Other", "2030-01-02", "2.5"
    survey.save()
    survey.note_change()
    record_state(survey.owner, survey)

    newest, first = find_revisions(survey)
    answer = client.post(page_of(survey, "states"), {"revision": first.pk})
    assert answer.headers["Location"] == page_of(survey)
    stored = Survey.objects.get()
    assert stored.definition() == before
    assert list(stored.questions.values_list("pk", flat=True)) == keys
    assert (stored.version, find_revisions(survey).count()) == (2, 3)
    assert read_log(survey)[0].what[0].startswith("Restored the state of 20")

    restore_state(survey.owner, stored, newest)
    stored.refresh_from_db()
    assert [stored.title, str(stored.closes_on)] == ["Other", "2030-01-02"]
    assert str(stored.wanted_margin) == "2.50"


def test_restoring_keeps_the_owner_and_avoids_taken_addresses(survey):
    record_first_state(survey)
    maria = make_user("maria")
    Survey.objects.update(owner=maria, slug="moved")
    make_survey(slug="study-habits", opened=False)
    restore_state(survey.owner, survey, find_revisions(survey)[0])
    survey.refresh_from_db()
    assert (survey.owner, survey.slug) == (maria, "study-habits-2")


def test_restoring_takes_no_question_of_another_survey(survey):
    record_first_state(survey)
    other = make_survey(slug="other", opened=False)
    Question.objects.update(survey=other)
    restore_state(survey.owner, survey, find_revisions(survey)[0])
    assert (survey.questions.count(), other.questions.count()) == (1, 2)


def test_a_state_of_another_survey_is_not_found(client, survey):
    other = make_survey(slug="other", opened=False)
    record_first_state(other)
    sent = {"revision": find_revisions(other)[0].pk}
    assert client.post(page_of(survey, "states"), sent).status_code == 404


def test_an_opened_survey_shows_its_states_but_cannot_restore(client, survey):
    save(client, survey, title="Other")
    survey.refresh_from_db()
    survey.open()
    page = text_of(client.get(page_of(survey, "states")))
    assert "<ins>Other</ins>" in page
    assert "Restore" not in page
    last = find_revisions(survey).last()
    with pytest.raises(FrozenError):
        restore_state(survey.owner, survey, last)
    client.post(page_of(survey, "states"), {"revision": last.pk})
    assert Survey.objects.get().title == "Other"


def test_responses_record_no_state(survey):
    record_first_state(survey)
    survey.open()
    make_responses(survey, [b"\x00"] * 20)
    close(survey)
    assert Revision.objects.count() == 1
    kinds = {each.content_type.model_class() for each in Version.objects.all()}
    assert kinds == {Survey, Question, Choice}


def test_only_the_last_old_state_of_each_edit_session_is_kept(survey):
    maria = make_user("maria")
    long_ago = (timezone.now() - 2 * KEPT_WHOLE).replace(hour=12, minute=0, second=0)
    for user, minutes in (
        (survey.owner, 1),
        (survey.owner, 2),
        (maria, 3),
        (maria, 14),
    ):
        when = long_ago + timedelta(minutes=minutes)
        record_state(user, survey, date_created=when)
    record_state(survey.owner, survey)
    record_state(survey.owner, survey)
    found = find_revisions(survey).values_list("user__username", "date_created__minute")
    assert list(found)[2:] == [("maria", 14), ("maria", 3), ("owner", 2)]


def test_the_list_of_states_is_paginated(client, survey):
    for _number in range(21):
        record_state(survey.owner, survey)
    page = text_of(client.get(page_of(survey, "states")))
    assert page.count('name="revision"') == 19
    page = text_of(client.get(page_of(survey, "states") + "?page=2"))
    assert page.count('name="revision"') == 1
    assert "First state kept." in page


def test_the_first_state_of_an_older_draft_is_dated_by_its_log(client, survey):
    record(make_user("maria"), survey, "Created from a file.")
    save(client, survey, title="Other")
    assert find_revisions(survey).last().user.username == "maria"
