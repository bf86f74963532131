"""Sealed until closing: from the submission to the result, and all who might cheat."""

import json
from collections import Counter
from contextlib import suppress
from dataclasses import replace

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection, transaction

from candor.keys import KeysError
from candor.keys.files import encode
from candor.keys.opened import REASONS
from respondents.distribution.deletion import purge
from respondents.distribution.sealed_reports import (
    NothingToOpenError,
    read_batch,
    store_result,
)
from respondents.least_responses import TooFewResponsesError
from respondents.models import Receipt, Response, SealedPattern, SealedTally, close
from tests.factories import make_responses
from tests.respondents.sent import send
from tests.respondents.ways import ComparingClient
from tests.sealed import (
    ANOTHER_HOLDER,
    ANOTHER_KEY,
    KEY,
    make_sealed_survey,
    open_file,
    seal,
)

pytestmark = pytest.mark.django_db

PATTERNS = [b"\0\0"] * 12 + [b"\0\1"] * 7 + [b"\1\1"] * 4


@pytest.fixture
def survey():
    return make_sealed_survey()


def fill(survey, sealed=None):
    """A closed survey with the reports of 23 respondents, or with what is given."""
    make_responses(survey, seal(survey, *PATTERNS) if sealed is None else sealed)
    close(survey)
    return survey


def page_of(survey, name="sealed/"):
    return f"/admin/surveys/survey/{survey.pk}/{name}"


def upload(client, survey, content):
    file = SimpleUploadedFile("result.json", content)
    return client.post(page_of(survey), {"result": file}, follow=True)


# Submissions


def test_both_paths_store_a_sealed_report_once(survey):
    client, (sealed,) = ComparingClient(), seal(survey, b"\0\1")

    for _ in "first", "again", "once more":
        assert send(client, survey, sealed.hex()).status_code == 200

    assert [bytes(each.pattern) for each in Response.objects.all()] == [sealed]
    assert Receipt.objects.count() == 1


def test_both_paths_reject_sealed_reports_of_another_length(survey):
    client, (sealed,) = ComparingClient(), seal(survey, b"\0\1")
    assert send(client, survey, sealed.hex()).status_code == 200

    for other in (sealed[:-1], sealed + b"\0", sealed[:2]):
        answer = send(client, survey, other.hex(), number=2)

        assert answer.status_code == 400
        assert answer.json()["error"]["field"] == "reports"
    assert Response.objects.count() == 1


# Before opening


def test_no_report_is_readable_before_opening(survey):
    """R39, of the whole database; the key opens all that is there."""
    sealed = seal(survey, *PATTERNS)
    make_responses(survey, sealed)
    Response.objects.seal(survey)
    close(survey)

    counts = SealedPattern.objects.counts(survey)
    assert counts == Counter(sealed)
    [[stored, count]] = SealedPattern.objects.values_list("pattern", "count")
    assert bytes(stored) == b"".join(sorted(sealed))
    assert count == len(PATTERNS)
    assert SealedTally.objects.find(survey).counts == []
    assert not Response.objects.exists()
    assert not Receipt.objects.exists()
    opened = [KEY.open(each, survey.design_digest) for each in counts]
    assert sorted(opened) == sorted(PATTERNS)


def test_responses_are_counted_in_batches_and_nothing_else(survey, client):
    make_responses(survey, seal(survey, *[b"\0\1"] * 39))
    Response.objects.seal_if_due(survey)
    assert SealedPattern.objects.respondents(survey) == 0

    make_responses(survey, seal(survey, *[b"\1\1"] * 40))
    Response.objects.seal_if_due(survey)
    assert SealedPattern.objects.respondents(survey) == 20

    client.force_login(survey.owner)
    monitor = client.get(page_of(survey, "monitor/")).content.decode()
    assert "Known after the reports are opened." in monitor
    results = client.get(page_of(survey, "results/")).content.decode()
    assert "Sealed: reports are opened by Ethics Office after closing" in results
    assert "Open sealed reports" not in results
    assert client.get(page_of(survey, "export/files/methods.txt")).status_code == 403
    assert client.get(page_of(survey)).status_code == 302
    assert client.get(page_of(survey, "sealed/batch.json")).status_code == 404


# Opening


def test_an_opened_survey_equals_a_normal_closed_survey(survey):
    fill(survey)

    opened = store_result(survey, open_file(read_batch(survey).write()))

    assert opened.accepted == len(PATTERNS)
    survey.refresh_from_db()
    assert not survey.awaits_opening
    assert SealedPattern.objects.counts(survey) == Counter(PATTERNS)
    sealed_tally = SealedTally.objects.find(survey)
    assert (sealed_tally.respondents, sealed_tally.counts) == (
        23,
        [[19, 4], [12, 11]],
    )
    assert survey.unsealed["refused"] == dict.fromkeys(REASONS, 0)


def test_the_pages_lead_from_closing_to_results(survey, client):
    fill(survey)
    client.force_login(survey.owner)
    results = client.get(page_of(survey, "results/")).content.decode()
    assert page_of(survey) in results
    assert "to compare: 23." in client.get(page_of(survey)).content.decode()

    content = client.get(page_of(survey, "sealed/batch.json")).content
    assert content == client.get(page_of(survey, "sealed/batch.json")).content
    page = upload(client, survey, open_file(content)).content.decode()

    assert "23 reports counted, 0 refused" in page
    assert "Sealed:" not in page
    log = client.get(page_of(survey, "history/")).content.decode()
    assert "23 reports counted, 0 refused" in log
    assert "Exported study-habits.batch.json." in log
    assert client.get(page_of(survey, "sealed/batch.json")).status_code == 404
    again = upload(client, survey, open_file(content)).content.decode()
    assert "This survey has no sealed reports to open." in again
    assert SealedPattern.objects.respondents(survey) == 23


