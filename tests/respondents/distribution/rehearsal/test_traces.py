"""After opening, no byte of a test answer is left: database, log, files."""

import pytest
from django.db import OperationalError

from respondents.distribution import rehearsal
from respondents.models import (
    Response,
    ResponseQuerySet,
    SealedPattern,
    compute_receipt_id,
)
from tests.factories import make_survey
from tests.respondents.storage.on_disk import find_places, run_sql, written

pytestmark = pytest.mark.usefixtures("committed")

SEALED, WAITING = b"test-answers-in-counts", b"test-answers-in-rows"


@pytest.fixture
def draft(monkeypatch):
    """A draft whose test was answered, next to a survey that people are answering.

    Rows that stay keep the pages from being given back whole.
    """
    draft, other = make_survey(opened=False), make_survey(slug="other", batch_size=1000)
    test = rehearsal.start(draft)
    for number in range(20):
        Response.objects.store(test, f"{number:032x}", SEALED)
        Response.objects.store(other, f"{number:032x}", b"x")
    Response.objects.seal(test)
    # As if nothing had come by to seal: in a test each answer seals itself.
    monkeypatch.setattr(ResponseQuerySet, "schedule_sealing", lambda *_, after: None)
    for number in range(20, 30):
        Response.objects.store(test, f"{number:032x}", WAITING)
        Response.objects.store(other, f"{number:032x}", b"x")
    monkeypatch.undo()
    run_sql("ANALYZE")  # what PostgreSQL does by itself: it would keep samples of rows
    return draft


@pytest.fixture
def markers(draft):
    """What of the test is in the files: reports sealed and not, and receipts."""
    test = rehearsal.find(draft)
    receipts = [compute_receipt_id(test, f"{number:032x}") for number in range(30)]
    # SQLite writes the few short ones in fewer bytes, which might occur anywhere.
    found = [SEALED, WAITING, *(written(each) for each in receipts if each >> 56)]
    assert len(found) > 20
    assert all(find_places(found))
    return found


@pytest.mark.storage
def test_opening_erases_the_bytes_of_rehearsal_answers(client, draft, markers):
    client.force_login(draft.owner)
    answer = client.post(f"/admin/surveys/survey/{draft.pk}/open/")
    assert answer.status_code == 302
    draft.refresh_from_db()
    assert draft.is_open
    assert Response.objects.count() == 30  # of people
    assert not any(find_places(markers))


def test_deleting_the_draft_erases_the_bytes_of_rehearsal_answers(
    client, draft, markers
):
    rehearsal.start(draft)  # what an earlier test left goes with the last one
    client.force_login(draft.owner)
    address = f"/admin/surveys/survey/{draft.pk}/delete/"
    assert client.post(address, {"post": "yes"}).status_code == 302
    assert rehearsal.find(draft) is None
    assert not any(find_places(markers))


def test_opening_without_a_rehearsal_rewrites_nothing(monkeypatch):
    draft = make_survey(opened=False)
    monkeypatch.setattr(rehearsal, "overwrite_deleted_rows", None)
    rehearsal.open_survey(draft)
    assert draft.is_open


def test_a_failed_rewrite_does_not_prevent_opening(draft, markers, monkeypatch):
    def fail():
        raise OperationalError("readers are in the way")

    with monkeypatch.context() as patch:
        patch.setattr(rehearsal, "overwrite_deleted_rows", fail)
        rehearsal.open_survey(draft)
    assert draft.is_open
    assert any(find_places(markers))
    # What is left is unreachable, and the next rewriting takes it along.
    assert not SealedPattern.objects.exists()
    rehearsal.overwrite_deleted_rows()
    assert not any(find_places(markers))
