"""A draft that saves itself: what the script posts, and the responses."""

import pytest
from django.contrib.admin.models import LogEntry
from django.test import Client

from surveys.log import EDIT_SESSION, read_log
from surveys.models import Membership, Question, Role, Survey
from tests.factories import make_survey, make_user
from tests.surveys.authoring.posted import ADD, page_of, posted

pytestmark = pytest.mark.django_db


@pytest.fixture
def survey(client):
    survey = make_survey(["coin"], opened=False)
    client.force_login(survey.owner)
    return survey


def save(client, survey, *questions, **fields):
    sent = {"slug": survey.slug, "_autosave": "on", **fields}
    form = posted(*questions, **sent)
    del form["_continue"]
    return client.post(page_of(survey), form)


def first(survey, text="Sensitive question 1?", **fields):
    question = survey.questions.first()
    own = {"id": question.pk, "position": "1", "yes_label": "Yes", "no_label": "No"}
    return {"text": text, "family": question.family, **own, **fields}


def test_saving_reports_the_time_and_the_version(client, survey):
    sent = {"title": "Other <title>", "version": "0"}
    reply = save(client, survey, first(survey, "Other words?"), **sent).json()
    assert reply["outcome"] == "saved"
    assert reply["message"].startswith("Saved at ")
    assert (reply["version"], reply["title"]) == (1, "Other <title>")
    assert reply["questions"] == {"0": survey.questions.get().pk}
    assert survey.questions.get().text == "Other words?"


def test_a_draft_can_be_saved_before_it_has_a_title_or_an_organiser(client, survey):
    reply = save(client, survey, first(survey), title="", organiser="").json()
    assert (reply["outcome"], reply["title"]) == ("saved", "Untitled survey")
    stored = Survey.objects.get()
    problems = {each.field for each in stored.find_problems()}
    assert problems == {"title", "organiser"}


def test_a_new_question_sent_twice_is_stored_once(client, survey):
    added = {"text": "New", "position": "2"}
    reply = save(client, survey, first(survey), added, version="0").json()
    key = reply["questions"]["1"]
    added = {"text": "New one?", "position": "2", "id": key}
    again = save(client, survey, first(survey), added, version="1").json()
    assert again["questions"]["1"] == key
    assert list(survey.questions.values_list("text", flat=True)) == [
        "Sensitive question 1?",
        "New one?",
    ]


def test_a_stored_question_after_a_blank_one_is_recognised(client, survey):
    second = survey.add_question("Second?")
    own = {"id": second.pk, "position": "2", "yes_label": "Yes", "no_label": "No"}
    blank = {"text": "", "position": ""}
    reply = save(client, survey, first(survey), blank, {"text": "2nd?", **own}).json()
    assert set(reply["questions"]) == {"0", "2"}
    assert survey.questions.last().text == "2nd?"


def test_a_removed_question_can_be_brought_back(client, survey):
    gone = save(client, survey, first(survey, DELETE="on")).json()
    assert gone["questions"] == {}
    assert not survey.questions.exists()
    back = {"text": "Sensitive question 1?", "position": "1", "id": ""}
    reply = save(client, survey, back, version=gone["version"]).json()
    assert reply["questions"] == {"0": survey.questions.get().pk}


@pytest.mark.parametrize(
    ("question", "fields", "message"),
    [
        ({"text": ""}, {}, "Not saved yet: Question 1, Question is still empty."),
        ({}, {"language": ""}, "Not saved yet: Language is still empty."),
        (
            {"family": "warner", "warner__p": "7"},
            {},
            "Not saved yet: Question 1, Chance that the truth is reported: ",
        ),
        (
            {"text": ""},
            {"language": "", "closes_on": "never"},
            "Not saved yet: Last day: Enter a valid date. And 2 more.",
        ),
        ({}, {"questions-TOTAL_FORMS": "x"}, "Not saved yet."),
    ],
)
def test_incomplete_input_is_reported_and_nothing_is_stored(
    client, survey, question, fields, message
):
    sent = {"contact": "me@example.org", **fields}
    answer = save(client, survey, first(survey, **question), **sent)
    assert answer.json()["outcome"] == "unfinished"
    assert answer.json()["message"].startswith(message)
    stored = Survey.objects.get()
    assert (stored.contact, stored.version) == ("", 0)
    assert not LogEntry.objects.exists()


def test_errors_name_questions_by_position(client, survey):
    first_shown = {"text": "", "position": "1", "family": "die"}
    answer = save(client, survey, first(survey, position="2"), first_shown)
    assert "Question 1, Question is still empty" in answer.json()["message"]


