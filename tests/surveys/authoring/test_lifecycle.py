"""Duplicate, archive, and surveys as files, through the pages."""

import json
from datetime import timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from django.utils import timezone

from surveys.files.definition import MAX_BYTES, duplicate, write_definition
from surveys.models import Membership, Question, Role, Survey
from tests.factories import make_survey, make_user
from tests.surveys.authoring.posted import page_of, text_of

pytestmark = pytest.mark.django_db

FROM_FILE = "/admin/surveys/survey/from-file/"
LIST = "/admin/surveys/survey/"


def without(text, *names):
    """The definition less what a copy has of its own."""
    return {
        name: value for name, value in json.loads(text).items() if name not in names
    }


@pytest.mark.parametrize("state", ["draft", "closed"])
def test_a_copy_is_a_draft_with_the_same_questions(client, state):
    tomorrow = timezone.localdate() + timedelta(days=1)
    survey = make_survey(
        ["coin", ("k_ary", {"epsilon": "1", "choices": "3"})],
        opened=state != "draft",
        closes_on=tomorrow,
    )
    Survey.objects.filter(pk=survey.pk).update(state=state)
    client.force_login(survey.owner)
    answer = client.post(page_of(survey, "duplicate"), follow=True)
    copy = Survey.objects.exclude(pk=survey.pk).get()
    assert answer.redirect_chain[-1][0] == page_of(copy)
    assert (copy.title, copy.slug) == ("Copy of Study habits", "copy-of-study-habits")
    assert (copy.state, copy.design_digest, copy.is_simulated) == ("draft", "", False)
    own = ("title", "slug")
    original, copied = write_definition(survey), write_definition(copy)
    assert without(copied, *own) == without(original, *own)


def test_a_viewer_may_copy_and_owns_the_copy_alone(client):
    survey = make_survey()
    viewer = make_user("viewer")
    Membership.objects.create(survey=survey, user=viewer, role=Role.VIEWER)
    client.force_login(viewer)
    client.post(page_of(survey, "duplicate"))
    copy = Survey.objects.exclude(pk=survey.pk).get()
    assert copy.owner == viewer
    assert not copy.memberships.exists()
    assert "Created as a copy of “Study habits”." in text_of(
        client.get(page_of(copy, "history"))
    )


def test_a_draft_that_cannot_be_opened_can_be_copied():
    yesterday = timezone.localdate() - timedelta(days=1)
    survey = make_survey(opened=False, closes_on=yesterday, title="x" * 200)
    Question.objects.update(family="gone")
    copy = duplicate(survey, survey.owner)
    assert copy.questions.get().family == "gone"
    assert copy.closes_on is None
    assert copy.title == "Copy of " + "x" * 192
    duplicate(survey, survey.owner).full_clean()


def test_archiving_hides_a_survey_until_it_is_restored(client):
    survey = make_survey(title="Only mine")
    client.force_login(survey.owner)

    def seen():
        pages = ["/admin/", LIST, f"{LIST}?archived=1"]
        return ["Only mine" in text_of(client.get(page)) for page in pages]

    assert seen() == [True, True, False]
    text = text_of(client.post(page_of(survey, "archive"), follow=True))
    assert '<span class="badge badge-plain">Archived</span>' in text
    assert seen() == [False, False, True]
    assert client.get(page_of(survey, "results")).status_code == 200
    assert client.get(survey.get_absolute_url()).status_code == 200
    client.post(page_of(survey, "archive"))
    assert seen() == [True, True, False]
    log = text_of(client.get(page_of(survey, "history")))
    assert "Archived." in log
    assert "Taken out of the archive." in log


@pytest.mark.parametrize("opened", [False, True])
def test_archiving_an_open_survey_warns(client, opened):
    survey = make_survey(opened=opened)
    client.force_login(survey.owner)
    page = text_of(client.get(page_of(survey, "archive")))
    assert ("It stays open" in page) == opened
    assert (f'href="{page_of(survey, "close")}"' in page) == opened
    client.post(page_of(survey, "archive"))
    assert "It stays open" not in text_of(client.get(page_of(survey, "archive")))


def send(client, content):
    content = content if isinstance(content, bytes) else content.encode()
    return client.post(
        FROM_FILE, {"file": SimpleUploadedFile("survey.json", content)}, follow=True
    )


def test_an_exported_survey_is_imported_unchanged(client, researcher):
    survey = make_survey(["coin", "die"], opened=False, owner=researcher, language="de")
    file = client.get(page_of(survey, "definition.json").rstrip("/"))
    assert file["Content-Type"] == "application/json"
    assert file["Content-Disposition"] == 'attachment; filename="study-habits.json"'
    survey.delete()
    answer = send(client, file.content)
    copy = Survey.objects.get()
    assert answer.redirect_chain[-1][0] == page_of(copy)
    assert copy.owner == researcher
    again = client.get(page_of(copy, "definition.json").rstrip("/"))
    assert again.content == file.content


def test_importing_to_a_taken_address_reports_a_new_one(client, researcher):
    survey = make_survey()
    answer = send(client, write_definition(survey))
    assert "Its address is /s/study-habits-2/." in text_of(answer)


def test_a_file_with_a_byte_order_mark_is_read(client, researcher):
    send(client, b"\xef\xbb\xbf" + b'{"title": "A", "organiser": "We"}')
    assert Survey.objects.get().slug == "a"


def test_invalid_definition_files_store_nothing(client, researcher):
    for content, expected in [
        ("{", "This is not JSON"),
        (b"\xff", "The file must be UTF-8; byte 0 is not."),
        (b" " * (MAX_BYTES + 1), "The file is larger than 1 MB."),
        ("", "The submitted file is empty."),
        ('{"organiser": "A"}', "title must be text of 1 to 200 characters"),
        (
            '{"title": "A", "organiser": "We", "questions": [{"text": "B?", '
            '"family": "coin"}, {"text": "<b>", "family": "dice"}]}',
            "Question 2: family must be one of coin, ",
        ),
        ('{"title": "A", "organiser": "We", "<b>": 1}', "got &#x27;&lt;b&gt;&#x27;"),
    ]:
        page = text_of(send(client, content))
        assert "Nothing was stored" in page
        assert expected in page
        assert "questions[" not in page
        assert not Survey.objects.exists()


def test_copying_an_opened_survey_shows_the_epsilon_of_two_waves(client, db):
    client.force_login(make_user())
    for survey, message in (
        (make_survey(), True),  # two waves of a coin: 2 ln 3 = 2.1973
        (make_survey(["direct"], slug="direct"), False),
        (make_survey(slug="draft", opened=False), False),
    ):
        address = reverse("admin:surveys_survey_duplicate", args=[survey.pk])
        for page in (client.get(address), client.post(address, follow=True)):
            text = page.content.decode()
            assert ("their epsilons add up to at most 2.20" in text) is message
