"""Two people, or two windows of one, on one draft."""

import pytest
from django.test import Client

from surveys.models import Membership, Role, Survey
from tests.concurrency import at_once
from tests.factories import make_survey, make_user
from tests.surveys.authoring.posted import page_of, posted, text_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def survey():
    survey = make_survey(["coin", "die"], opened=False)
    maria = make_user("maria")
    Membership.objects.create(survey=survey, user=maria, role=Role.EDITOR)
    return survey


@pytest.fixture
def questions(survey):
    return list(survey.questions.prefetch_related("choices"))


def words(question, text=None):
    yes, no = (choice.label for choice in question.choices.all())
    return {
        "text": text or question.text,
        "family": question.family,
        "position": str(question.position),
        "yes_label": yes,
        "no_label": no,
    }


def save(client, survey, user, questions, *, version, texts=(), **fields):
    """Post the form as `user` has it on the screen; `texts` replace those stored."""
    client.force_login(user)
    texts = [*texts, *[None] * len(questions)]
    filled = [words(each, text) for each, text in zip(questions, texts, strict=False)]
    form = posted(
        *filled, stored=questions, slug=survey.slug, version=version, **fields
    )
    return client.post(page_of(survey), form, follow=True)


def by_maria(client, survey, questions, **fields):
    return save(
        client, survey, Membership.objects.get().user, questions, version=0, **fields
    )


def by_owner(client, survey, questions, **fields):
    return save(client, survey, survey.owner, questions, **{"version": 0, **fields})


def conflict_of(page):
    return page.context["conflict"].differences


def texts_of(survey):
    return list(survey.questions.values_list("text", flat=True))


def test_every_change_raises_the_version_and_nothing_else_does(
    client, survey, questions
):
    def version():
        return Survey.objects.get(pk=survey.pk).version

    by_owner(client, survey, questions)
    assert version() == 0
    by_owner(client, survey, questions, title="Other")
    assert version() == 1
    by_owner(client, survey, questions, title="Other", texts=["Coin?"], version=1)
    assert version() == 2
    client.get(page_of(survey))
    assert version() == 2


def test_the_page_says_on_which_version_it_is_based(client, survey):
    Survey.objects.update(version=5)
    client.force_login(survey.owner)
    page = text_of(client.get(page_of(survey)))
    assert (
        '<input type="hidden" name="version" value="5" autocomplete="off" '
        'id="id_version">' in page
    )


def test_saving_an_old_version_shows_who_changed_what(client, survey, questions):
    by_maria(client, survey, questions, title="Maria's title")
    page = by_owner(client, survey, questions, texts=["Mine?"])
    told = text_of(page)
    assert "maria changed this draft meanwhile" in told
    assert "There is a problem" not in told
    found = [(each.name, each.mine, each.theirs) for each in conflict_of(page)]
    assert found == [
        ("Title", "Study habits", "Maria's title"),
        ("Question 1, Question", "Mine?", "Sensitive question 1?"),
    ]
    stored = Survey.objects.get()
    assert (stored.title, texts_of(stored)[0]) == (
        "Maria's title",
        "Sensitive question 1?",
    )
    assert "Mine?</textarea>" in told


def test_ones_own_other_window_is_called_that(client, survey, questions):
    by_owner(client, survey, questions, title="First window")
    told = text_of(by_owner(client, survey, questions, title="Second window"))
    assert "You changed this draft in another window" in told


def test_who_keeps_the_page_replaces_what_was_saved(client, survey, questions):
    by_maria(client, survey, questions, title="Maria's title")
    page = by_owner(client, survey, questions, texts=["Mine?"])
    assert 'name="_keep_mine" value="1"' in text_of(page)
    by_owner(client, survey, questions, texts=["Mine?"], _keep_mine="1")
    stored = Survey.objects.get()
    assert (stored.title, texts_of(stored)[0]) == ("Study habits", "Mine?")
    assert stored.version == 2