def test_changes_saved_by_another_user_are_merged_or_conflict(client, survey):
    maria = make_user("maria")
    Membership.objects.create(survey=survey, user=maria, role=Role.EDITOR)
    other = Client()
    other.force_login(maria)
    assert save(other, survey, first(survey), title="Maria's", version="0").json()
    sent = {"contact": "me@x.org", "version": "0"}
    reply = save(client, survey, first(survey), **sent).json()
    assert (reply["outcome"], reply["version"]) == ("merged", 1)
    assert reply["message"] == "Merged with the changes by maria."
    assert reply["changes"] == {"title": "Maria's"}
    assert Survey.objects.get().contact == ""

    reply = save(client, survey, first(survey), title="Mine", **sent).json()
    assert reply["outcome"] == "conflict"
    assert reply["message"] == "Not saved: choose between two texts."
    assert "Maria&#x27;s" in reply["notice"]
    assert Survey.objects.get().title == "Maria's"


def test_a_question_added_by_another_user_arrives_with_its_inputs(client, survey):
    maria, own = make_user("maria"), first(survey)
    Membership.objects.create(survey=survey, user=maria, role=Role.EDITOR)
    other = Client()
    other.force_login(maria)
    hers = {"text": "Hers?", "position": "1"}
    save(other, survey, own | {"position": "2"}, hers, version="0")
    changes = save(client, survey, own, version="0").json()["changes"]
    added = survey.questions.get(text="Hers?")
    assert changes["questions-TOTAL_FORMS"] == "2"
    assert changes["questions-0-position"] == "2"
    arrived = {
        name: changes[f"questions-1-{name}"] for name in ("id", "text", "position")
    }
    assert arrived == {"id": str(added.pk), "text": "Hers?", "position": "1"}


def test_a_repeated_save_after_a_lost_reply_is_not_a_conflict(client, survey):
    for _attempt in range(2):
        answer = save(client, survey, first(survey), title="Once", version="0")
        reply = answer.json()
        assert (reply["outcome"], reply["version"]) == ("saved", 1)


OWN, LATER = "20000001", "20000002"


def test_a_page_recognises_its_own_save_without_a_reply(client, survey):
    """It was under way when the page was left, and is based on what was loaded."""
    save(client, survey, first(survey), title="Once", version="0", becomes=OWN)
    reply = save(
        client, survey, first(survey), title="Twice", version=f"0 {OWN}", becomes=LATER
    ).json()
    assert (reply["outcome"], reply["version"]) == ("saved", int(LATER))
    late = save(
        client, survey, first(survey), title="Late", version="0", becomes="20000003"
    )
    assert late.json()["outcome"] == "conflict"
    assert Survey.objects.get().title == "Twice"


def test_a_later_save_of_another_window_is_a_conflict(client, survey):
    save(client, survey, first(survey), title="Once", version="0", becomes=OWN)
    save(client, survey, first(survey), title="Theirs", version=OWN, becomes=LATER)
    reply = save(client, survey, first(survey), title="Mine", version=f"0 {OWN}").json()
    assert reply["outcome"] == "conflict"
    assert Survey.objects.get().title == "Theirs"


def test_a_question_added_without_a_reply_is_not_added_twice(client, survey):
    added = {"text": "New?", "position": "2"}
    save(client, survey, first(survey), added, version="0", becomes=OWN)
    added["text"] = "New one?"
    sent = {"version": f"0 {OWN}"}
    reply = save(client, survey, first(survey), added, **sent).json()
    made = survey.questions.last()
    assert reply["changes"] == {"questions-1-id": str(made.pk)}
    save(client, survey, first(survey), added | {"id": made.pk}, version=OWN)
    assert list(survey.questions.all()) == [survey.questions.first(), made]
    assert survey.questions.last().text == "New one?"


def test_page_chosen_versions_outside_their_range_are_rejected(client, survey):
    for becomes in ["7", "x", str(2**25)]:
        answer = save(client, survey, first(survey), title="Other", becomes=becomes)
        assert answer.json()["outcome"] == "unfinished"
        assert Survey.objects.get().version == 0


def test_one_edit_session_is_one_log_entry(client, survey):
    save(client, survey, first(survey, "Did"), version="0")
    save(client, survey, first(survey, "Did you copy?"), version="1")
    added = {"text": "Did", "position": "2"}
    reply = save(client, survey, first(survey, "Did you copy?"), added).json()
    added |= {"text": "Did you lie?", "id": reply["questions"]["1"]}
    save(client, survey, first(survey, "Did you copy?"), added, contact="a@b.org")
    save(client, survey, first(survey, "Did you copy?"), added, contact="a@b.org")
    [line] = read_log(survey)
    assert line.what == (
        "Changed Question for question “Did you copy?”.",
        "Added question “Did you lie?”.",
        "Changed Contact.",
    )


