"""What SQLite alone promises, or can be made to do."""

import pytest
from django.db import OperationalError, connection
from scipy.stats import spearmanr

from respondents.models import Receipt, Response, receipt_id
from tests.factories import make_responses, make_survey

pytestmark = pytest.mark.usefixtures("committed")


def run_sql(statement):
    with connection.cursor() as cursor:
        cursor.execute(statement)
        return [value for (value,) in cursor.fetchall()]


def order(arrivals, rows):
    """Return the rank correlation in its standard deviations, nearly a normal value.

    Kendall and Gibbons, Rank Correlation Methods (5th ed. 1990), section 4: under
    random order the variance of Spearman's coefficient is 1 / (n - 1).
    """
    assert sorted(rows) == sorted(arrivals)
    return abs(spearmanr(arrivals, rows).statistic) * (len(rows) - 1) ** 0.5


SEEN_BY_CHANCE = 4.892  # once in 10**6, two-sided


@pytest.mark.parametrize(
    "selection",
    [
        "SELECT pattern FROM respondents_response",
        "SELECT pattern FROM respondents_response WHERE survey_id > 0",  # by its index
    ],
)
def test_responses_come_back_in_random_order(selection):
    arrivals = list(range(600))
    survey = make_survey()
    make_responses(survey, [number.to_bytes(2, "big") for number in arrivals])

    rows = [int.from_bytes(pattern, "big") for pattern in run_sql(selection)]

    assert order(arrivals, rows) < SEEN_BY_CHANCE


def test_receipts_come_back_in_random_order():
    arrivals = list(range(600))
    survey = make_survey()
    make_responses(survey, [b"\x01"] * len(arrivals))
    number_of = {receipt_id(survey, f"{number:032x}"): number for number in arrivals}

    ids = run_sql("SELECT id FROM respondents_receipt")

    assert order(arrivals, [number_of[one] for one in ids]) < SEEN_BY_CHANCE


def test_rows_in_order_of_arrival_would_be_noticed():
    assert order(range(600), range(600)) > SEEN_BY_CHANCE


def test_a_full_disk_keeps_what_was_acknowledged_and_takes_the_rest_later():
    survey = make_survey()
    submissions = [f"{number:032x}" for number in range(500)]
    acknowledged = []

    def store_all():
        for submission in submissions:
            Response.objects.store(survey, submission, b"\x01")
            acknowledged.append(submission)

    run_sql("VACUUM")  # no page is left to be used again
    [pages] = run_sql("PRAGMA page_count")
    [usual] = run_sql("PRAGMA max_page_count")
    run_sql(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(OperationalError, match="full"):
        store_all()
    run_sql(f"PRAGMA max_page_count = {usual}")
    stored = {receipt_id(survey, submission) for submission in acknowledged}
    assert set(Receipt.objects.values_list("id", flat=True)) == stored
    assert Response.objects.count() == len(stored)

    store_all()
    assert Response.objects.count() == len(submissions)
