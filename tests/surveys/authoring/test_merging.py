"""Two people, or two windows of one, on one draft."""

import pytest
from django.contrib.auth.models import User
from django.test import Client

from surveys.models import Membership, Role, Survey
from tests.concurrency import run_concurrently
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


def fields_of(question, text=None):
    yes, no = (choice.label for choice in question.choices.all())
    return {
        "id": question.pk,
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
    filled = [
        fields_of(each, text) for each, text in zip(questions, texts, strict=False)
    ]
    form = posted(
        *filled, stored=questions, slug=survey.slug, version=version, **fields
    )
    return client.post(page_of(survey), form)


def by_maria(client, survey, questions, **fields):
    return save(
        client, survey, Membership.objects.get().user, questions, version=0, **fields
    )


def by_owner(client, survey, questions, **fields):
    return save(client, survey, survey.owner, questions, **{"version": 0, **fields})


def post(client, survey, *filled, user="owner", **fields):
    """Post a page that was loaded at first, with its questions as they are `filled`."""
    client.force_login(User.objects.get(username=user))
    form = posted(*filled, **{"slug": survey.slug, "version": 0, **fields})
    return client.post(page_of(survey), form)


def make_root():
    return make_user("root", is_superuser=True)


def conflicts_of(page):
    merge = page.context.get("merge")
    return [(each.name, each.mine, each.theirs) for each in merge.conflicts]


def texts_of(survey):
    return list(survey.questions.values_list("text", flat=True))


def test_only_changes_raise_the_version(client, survey, questions):
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


def test_changes_of_different_fields_are_both_kept(client, survey, questions):
    first, second = map(fields_of, questions)
    maria = {**first, "family": "epsilon", "epsilon__epsilon": "2", "hint": "Hers."}
    post(client, survey, maria, second, user="maria", title="Maria's title")
    post(client, survey, {**first, "text": "Mine?"}, second)
    page = text_of(client.get(page_of(survey)))
    assert "Merged with the changes by maria." in page
    stored = survey.questions.first()
    assert (stored.text, stored.hint) == ("Mine?", "Hers.")
    assert (stored.family, stored.parameters) == ("epsilon", {"epsilon": "2"})
    survey.refresh_from_db()
    assert (survey.title, survey.version) == ("Maria's title", 2)


def test_conflicting_texts_are_shown_and_one_is_chosen(client, survey, questions):
    by_maria(client, survey, questions, title="Hers", texts=["Hers?"])
    page = by_owner(client, survey, questions, title="Mine", texts=["Mine?"], target=9)
    assert conflicts_of(page) == [
        ("Title", "Mine", "Hers"),
        ("Question 1, Question", "Mine?", "Hers?"),
    ]
    shown = text_of(page)
    assert "maria changed this text at" in shown
    assert "There is a problem" not in shown
    assert "Mine?</textarea>" in shown
    assert (Survey.objects.get().title, Survey.objects.get().target) == ("Hers", None)
    chosen = {"seen": "1", "choose-title": "mine"}
    mine = {"title": "Mine", "texts": ["Mine?"], "target": 9}
    page = by_owner(client, survey, questions, **mine, **chosen)
    assert [each.chosen for each in page.context["merge"].conflicts] == ["mine", ""]
    assert Survey.objects.get().title == "Hers"
    chosen[f"choose-{questions[0].pk}-text"] = "theirs"
    by_owner(client, survey, questions, **mine, **chosen)
    stored = Survey.objects.get()
    assert (stored.title, stored.target, stored.version) == ("Mine", 9, 2)
    assert texts_of(survey)[0] == "Hers?"


def test_a_third_change_asks_again(client, survey, questions):
    by_maria(client, survey, questions, title="Hers")
    save(client, survey, make_root(), questions, version=1, title="Root's")
    chosen = {"seen": "1", "choose-title": "mine"}
    page = by_owner(client, survey, questions, title="Mine", **chosen)
    assert conflicts_of(page) == [("Title", "Mine", "Root's")]
    assert Survey.objects.get().title == "Root's"


def test_a_conflict_with_ones_own_window_is_labelled(client, survey, questions):
    by_owner(client, survey, questions, title="First window")
    page = by_owner(client, survey, questions, title="Second window")
    assert "You changed this text in another window" in text_of(page)


def test_mechanisms_that_differ_are_chosen_as_a_whole(client, survey, questions):
    first, second = map(fields_of, questions)
    post(client, survey, {**first, "family": "epsilon"}, second, user="maria")
    mine = {**first, "family": "warner", "warner__p": "0.8"}
    [(name, own, theirs)] = conflicts_of(post(client, survey, mine, second))
    assert name == "Question 1, Kind and answers"
    assert "0.8" in own
    assert "epsilon" in theirs.lower()
    chosen = {"seen": "1", f"choose-{questions[0].pk}-answers": "theirs"}
    post(client, survey, mine, second, **chosen)
    assert survey.questions.first().family == "epsilon"


def test_labels_of_one_mechanism_are_merged_individually(client, survey, questions):
    first, second = map(fields_of, questions)
    post(client, survey, {**first, "yes_label": "Often"}, second, user="maria")
    post(client, survey, {**first, "no_label": "Never"}, second)
    labels = survey.questions.first().choices.values_list("label", flat=True)
    assert list(labels) == ["Often", "Never"]


@pytest.mark.parametrize("is_changed", [False, True])
@pytest.mark.parametrize("remover", ["maria", "owner"])
def test_a_removed_question_is_kept_if_the_other_side_changed_it(
    client, survey, questions, remover, is_changed
):
    gone, kept = map(fields_of, questions)
    text = "Changed?" if is_changed else gone["text"]
    sides = [({**gone, "DELETE": "on"}, {}), ({**gone, "text": text}, {"target": 9})]
    if remover == "owner":
        sides.reverse()
    for user, (question, fields) in zip(("maria", "owner"), sides, strict=True):
        post(client, survey, question, kept, user=user, **fields)
    assert texts_of(survey) == [*(["Changed?"] if is_changed else []), kept["text"]]


def test_questions_added_by_both_keep_their_places(client, survey, questions):
    first, second = map(fields_of, questions)
    hers = [{**second, "position": "3"}, {"text": "Hers?", "position": "2"}]
    post(client, survey, first, *hers, user="maria")
    post(client, survey, first, second, {"text": "Mine?", "position": "3"})
    asked = survey.questions.values_list("text", "position")
    assert list(asked) == [
        (first["text"], 1),
        ("Hers?", 2),
        (second["text"], 3),
        ("Mine?", 4),
    ]


def test_conflicting_question_orders_are_chosen_as_a_whole(client):
    survey = make_survey(["coin"] * 3, opened=False)
    stored = list(survey.questions.all())
    turned = [fields_of(each) for each in stored]

    def move(*places):
        return [{**w, "position": str(p)} for w, p in zip(turned, places, strict=True)]

    post(client, survey, *move(2, 1, 3), user=make_root().username)
    page = post(client, survey, *move(1, 3, 2))
    [(name, mine, theirs)] = conflicts_of(page)
    assert name == "Order of questions"
    assert mine.splitlines()[1] == "2. Sensitive question 3?"
    assert theirs.splitlines()[0] == "1. Sensitive question 2?"
    for choice, order in (("theirs", "213"), ("mine", "132")):
        chosen = {"seen": "1", "choose-order": choice}
        post(client, survey, *move(1, 3, 2), **chosen)
        assert "".join(text[-2] for text in texts_of(survey)) == order


def test_conditions_written_concurrently_are_renumbered(client):
    survey = make_survey(["coin", "coin", {"show_if": "1 is Yes"}], opened=False)
    turned = [fields_of(each) for each in survey.questions.all()]
    turned[2]["show_if"] = "1 is Yes"
    moved = [{**each, "position": str(n + 2)} for n, each in enumerate(turned)]
    root = make_root().username
    post(client, survey, *moved, {"text": "New?", "position": "1"}, user=root)
    assert survey.questions.last().show_if == "2 is Yes"
    turned[1]["show_if"] = "1 is No"
    post(client, survey, *turned, draws="1 of 2, 3")
    found = survey.questions.values_list("show_if", flat=True)
    assert list(found) == ["", "", "2 is No", "2 is Yes"]
    assert Survey.objects.get().draws == "1 of 3, 4"


def test_identical_concurrent_changes_are_not_a_conflict(client, survey, questions):
    by_maria(client, survey, questions, title="The same")
    page = by_owner(client, survey, questions, title="The same")
    assert page.status_code == 302
    assert Survey.objects.get().title == "The same"


def test_without_a_known_base_version_every_difference_conflicts(
    client, survey, questions
):
    for version in ["x", "-1", "99"]:
        page = by_owner(client, survey, questions, version=version, title="Other")
        assert conflicts_of(page) == [("Title", "Other", "Study habits")]
        assert Survey.objects.get().title == "Study habits"


def test_other_errors_are_listed_with_a_conflict(client, survey, questions):
    by_maria(client, survey, questions, title="Hers")
    page = by_owner(client, survey, questions, title="Mine", closes_on="never")
    assert "Choose what to keep" in text_of(page)
    assert [each.name for each in page.context["named_errors"]] == ["Last day"]


@pytest.mark.storage
def test_one_of_two_simultaneous_saves_is_a_conflict(committed):
    survey = make_survey(["coin"], opened=False)
    question = survey.questions.prefetch_related("choices").get()
    form = posted(fields_of(question), stored=[question], slug=survey.slug, version=0)

    def save_as(title):
        client = Client()
        client.force_login(survey.owner)
        sent = {**form, "title": title, "_autosave": "on"}
        return lambda: client.post(page_of(survey), sent).json()["outcome"]

    outcomes = run_concurrently(save_as("One"), save_as("Two"))
    assert sorted(outcomes) == ["conflict", "saved"]
    survey.refresh_from_db()
    assert survey.version == 1
    assert survey.title == ("One" if outcomes[0] == "saved" else "Two")