def test_a_third_change_asks_again(client, survey, questions):
    by_maria(client, survey, questions, title="Maria's title")
    Survey.objects.update(version=2)
    page = by_owner(client, survey, questions, texts=["Mine?"], _keep_mine="1")
    assert "maria changed this draft meanwhile" in text_of(page)
    assert texts_of(survey)[0] == "Sensitive question 1?"


def test_a_question_deleted_elsewhere_is_shown_and_comes_back(
    client, survey, questions
):
    maria = Membership.objects.get().user
    client.force_login(maria)
    gone, kept = questions
    form = posted(
        words(gone) | {"DELETE": "on"},
        words(kept),
        stored=questions,
        slug=survey.slug,
        version=0,
    )
    client.post(page_of(survey), form)
    assert texts_of(survey) == ["Sensitive question 2?"]

    page = by_owner(client, survey, questions, texts=["Still mine?"])
    told = text_of(page)
    assert "Select a valid choice" not in told
    found = {(each.name, each.mine, each.theirs) for each in conflict_of(page)}
    assert ("Question 1", "Still mine?", "") in found
    assert "Still mine?</textarea>" in told
    by_owner(client, survey, questions, texts=["Still mine?"], _keep_mine="1")
    assert texts_of(survey) == ["Still mine?", "Sensitive question 2?"]


def test_a_question_added_elsewhere_is_shown_and_stays_last(client, survey, questions):
    maria = Membership.objects.get().user
    client.force_login(maria)
    form = posted(
        *map(words, questions),
        {"text": "Maria's?"},
        stored=questions,
        slug=survey.slug,
        version=0,
    )
    client.post(page_of(survey), form)
    page = by_owner(client, survey, questions, texts=["Mine?"])
    added = conflict_of(page)[-1]
    assert (added.name, added.mine, added.theirs) == (
        "A further question",
        "",
        "Maria's?",
    )
    by_owner(client, survey, questions, texts=["Mine?"], _keep_mine="1")
    asked = survey.questions.values_list("text", "position")
    assert list(asked) == [
        ("Mine?", 1),
        ("Sensitive question 2?", 2),
        ("Maria's?", 3),
    ]


def test_who_wrote_the_same_is_asked_nothing(client, survey, questions):
    by_maria(client, survey, questions, title="The same")
    page = by_owner(client, survey, questions, title="The same")
    assert page.context.get("conflict") is None
    assert "was changed successfully" in text_of(page)


@pytest.mark.parametrize("version", ["x", "-1", "99"])
def test_a_version_that_never_was_is_an_old_one(client, survey, questions, version):
    page = by_owner(client, survey, questions, version=version, title="Other")
    assert "Nothing of this page is saved until you choose" in text_of(page)
    assert Survey.objects.get().title == "Study habits"


def test_other_errors_are_listed_with_it(client, survey, questions):
    by_maria(client, survey, questions, title="Maria's title")
    page = by_owner(client, survey, questions, closes_on="never")
    told = text_of(page)
    assert "maria changed this draft meanwhile" in told
    assert [each.name for each in page.context["named_errors"]] == ["Last day"]


def test_a_viewer_can_force_nothing(client, survey, questions):
    Membership.objects.update(role=Role.VIEWER)
    answer = by_maria(client, survey, questions, title="Mine now", _keep_mine="0")
    assert answer.status_code == 403
    assert Survey.objects.get().title == "Study habits"


@pytest.mark.storage
def test_of_two_simultaneous_saves_one_is_a_conflict(committed):
    survey = make_survey(["coin"], opened=False)
    question = survey.questions.prefetch_related("choices").get()
    form = posted(words(question), stored=[question], slug=survey.slug, version=0)

    def save_as(title):
        client = Client()
        client.force_login(survey.owner)
        sent = {**form, "title": title, "_autosave": "on"}
        return lambda: client.post(page_of(survey), sent).json()["outcome"]

    outcomes = at_once(save_as("One"), save_as("Two"))
    assert sorted(outcomes) == ["conflict", "saved"]
    survey.refresh_from_db()
    assert survey.version == 1
    assert survey.title == ("One" if outcomes[0] == "saved" else "Two")
