"""The log says who did what, and nothing about respondents."""

from datetime import UTC, date, datetime

import pytest
from django.contrib.admin.models import LogEntry
from django.utils import timezone, translation

from respondents.models import Response, close, close_if_due
from surveys.log import read_log, record
from surveys.models import Membership, Role, Survey
from surveys.sentence import Sentence
from tests.factories import make_responses, make_survey, make_user
from tests.surveys.authoring.posted import ADD, page_of, posted, text_of

pytestmark = pytest.mark.django_db


def lines_of(survey):
    return [(line.who, line.what) for line in read_log(survey)]


def test_changes_of_two_researchers_are_logged_by_user(client):
    owner, maria = make_user("oskar"), make_user("maria")
    client.force_login(owner)
    client.post(ADD, posted({"text": "Did you copy?"}))
    survey = Survey.objects.get()
    Membership.objects.create(survey=survey, user=maria, role=Role.EDITOR)
    client.force_login(maria)
    question = survey.questions.get()
    labels = {"yes_label": "Yes", "no_label": "No"}
    changed = {"text": "Did you copy?", "family": "die", "position": "1", **labels}
    added = {"text": "Did you cheat?"}
    client.post(
        page_of(survey),
        posted(changed, added, stored=[question], slug=survey.slug, contact="me@x.org"),
    )
    (who, what), (first, created) = lines_of(survey)
    assert (first, created) == (
        "oskar",
        ("Created.", "Added question “Did you copy?”."),
    )
    assert who == "maria"
    assert what == (
        "Changed Contact.",
        "Added question “Did you cheat?”.",
        "Changed Mechanism for question “Did you copy?”.",
    )


def test_opening_and_closing_are_logged(client):
    survey = make_survey(opened=False)
    client.force_login(survey.owner)
    client.post(page_of(survey, "open"))
    client.post(page_of(survey, "close"))
    survey.refresh_from_db()
    assert lines_of(survey) == [("owner", ("Closed.",)), ("owner", ("Opened.",))]


def test_automatic_closing_is_logged_with_a_day_and_no_time():
    survey = make_survey()
    make_responses(survey, [b"\x00"])
    record(survey.owner, survey, "Exported reports.csv.")
    before, after = (
        datetime(2026, 3, 1, 9, tzinfo=UTC),
        datetime(2026, 3, 4, 9, tzinfo=UTC),
    )
    LogEntry.objects.update(action_time=before)
    record(survey.owner, survey, "Archived.")
    LogEntry.objects.filter(change_message="Archived.").update(action_time=after)
    Survey.objects.update(closes_on=date(2026, 3, 1))
    survey.refresh_from_db()

    close_if_due(survey)

    assert LogEntry.objects.count() == 2, "closing by itself writes nothing"
    lines = read_log(survey)
    assert [line.what[0] for line in lines] == [
        "Archived.",
        "Closed by itself after the last day.",
        "Exported reports.csv.",
    ]
    assert (lines[1].day, lines[1].time, lines[1].who) == (
        date(2026, 3, 1),
        None,
        "Candor",
    )


def test_the_log_distinguishes_kinds_of_automatic_closing():
    by_number = make_survey(
        slug="number", batch_size=1, target=2, closes_at_target=True
    )
    make_responses(by_number, [b"\x00"] * 2)
    Response.objects.seal_if_due(by_number)
    by_command = make_survey(slug="command")
    close(by_command)
    assert lines_of(by_number) == [("Candor", ("Closed by itself at 2 responses.",))]
    assert lines_of(by_command) == [("Candor", ("Closed by a command.",))]


def test_responses_are_not_logged():
    survey = make_survey()
    make_responses(survey, [b"\x00", b"\x01"])
    assert read_log(survey) == []
    assert not LogEntry.objects.exists()


def test_the_log_page_shows_entries_with_few_queries(
    client, django_assert_max_num_queries
):
    survey = make_survey()
    for number in range(13):
        record(survey.owner, survey, f"Exported file-{number}.csv.")
    client.force_login(survey.owner)
    with django_assert_max_num_queries(12):
        page = text_of(client.get(page_of(survey, "history")))
    assert all(f"Exported file-{number}.csv." in page for number in range(13))
    assert f"{timezone.localdate():%Y}" in page
    assert "Nothing is logged about respondents." in page


def test_the_log_is_shown_in_the_language_of_its_reader(client):
    survey = make_survey(opened=False, title="Copy & paste")
    client.force_login(survey.owner)
    make_user("maria")
    copy = client.post(page_of(survey, "duplicate"), HTTP_ACCEPT_LANGUAGE="de")
    copied = Survey.objects.latest("pk")
    role = {"action": "add", "username": "maria", "role": "viewer"}
    client.post(page_of(copied, "people"), role)
    record(survey.owner, copied, "Exportiert: alt.csv.")  # as it was kept before
    assert copy.status_code == 302
    said = {}
    for language in ("en", "de"):
        with translation.override(language):
            said[language] = [what for line in read_log(copied) for what in line.what]
    assert said == {
        "en": [
            "Exportiert: alt.csv.",
            "“maria” is a viewer now.",
            "Created as a copy of “Copy & paste”.",
        ],
        "de": [
            "Exportiert: alt.csv.",
            "„maria“ hat jetzt die Rolle Ansicht.",
            "Als Kopie von „Copy & paste“ angelegt.",
        ],
    }


def test_log_entries_are_stored_with_their_parameters():
    fields = [Sentence("Last day"), Sentence("Planned number of responses")]
    lines = [
        Sentence("Changed: %(fields)s.", {"fields": fields}),
        Sentence("%(count)s link.", {"count": 1_200}, "%(count)s links."),
    ]
    survey = make_survey()
    record(survey.owner, survey, *lines)
    (line,) = read_log(survey)
    assert line.what == (
        "Changed: Last day and Planned number of responses. 1,200 links.",
    )


def test_a_message_is_text_and_not_markup(client):
    survey = make_survey()
    record(survey.owner, survey, '["<b>"')
    record(survey.owner, survey, "<b>bold</b>")
    client.force_login(survey.owner)
    page = client.get(page_of(survey, "history")).content.decode()
    assert "<b>" not in page
    assert "&lt;b&gt;bold" in page
