"""Every visible step is a batch or more, and reveals no order or time."""

from collections import Counter
from itertools import pairwise, product

import pytest
from django.db import connection

from estimation.rows.counts import read_contingency_table
from respondents.models import Response, close
from respondents.storage.batch_scheduler import batch_scheduler
from tests.factories import make_survey
from tests.respondents.storage.arrival import SEEN_BY_CHANCE, order
from tests.respondents.storage.on_disk import run_sql
from tests.respondents.test_invitations_traces import (
    PEOPLE,
    patterns_of_people,
    restart_the_log,
    transactions_in_the_log,
)

# Steps are the same whatever their size; the floor of results is tested elsewhere.
pytestmark = pytest.mark.usefixtures("committed", "no_minimum_responses")

BATCH = 5


def store(survey, numbers, pattern=None):
    for number in numbers:
        Response.objects.store(
            survey, f"{number:032x}", pattern or number.to_bytes(2, "big")
        )


def seen(survey):
    """Return the counts behind every export and page."""
    return Counter(read_contingency_table(survey).counts)


def test_closing_after_one_response_does_not_reveal_it(monkeypatch):
    monkeypatch.setattr("secrets.randbelow", lambda below: below - 1)  # never scheduled
    survey = make_survey(batch_size=BATCH)
    store(survey, range(4 * BATCH))
    before = seen(survey)
    store(survey, [1000])
    assert seen(survey) == before
    close(survey)
    added = seen(survey) - before
    assert sum(added.values()) == BATCH + 1


def test_results_change_only_by_whole_batches():
    for total, every in product((3, 10, 15, 31), (1, 7)):
        survey = make_survey(slug=f"{total}-{every}", batch_size=BATCH)
        sizes = [0]
        for number in range(total):
            store(survey, [number])
            if number % every == 0:
                sizes.append(seen(survey).total())
        close(survey)
        while_open = [late - early for early, late in pairwise(sizes)]
        assert all(step == 0 or step >= BATCH for step in while_open)
        assert seen(survey).total() == total
        # Closing shows everything at once where nothing was seen before.
        assert sizes[-1] == 0 or total - sizes[-1] >= BATCH


def test_held_back_responses_are_drawn_at_random():
    """The last to come is left with 1 chance in 2: in 24 runs neither never nor always.

    By chance once in 2 ** 23 runs.
    """
    left = []
    for run in range(24):
        survey = make_survey(slug=f"run-{run}", batch_size=2)
        store(survey, range(4))
        Response.objects.seal_if_due(survey)
        tail = Response.objects.filter(survey=survey).values_list("pattern", flat=True)
        assert len(tail) == survey.held_back == 2
        left.append((3).to_bytes(2, "big") in map(bytes, tail))
    assert any(left)
    assert not all(left)


def test_a_batch_size_of_one_holds_nothing_back():
    survey = make_survey(batch_size=1)
    store(survey, [7])
    assert seen(survey).total() == 1


def test_a_polled_scheduler_seals_due_surveys(monkeypatch):
    monkeypatch.setattr(batch_scheduler, "is_polled", True)
    survey = make_survey(batch_size=BATCH)
    store(survey, range(100))
    assert Response.objects.count() == 100
    Response.objects.seal_scheduled()
    assert Response.objects.count() == survey.held_back
    assert seen(survey).total() == 100 - survey.held_back
    assert not batch_scheduler.surveys


@pytest.mark.storage
def test_sealing_removes_the_order_of_arrival_from_the_files():
    survey = make_survey(batch_size=1000)
    restart_the_log()
    store(survey, range(60))
    if connection.vendor == "sqlite":
        assert transactions_in_the_log() >= 60
    Response.objects.seal(survey, leave=20)
    if connection.vendor == "sqlite":
        assert transactions_in_the_log() == 0
        return
    # The rows that are left were all written by the seal, not with their receipts.
    [(writers,)] = run_sql(
        "SELECT count(DISTINCT xmin::text) FROM respondents_response"
    )
    [(pairs,)] = run_sql(
        "SELECT count(*) FROM respondents_receipt JOIN respondents_response "
        "ON respondents_receipt.xmin::text = respondents_response.xmin::text"
    )
    assert (writers, pairs) == (1, 0)


@pytest.mark.storage
def test_a_closed_survey_does_not_reveal_its_batches():
    survey = make_survey(batch_size=1000)
    patterns = patterns_of_people()
    for start in range(0, PEOPLE, 20):
        for number in range(start, start + 20):
            store(survey, [number], patterns[number])
        Response.objects.seal(survey)
    close(survey)
    as_written = "rowid"
    if connection.vendor == "postgresql":
        as_written = "xmin::text::bigint, ctid"
    rows = run_sql(
        f"SELECT pattern FROM respondents_sealedpattern ORDER BY {as_written}"  # noqa: S608
    )
    found = [patterns.index(bytes(pattern)) for (pattern,) in rows]
    assert sorted(found) == list(range(PEOPLE))
    assert order(range(PEOPLE), found) < SEEN_BY_CHANCE
