import re
from urllib.parse import urlencode

import pytest
from django.db import IntegrityError, connection, transaction

from respondents.models import (
    Receipt,
    Response,
    SealedPattern,
    SurveyClosedError,
    close,
    compute_receipt_id,
)
from respondents.storage.invitations import Invitation
from tests.factories import make_responses, make_survey
from tests.respondents.sent import send, stored

pytestmark = [pytest.mark.storage, pytest.mark.django_db]


def test_only_the_first_report_of_a_submission_is_stored():
    survey = make_survey(["coin", "coin"])

    texts = [
        Response.objects.store(survey, "a" * 32, pattern)
        for pattern in (b"\x01\x00", b"\x01\x00", b"\x00\x00")
    ]

    assert stored(survey=survey) == [b"\x01\x00"]
    assert texts == [True, False, False]


def test_a_retry_after_sealing_is_still_recognised():
    survey = make_survey()
    Response.objects.store(survey, "a" * 32, b"\x01")
    Response.objects.seal(survey)

    Response.objects.store(survey, "a" * 32, b"\x01")

    assert stored(survey=survey) == []
    assert SealedPattern.objects.counts(survey) == {b"\x01": 1}


@pytest.mark.parametrize("state", ["draft", "closed"])
def test_a_survey_that_is_not_open_takes_no_responses(state):
    survey = make_survey(opened=state == "closed")
    if state == "closed":
        close(survey)

    with pytest.raises(SurveyClosedError):
        Response.objects.store(survey, "a" * 32, b"\x01")
    with pytest.raises(SurveyClosedError):
        Response.objects.store_many(survey, [b"\x01"])

    assert not Receipt.objects.exists()
    assert not Response.objects.exists()
    assert SealedPattern.objects.counts(survey) == {}


def test_only_an_open_survey_can_be_closed():
    survey = make_survey(opened=False)

    with pytest.raises(SurveyClosedError):
        close(survey)

    survey.open()
    close(survey)
    with pytest.raises(SurveyClosedError):
        close(survey)


def test_closing_seals_the_remaining_responses_and_deletes_receipts():
    survey, other = make_survey(), make_survey(slug="another")
    make_responses(survey, [b"\x00", b"\x01", b"\x01"])
    make_responses(other, [b"\x01"])

    close(survey)

    assert survey.is_closed
    assert survey.closed_on is not None
    assert SealedPattern.objects.counts(survey) == {b"\x00": 1, b"\x01": 2}
    assert not Receipt.objects.filter(survey=survey).exists()
    assert not Response.objects.filter(survey=survey).exists()
    assert Receipt.objects.filter(survey=other).count() == 1
    assert stored(survey=other) == [b"\x01"]


def test_an_open_survey_is_sealed_by_whole_batches():
    survey = make_survey(batch_size=3)
    make_responses(survey, [b"\x01"] * 5)
    Response.objects.seal_if_due(survey)
    assert SealedPattern.objects.counts(survey) == {}

    Response.objects.store(survey, "f" * 32, b"\x01")
    Response.objects.seal_if_due(survey)
    assert SealedPattern.objects.counts(survey) == {b"\x01": 3}
    assert stored(survey=survey) == [b"\x01"] * 3


def test_a_batch_that_another_request_has_sealed_already_is_left_alone():
    # The moment after a first count found three: two have since been sealed.
    survey = make_survey(batch_size=3)
    make_responses(survey, [b"\x01"])

    Response.objects.seal(survey, at_least=survey.batch_size)

    assert stored(survey=survey) == [b"\x01"]


@pytest.mark.parametrize("counts", [(1, 1), (0,)], ids=["twice", "never seen"])
def test_each_pattern_has_one_positive_count(counts):
    survey = make_survey()
    *before, last = counts
    for count in before:
        SealedPattern.objects.create(survey=survey, pattern=b"\x01", count=count)

    with pytest.raises(IntegrityError), transaction.atomic():
        SealedPattern.objects.create(survey=survey, pattern=b"\x01", count=last)


@pytest.mark.parametrize("mode", ["browser", "server"])
@pytest.mark.parametrize("access", ["link", "invitation"])
def test_answering_changes_no_other_table(client, mode, access):
    """No time of a last visit, no session, no line of a log, in any table there is."""
    survey = make_survey(["coin"], mode=mode, access=access)
    code = {}
    if access == "invitation":
        [token] = Invitation.objects.make(survey, 1)
        code = {"invitation": token}
    before = everything()
    page = client.get(survey.get_absolute_url())
    if mode == "browser":
        text = send(client, survey, **code)
    else:
        [submission] = re.findall(r'name="submission"\s+value="(\w+)"', page.text)
        sent = {"submission": submission, "q1": "0", "consent": "on", **code}
        kind = "application/x-www-form-urlencoded"
        text = client.post(survey.get_absolute_url(), urlencode(sent), kind)
    assert text.status_code in {200, 302, 303}, text.text
    client.get("/what-we-store/")
    after = everything()
    mark = "respondents_receipt" if access == "link" else "respondents_invitation"
    changed = {table for table in after if after[table] != before[table]}
    assert changed == {"respondents_response", mark}


def everything():
    """Return the rows of every table, but for what SQLite notes of numbers drawn."""
    with connection.cursor() as cursor:
        tables = connection.introspection.table_names(cursor)
        found = {}
        for table in tables:
            cursor.execute(f'SELECT * FROM "{table}"')  # noqa: S608
            found[table] = sorted(map(repr, cursor.fetchall()))
    return found


def test_the_tables_have_no_other_columns():
    # No time, address, agent, cookie, session, user, order or token: a new column has
    # to be argued for here. Neither a response nor a count leads to a link.
    with connection.cursor() as cursor:
        tables = connection.introspection.table_names(cursor)
        columns = {
            table: {
                column.name
                for column in connection.introspection.get_table_description(
                    cursor, table
                )
            }
            for table in tables
            if table.startswith("respondents_")
        }

    assert columns == {
        "respondents_invitation": {"hash", "survey_id", "spent"},
        "respondents_receipt": {"id", "survey_id"},
        "respondents_response": {"id", "survey_id", "pattern"},
        "respondents_sealedpattern": {"id", "survey_id", "pattern", "count"},
        # Sums over the rows of the last: without order, time or anyone's pattern.
        "respondents_sealedtally": {
            "id",
            "survey_id",
            "respondents",
            "counts",
            "tables",
        },
        # That something has to be overwritten, and not what.
        "respondents_unerased": {"id"},
    }


def test_a_submission_id_has_different_receipts_in_two_surveys():
    first, second = make_survey(), make_survey(slug="another")
    assert compute_receipt_id(first, "a" * 32) != compute_receipt_id(second, "a" * 32)