def test_too_few_responses_are_never_opened(survey, client):
    fill(survey, seal(survey, *[b"\0\0"] * 9))
    client.force_login(survey.owner)

    with pytest.raises(TooFewResponsesError, match="9 responses"):
        read_batch(survey)
    assert client.get(page_of(survey, "sealed/batch.json")).status_code == 403
    page = client.get(page_of(survey, "results/")).content.decode()
    assert "Responses: 9." in page
    assert "Open sealed reports" not in page


def test_reports_of_drawn_questions_are_opened():
    survey = make_sealed_survey(["coin"] * 3, draws="1 of 2, 3")
    patterns = [b"\0\1\xff", b"\1\xff\0"] * 10
    fill(survey, seal(survey, *patterns))

    store_result(survey, open_file(read_batch(survey).write()))

    assert SealedPattern.objects.counts(survey) == Counter(patterns)


# Lying respondents (R40)


def test_altered_duplicate_and_foreign_reports_are_rejected_and_counted(survey, client):
    good = seal(survey, *PATTERNS)
    altered = good[0][:-1] + bytes([good[0][-1] ^ 1])
    foreign = seal(survey, b"\0\0", holder=ANOTHER_HOLDER)
    replayed = seal(survey, b"\0\0", digest="0" * 64)
    invented = [bytes(len(good[0])), *seal(survey, b"\2\0", b"\0\xff")]
    fill(survey, [*good, altered, *foreign, *replayed, *invented, good[3], good[3]])

    opened = store_result(survey, open_file(read_batch(survey).write()))

    assert opened.accepted == len(PATTERNS)
    assert survey.unsealed["refused"] == {
        "wrong_length": 0,
        "doubled": 2,
        "unreadable": 4,
        "out_of_range": 2,
    }
    assert SealedPattern.objects.counts(survey) == Counter(PATTERNS)
    client.force_login(survey.owner)
    page = client.get(page_of(survey, "results/")).content.decode()
    assert "Sealed reports refused by the key holder, and not counted: 8." in page
    methods = client.get(page_of(survey, "export/files/methods.txt")).content.decode()
    assert "to Ethics Office, which alone could open them" in methods
    assert "2 (there twice), 4 (altered, or" in methods


# A lying collector


def test_a_result_of_another_batch_is_refused(survey):
    """One was dropped, doubled or invented."""
    fill(survey)
    batch = read_batch(survey)
    first, *rest = batch.sealed
    for sealed in (rest, [*batch.sealed, first], [*rest, bytes(len(first))]):
        other = replace(batch, sealed=tuple(sealed))

        with pytest.raises(KeysError, match="another batch"):
            store_result(survey, open_file(other.write()))
    assert_still_sealed(survey)


# A lying holder, and others who sign


def assert_still_sealed(survey):
    survey.refresh_from_db()
    assert survey.awaits_opening
    assert len(read_batch(survey).sealed) == len(PATTERNS)


def forge(survey, key=KEY, **changes):
    result = json.loads(open_file(read_batch(survey).write())) | changes
    del result["signature"]
    signature = key.sign(encode(result)).hex()
    return encode(result | {"signature": signature})


def test_impossible_counts_are_rejected(survey):
    fill(survey)
    for counts in (
        [[["0000", 24]]],
        [[["0000", 22]]],
        [[["0000", 24], ["0001", -1]]],
        [[["0002", 23]]],
        [[["00", 23]]],
        [[["0000", 23]], [["0000", 23]]],
    ):
        with pytest.raises(KeysError):
            store_result(survey, forge(survey, counts=counts))
    assert_still_sealed(survey)


def test_wrong_counts_with_the_right_total_are_not_noticed(survey):
    """As docs/reference/sealed-reports.md says."""
    fill(survey)
    store_result(survey, forge(survey, counts=[[["0101", 23]]]))
    assert SealedPattern.objects.counts(survey) == {b"\1\1": 23}


def test_a_foreign_signature_is_rejected_with_a_reason(survey, client):
    fill(survey)
    client.force_login(survey.owner)

    page = upload(client, survey, forge(survey, key=ANOTHER_KEY)).content.decode()

    assert "The signature is not that of the key holder." in page
    assert_still_sealed(survey)


def test_files_that_are_not_results_are_rejected(survey, client):
    fill(survey)
    client.force_login(survey.owner)

    for content in (b"", b"{}", b"\xff", b"[" * 100_000):
        assert upload(client, survey, content).status_code == 200

    assert_still_sealed(survey)


# Interrupted, twice, deleted


@pytest.mark.parametrize("step", range(12))
def test_an_interrupted_opening_leaves_all_reports_sealed_or_opened(survey, step):
    """Where any statement of it fails, nothing has happened, and it can be repeated."""
    fill(survey)
    content = open_file(read_batch(survey).write())
    made = iter(range(12))

    def fail(execute, sql, params, many, context):
        if next(made, None) == step:
            raise KeyboardInterrupt
        return execute(sql, params, many, context)

    with suppress(KeyboardInterrupt), connection.execute_wrapper(fail):
        store_result(survey, content)
    survey.refresh_from_db()
    if survey.awaits_opening:
        assert_still_sealed(survey)
        store_result(survey, content)
    assert SealedPattern.objects.counts(survey) == Counter(PATTERNS)
    with pytest.raises(NothingToOpenError):
        store_result(survey, content)


def test_deleting_all_reports_deletes_sealed_reports(survey, client):
    fill(survey)
    content = open_file(read_batch(survey).write())

    assert purge(survey) == len(PATTERNS)

    assert not SealedPattern.objects.exists()
    assert not SealedTally.objects.exists()
    with pytest.raises(NothingToOpenError), transaction.atomic():
        store_result(survey, content)
