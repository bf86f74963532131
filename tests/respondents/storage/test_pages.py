"""The pages of SQLite's main file have no order of the responses once they are sealed.

The rows of a page lie in the order in which they were written.
"""

from collections import Counter
from hashlib import sha256

import pytest
from django.db import connection

from respondents import models
from respondents.models import Response, SealedPattern, close
from respondents.storage.exactly_once import ID_BITS
from respondents.storage.shared_rows import split
from surveys.design import get_design
from tests.concurrency import bytes_of
from tests.factories import make_survey
from tests.respondents.storage.arrival import SEEN_BY_CHANCE, order
from tests.respondents.storage.leaves import leaves_of, roots_of
from tests.respondents.storage.on_disk import run_sql
from tests.sealed import make_sealed_survey, seal

pytestmark = pytest.mark.usefixtures("committed")

__test__ = connection.vendor == "sqlite"

TABLE = SealedPattern._meta.db_table
ENOUGH = 30
"""Rows of a page, to see an order in them."""


def pattern_of(number, size=10):
    return (sha256(b"%d" % number).digest() * 3)[:size]


def size_of(survey):
    return get_design(survey).report_bytes if survey.holder_key else 10


def send(survey, numbers):
    """Send one response for each number, and seal as a server does."""
    for number in numbers:
        pattern = pattern_of(number, size_of(survey))
        Response.objects.store(survey, f"{number:032x}", pattern)
        if number % survey.batch_size == 0:
            Response.objects.seal_if_due(survey)


def pattern_in(row):
    """Return the pattern of a row; the index of surveys has the row id in its place."""
    return next((each for each in row if isinstance(each, bytes)), None)


def orders(survey, numbers):
    """Return for each tree how clearly one of its pages shows the order of arrival."""
    size = size_of(survey)
    number_of = {pattern_of(number, size): number for number in numbers}
    patterns = dict(run_sql(f"SELECT id, pattern FROM {TABLE}"))  # noqa: S608
    found = {}
    for name, root in roots_of(TABLE).items():
        pages = []
        for rows in leaves_of(root):
            # Ciphertexts share a row, of which a long one goes on on other pages.
            sent = [
                text[start : start + size]
                for text in (pattern_in(row) or patterns[row[-1]] for row in rows)
                for start in range(0, len(text) - size + 1, size)
            ]
            pages.append([number_of[each] for each in sent if each in number_of])
        found[name] = max(
            (order(sorted(page), page) for page in pages if len(page) >= ENOUGH),
            default=0,
        )
    content = bytes_of(connection.settings_dict["NAME"])
    places = {content.find(each[:10]): number_of[each] for each in number_of}
    in_file = [number for place, number in sorted(places.items()) if place >= 0]
    return found | {"file": order(sorted(in_file), in_file)}


@pytest.fixture(params=[make_survey, make_sealed_survey], ids=["open", "sealed"])
def survey(request):
    return request.param(batch_size=10)


def test_database_pages_do_not_reveal_the_order_of_arrival(survey):
    numbers = range(300)
    send(survey, numbers)
    found = orders(survey, numbers)
    assert len(found) == 4
    assert max(found.values()) < SEEN_BY_CHANCE


def test_rows_left_in_order_of_arrival_are_detected(survey, monkeypatch):
    monkeypatch.setattr(models, "MAX_RECENT", 0)
    send(survey, range(150))
    assert max(orders(survey, range(150)).values()) > SEEN_BY_CHANCE


def test_counts_stay_correct_beyond_the_number_of_recent_rows(survey, monkeypatch):
    """Some come again, as one of the last rows or as one of those that stay."""
    monkeypatch.setattr(models, "MAX_RECENT", 30)
    sent, size = Counter(), size_of(survey)
    for batch in range(20):
        patterns = [pattern_of(17 * batch + number, size) for number in range(25)]
        counts = Counter(dict.fromkeys(patterns, 1 + batch))
        SealedPattern.objects.add(survey, counts)
        sent += counts
        assert SealedPattern.objects.counts(survey) == sent
    SealedPattern.objects.add(survey, Counter(dict.fromkeys(sent, 1)))
    assert SealedPattern.objects.counts(survey) == sent + Counter(set(sent))
    last = SealedPattern.objects.filter(id__lt=1 << (ID_BITS - models.RECENT_SHIFT))
    assert last.count() <= 30


def test_closing_separates_ciphertexts_that_shared_a_row():
    survey = make_sealed_survey(batch_size=10)
    sizes = [len(seal(survey, b"\0\0")[0])]
    numbers = range(3 * models.MAX_RECENT)
    for start in numbers[:: models.MAX_RECENT]:
        some = numbers[start : start + models.MAX_RECENT]
        patterns = [pattern_of(number, *sizes) for number in some]
        SealedPattern.objects.add(survey, dict.fromkeys(patterns, 1))
    close(survey)
    number_of = {pattern_of(number, *sizes): number for number in numbers}
    groups = [
        {number_of[each] // models.MAX_RECENT for each in split([row], size=sizes[0])}
        for row in SealedPattern.objects.values_list("pattern", "count")
    ]
    assert sum(group == {0, 1, 2} for group in groups) > 0.9 * len(groups)
    assert set(SealedPattern.objects.counts(survey)) == set(number_of)