def test_changes_undone_in_one_edit_session_are_not_logged(client, survey):
    added = {"text": "Added?", "position": "2"}
    reply = save(client, survey, first(survey), added).json()
    added |= {"id": reply["questions"]["1"], "DELETE": "on"}
    save(client, survey, first(survey), added)
    assert read_log(survey) == []


def test_another_edit_session_or_user_is_another_log_entry(client, survey):
    save(client, survey, first(survey), contact="a")
    for entry in LogEntry.objects.all():
        entry.action_time -= EDIT_SESSION
        entry.save()
    save(client, survey, first(survey), contact="b")
    client.force_login(make_user("root", is_superuser=True))
    save(client, survey, first(survey), contact="c")
    assert [line.who for line in read_log(survey)] == ["root", "owner", "owner"]


def test_autosave_neither_opens_nor_creates_a_survey(client, survey):
    answer = save(client, survey, first(survey, "Other?"), _open="")
    assert answer.status_code == 200
    form = posted({}, _autosave="on", closes_on="never")
    assert client.post(ADD, form).status_code == 200
    assert Survey.objects.get().is_draft


def test_autosave_of_a_just_opened_survey_is_rejected(client, survey):
    sent = first(survey, "Other?")
    survey.open()
    answer = save(client, survey, sent)
    assert answer.status_code == 403
    assert answer.json()["message"].startswith("Nothing was changed.")
    assert Question.objects.get().text == "Sensitive question 1?"


@pytest.mark.parametrize(
    ("role", "status"), [(Role.EDITOR, 200), (Role.VIEWER, 403), (None, 404)]
)
def test_autosave_requires_the_role_of_the_save_button(client, survey, role, status):
    other = make_user("other")
    if role:
        Membership.objects.create(survey=survey, user=other, role=role)
    client.force_login(other)
    answer = save(client, survey, first(survey), title="Another")
    assert answer.status_code == status
    assert (Survey.objects.get().title == "Another") == (status == 200)


def test_autosave_cannot_change_questions_of_another_survey(client, survey):
    foreign = make_survey(["die"], slug="foreign", opened=False).questions.get()
    save(client, survey, first(survey), {"text": "Taken?", "id": foreign.pk})
    foreign.refresh_from_db()
    assert foreign.text == "Sensitive question 1?"
    assert survey.questions.count() == 2


def moved_to(survey, *positions, **fields):
    """The questions of a survey as they are, at other places; None removes one."""
    return [
        {
            "id": question.pk,
            "text": question.text,
            "family": question.family,
            "yes_label": "Yes",
            "no_label": "No",
            "position": str(position or question.position),
            **({} if position else {"DELETE": "on"}),
        }
        for question, position in zip(survey.questions.all(), positions, strict=True)
    ]


FIVE = {"questions": ["coin"] * 5, "opened": False}
PLANNED = {"shares_to_beat": "2 > 20, 5.2 < 10", "pinned_pairs": "1-2, 4-5"}


@pytest.mark.parametrize(
    ("draws", "positions", "expected"),
    [
        ("2 of 3-5", (2, 1, 3, 4, 5), "2 of 3-5"),  # moved outside of it
        ("2 of 3-5", (1, 3, 2, 4, 5), "2 of 2, 4, 5"),  # one moved out
        ("2 of 3-5", (1, 2, 3, None, 5), ""),  # none is left to stay away
    ],
)
def test_draws_follow_their_questions(client, draws, positions, expected):
    survey = make_survey(**FIVE, draws=draws)
    client.force_login(survey.owner)
    reply = save(client, survey, *moved_to(survey, *positions), draws=draws).json()
    survey.refresh_from_db()
    same = expected == draws
    assert survey.draws == expected
    assert reply["followed"] == ({} if same else {"draws": expected})
    line = expected or "nothing any more"
    assert (f"Questions to draw from: {line}." in reply["message"]) is not same


def test_conditions_follow_their_questions(client):
    survey = make_survey(**FIVE)
    survey.questions.filter(position=3).update(show_if="2 is Yes")
    survey.questions.filter(position=5).update(show_if="1 is Yes and 2 is No")
    client.force_login(survey.owner)
    forms = moved_to(survey, 2, 1, 3, 4, 5)
    forms[2]["show_if"] = "2 is Yes"
    forms[4]["show_if"] = "1 is No"
    reply = save(client, survey, *forms).json()
    # What was written since means the numbers that are on the page now.
    assert reply["followed"] == {"questions-2-show_if": "1 is Yes"}
    assert "Question 3: 1 is Yes." in reply["message"]
    found = survey.questions.values_list("show_if", flat=True)
    assert list(found) == ["", "", "1 is Yes", "", "1 is No"]


