"""The pages of SQLite's main file have no order of the responses once they are sealed.

The rows of a page lie in the order in which they were written.
"""

from collections import Counter
from hashlib import sha256

import pytest
from django.db import connection

from respondents import models
from respondents.models import Response, SealedPattern
from respondents.storage.exactly_once import ID_BITS
from tests.factories import make_survey
from tests.respondents.storage.arrival import SEEN_BY_CHANCE, order
from tests.respondents.storage.leaves import leaves_of, roots_of
from tests.respondents.storage.on_disk import run_sql

pytestmark = pytest.mark.usefixtures("committed")

__test__ = connection.vendor == "sqlite"

TABLE = SealedPattern._meta.db_table
ENOUGH = 30
"""Rows of a page, to see an order in them."""


def pattern_of(number):
    return sha256(b"%d" % number).digest()[:10]


def send(survey, numbers):
    """Send one response for each number, and seal as a server does."""
    for number in numbers:
        Response.objects.store(survey, f"{number:032x}", pattern_of(number))
        if number % survey.batch_size == 0:
            Response.objects.seal_if_due(survey)


def pattern_in(row):
    """Return the pattern of a row; the index of surveys has the row id in its place."""
    return next((each for each in row if isinstance(each, bytes)), None)


def orders(numbers):
    """Return for each tree how clearly one of its pages shows the order of arrival."""
    number_of = {pattern_of(number): number for number in numbers}
    patterns = dict(run_sql(f"SELECT id, pattern FROM {TABLE}"))  # noqa: S608
    found = {}
    for name, root in roots_of(TABLE).items():
        pages = []
        for rows in leaves_of(root):
            sent = [pattern_in(row) or patterns[row[-1]] for row in rows]
            pages.append([number_of[each] for each in sent])
        found[name] = max(
            order(sorted(page), page) for page in pages if len(page) >= ENOUGH
        )
    return found


@pytest.mark.parametrize("count", [150, 600])
def test_after_each_aggregation_no_page_shows_who_came_first(count):
    survey = make_survey(batch_size=10)
    numbers = range(count)
    send(survey, numbers)
    found = orders(numbers)
    assert len(found) == 3
    assert max(found.values()) < SEEN_BY_CHANCE


def test_rows_that_stay_where_they_were_written_would_be_noticed(monkeypatch):
    monkeypatch.setattr(models, "MOST_RECENT", 0)
    survey = make_survey(batch_size=10)
    send(survey, range(150))
    assert min(orders(range(150)).values()) > SEEN_BY_CHANCE


def test_all_is_counted_once_where_there_are_more_patterns(monkeypatch):
    """Some come again, as one of the last rows or as one of those that stay."""
    monkeypatch.setattr(models, "MOST_RECENT", 30)
    survey, sent = make_survey(), Counter()
    for batch in range(20):
        patterns = [pattern_of(17 * batch + number) for number in range(25)]
        counts = Counter(dict.fromkeys(patterns, 1 + batch))
        SealedPattern.objects.add(survey, counts)
        sent += counts
        assert SealedPattern.objects.counts(survey) == sent
    SealedPattern.objects.add(survey, Counter(dict.fromkeys(sent, 1)))
    assert SealedPattern.objects.counts(survey) == sent + Counter(set(sent))
    last = SealedPattern.objects.filter(id__lt=1 << (ID_BITS - models.RECENT_SHIFT))
    assert last.count() <= 30
