"""Deleting all reports for good, and what stays."""

from functools import partial

import pytest
from django.utils import timezone

from respondents.distribution.deletion import NothingToPurgeError, purge
from respondents.models import Receipt, Response, SealedPattern, close
from surveys.models import Survey
from tests.concurrency import run_concurrently
from tests.factories import make_responses, make_survey
from tests.respondents.storage.on_disk import find_places
from tests.surveys.authoring.posted import page_of, text_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def survey(client):
    survey = make_survey()
    make_responses(survey, [b"\x00", b"\x01", b"\x01"])
    close(survey)
    client.force_login(survey.owner)
    return survey


@pytest.mark.storage
def test_it_deletes_the_reports_and_keeps_the_questions(survey):
    other = make_survey(slug="another")
    make_responses(other, [b"\x01"])
    Response.objects.seal(other)

    assert purge(survey) == 3

    assert SealedPattern.objects.counts(survey) == {}
    assert survey.purged_on == timezone.localdate()
    assert survey.questions.count() == 1
    assert SealedPattern.objects.counts(other) == {b"\x01": 1}
    assert Receipt.objects.filter(survey=other).count() == 1


def test_only_a_closed_survey_can_be_purged_once(survey):
    for other in (make_survey(slug="open"), make_survey(slug="draft", opened=False)):
        with pytest.raises(NothingToPurgeError):
            purge(other)
    purge(survey)
    with pytest.raises(NothingToPurgeError):
        purge(survey)


def test_the_owner_types_the_address_to_confirm(client, survey):
    page = text_of(client.get(page_of(survey, "purge")))
    assert "Responses to delete permanently: 3" in page
    for wrong in ("", "study-habit", "STUDY-HABITS"):
        page = text_of(client.post(page_of(survey, "purge"), {"slug": wrong}))
        assert "Delete all reports" in page
        assert SealedPattern.objects.respondents(survey) == 3
    answer = client.post(page_of(survey, "purge"), {"slug": survey.slug}, follow=True)
    assert "Deleted the reports of 3 responses." in text_of(answer)
    assert not SealedPattern.objects.exists()


@pytest.mark.parametrize("method", ["get", "post"])
def test_an_open_survey_has_nothing_to_purge(client, method):
    survey = make_survey()
    client.force_login(survey.owner)
    sent = {"slug": survey.slug}
    answer = getattr(client, method)(page_of(survey, "purge"), sent, follow=True)
    assert "Only a closed survey has reports to delete." in text_of(answer)


@pytest.mark.storage
@pytest.mark.usefixtures("committed")
def test_simultaneous_purges_delete_once():
    survey = make_survey()
    make_responses(survey, [b"\x01"] * 5)
    close(survey)

    def count(copy):
        try:
            return purge(copy)
        except NothingToPurgeError:
            return None

    copies = [Survey.objects.get() for _ in range(4)]
    counts = run_concurrently(*(partial(count, copy) for copy in copies))

    assert sorted(counts, key=str) == [5, None, None, None]


@pytest.mark.storage
@pytest.mark.usefixtures("committed")
def test_it_leaves_no_bytes_of_a_pattern():
    marker = b"pattern-that-can-be-found"
    survey, other = make_survey(), make_survey(slug="another")
    for number in range(40):
        Response.objects.store(survey, f"{number:032x}", marker)
        Response.objects.store(other, f"{number:032x}", b"x")
    close(survey)
    assert find_places([marker])[0] > 0

    purge(survey)

    assert find_places([marker]) == [0]