def test_a_condition_on_a_deleted_question_is_reported(client):
    survey = make_survey(**FIVE, **PLANNED)
    survey.questions.filter(position=3).update(show_if="5 is Yes")
    client.force_login(survey.owner)
    forms = moved_to(survey, 1, 2, 3, 4, None)
    forms[2]["show_if"] = "5 is Yes"
    save(client, survey, *forms, **PLANNED)
    survey.refresh_from_db()
    assert survey.problems()[0] == (
        "Question 3: Its condition names a question that was deleted."
    )
    assert (survey.shares_to_beat, survey.pinned_pairs) == ("2 > 20", "1-2")


def test_edited_draws_use_the_new_question_numbers(client):
    survey = make_survey(**FIVE, draws="2 of 3-5", **PLANNED)
    client.force_login(survey.owner)
    sent = {"draws": "1 of 1, 2", **PLANNED}
    save(client, survey, *moved_to(survey, 5, 1, 2, 3, 4), **sent)
    survey.refresh_from_db()
    assert survey.draws == "1 of 1, 2"
    assert survey.shares_to_beat == "1 > 20, 4.2 < 10"
    assert survey.pinned_pairs == "5-1, 3-4"
    (line,) = read_log(survey)
    for name in ("Questions to draw from", "Shares to beat", "Planned comparisons"):
        assert name in " ".join(line.what)


def test_saving_reports_renumbered_draws(client):
    survey = make_survey(**FIVE, draws="2 of 3-5")
    client.force_login(survey.owner)
    form = posted(
        *moved_to(survey, 1, 3, 2, 4, 5),
        stored=list(survey.questions.all()),
        slug=survey.slug,
        draws="2 of 3-5",
    )
    page = client.post(page_of(survey), form, follow=True).content.decode()
    assert "Questions to draw from: 2 of 2, 4, 5." in page


def test_renumbering_never_gives_two_questions_one_number(client):
    # 6 is still to be written, and the new first question makes 5 the sixth.
    survey = make_survey(**FIVE, draws="1 of 1, 5; 1 of 4, 6")
    client.force_login(survey.owner)
    added = {"text": "New?", "position": "1"}
    questions = [*moved_to(survey, 2, 3, 4, 5, 6), added]
    save(client, survey, *questions, draws=survey.draws)
    survey.refresh_from_db()
    assert survey.draws == "1 of 1, 5; 1 of 4, 6"


def test_a_line_that_becomes_too_long_is_reported_and_nothing_is_saved(client):
    """PostgreSQL cannot store it, and SQLite stores a line that no form accepts."""
    pairs = [f"{one}-{other}" for one in range(2, 12) for other in range(1, one)]
    pinned = ",".join(pairs[:50])
    survey = make_survey(["coin"] * 22, opened=False, pinned_pairs=pinned)
    client.force_login(survey.owner)
    keys = list(survey.questions.values_list("pk", flat=True))
    moved = moved_to(survey, *range(12, 23), *range(1, 12))
    reply = save(client, survey, *moved, pinned_pairs=pinned).json()
    assert reply["outcome"] == "unfinished"
    assert "Planned comparisons: Ensure this value has at most 300" in reply["message"]
    survey.refresh_from_db()
    assert survey.pinned_pairs == pinned
    assert list(survey.questions.values_list("pk", flat=True)) == keys
    # A line that is edited already uses the numbers on the page.
    reply = save(client, survey, *moved, pinned_pairs=pinned[:-4]).json()
    assert reply["outcome"] == "saved"


def test_a_condition_that_becomes_too_long_is_reported_at_its_question(client):
    condition = " or ".join(["9<8"] * 71)  # written with spaces once it is renumbered
    survey = make_survey(["coin"] * 10, opened=False)
    survey.questions.filter(position=10).update(show_if=condition)
    client.force_login(survey.owner)
    moved = moved_to(survey, *(2, 3, 4, 5, 6, 7, 8, 9, 1), 10)
    moved[9]["show_if"] = condition
    reply = save(client, survey, *moved).json()
    assert reply["outcome"] == "unfinished"
    error = "Question 10, Shown only if: Ensure this value has at most"
    assert error in reply["message"]
    assert survey.questions.get(position=10).show_if == condition
