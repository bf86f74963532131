"""Sealed counts are read once, for the selected questions only."""

from collections import Counter
from itertools import product

import pytest

from candor.mechanisms.draws import NOT_ASKED
from estimation.rows.counts import (
    count_reports_by_question,
    read_contingency_table,
    read_one_way,
    read_patterns,
)
from respondents.models import SealedPattern
from surveys.design import get_design
from tests.factories import make_responses, make_survey

pytestmark = [pytest.mark.storage, pytest.mark.django_db]

YES, NO = b"\0", b"\1"
QUESTIONS = ("coin", ("k_ary", {"epsilon": 1, "choices": 3}), "die")

# Every pattern of two, three and two answers, and of "not asked".
COUNTS = {
    bytes([first, second, third]): 1 + first + 5 * third + second
    for first in (0, 1, NOT_ASKED)
    for second in (0, 1, 2, NOT_ASKED)
    for third in (0, 1, NOT_ASKED)
}


@pytest.fixture
def survey():
    made = make_survey(QUESTIONS, counts=COUNTS)
    # Reports of another survey are not counted.
    make_survey(QUESTIONS, slug="other", counts={b"\0\0\0": 999})
    return made


def test_a_question_has_the_same_counts_alone_and_among_all(survey):
    for number, *among_all in read_contingency_table(survey).by_question():
        alone = read_contingency_table(survey, [number])
        assert list(alone.by_question()) == [(number, *among_all)]
        assert alone.respondents == sum(COUNTS.values())


def test_pattern_counts_add_up_to_the_question_counts(survey):
    found = read_patterns(survey)
    rows = zip(map(bytes, found.patterns.sent), found.patterns.counts, strict=True)
    assert dict(rows) == COUNTS
    assert found.respondents == read_one_way(survey).respondents == sum(COUNTS.values())
    assert found.added_up == read_one_way(survey).added_up
    assert list(found.by_question()) == list(
        read_contingency_table(survey).by_question()
    )


@pytest.mark.parametrize("numbers", [(1, 2), (3, 1)], ids=str)
def test_joint_counts_follow_the_order_of_the_questions(survey, numbers):
    expected = Counter()
    for pattern, count in COUNTS.items():
        expected[bytes(pattern[number - 1] for number in numbers)] += count
    found = read_contingency_table(survey, numbers)
    assert found.counts == expected
    assert [number for number, _, _ in found.by_question()] == list(numbers)


def test_each_question_has_counts_even_if_empty(survey):
    mechanisms = [each.mechanism for each in get_design(survey).questions]
    for counts, read in ((COUNTS, survey), ({}, make_survey(QUESTIONS, slug="empty"))):
        among_all = [
            report_counts
            for _, _, report_counts in read_contingency_table(read).by_question()
        ]
        assert count_reports_by_question(mechanisms, counts) == among_all


@pytest.mark.parametrize("read", [read_contingency_table, read_one_way, read_patterns])
def test_reading_seals_a_due_batch_unless_disabled(read):
    survey = make_survey(batch_size=10)
    make_responses(survey, [YES, NO] * 10)
    assert read(survey, seals=False).respondents == 0
    assert read_contingency_table(survey, [1], seals=False).respondents == 0
    assert read(survey).respondents == 10


def test_reading_counts_needs_one_query(survey, django_assert_num_queries):
    read_contingency_table(survey)
    for read in (read_contingency_table, read_one_way):
        # the design is remembered
        with django_assert_num_queries(1):
            list(read(survey, seals=False).by_question())
    with django_assert_num_queries(1):
        list(read_one_way(survey, (3, 1), seals=False).by_question())


def test_joint_counts_are_cached_until_the_reports_change(
    survey, django_assert_num_queries
):
    first = read_contingency_table(survey, (3, 1), seals=False)
    with django_assert_num_queries(1) as queries:
        assert (
            read_contingency_table(survey, (3, 1), seals=False).counts == first.counts
        )
    assert "GROUP BY" not in queries.captured_queries[-1]["sql"]
    SealedPattern.objects.add(survey, {b"\0\1\1": 4})
    again = read_contingency_table(survey, (3, 1), seals=False)
    assert Counter(again.counts) - Counter(first.counts) == {b"\1\0": 4}


SETS = ((1, 3), (1, 2, 4))
"""Questions that are read together: each with those of its condition."""


@pytest.fixture
def conditional():
    conditions = ({"show_if": "1 is Yes"}, {"show_if": "2 is Yes or 1 is No"})
    return make_survey(["coin", "coin", *conditions], counts=FOUR)


FOUR = {
    bytes(reports): 1 + place
    for place, reports in enumerate(product((0, 1, NOT_ASKED), repeat=4))
}


@pytest.mark.parametrize("numbers", [*SETS, (4, 2), (2, 1, 3, 4)], ids=str)
def test_questions_are_selected_in_any_order(conditional, numbers):
    expected = Counter()
    for pattern, count in FOUR.items():
        expected[bytes(pattern[number - 1] for number in numbers)] += count
    for read in (read_one_way, read_patterns, read_contingency_table):
        assert read(conditional).select(*numbers).counts == expected


def test_a_survey_without_reports_has_no_joint_counts():
    made = make_survey(["coin"] * 4)
    for read in (read_one_way, read_patterns, read_contingency_table):
        assert read(made).select(2, 3, 4).counts == {}


def test_counts_for_conditions_are_cached_until_reports_change(
    conditional, django_assert_num_queries
):
    survey_counts = read_one_way(conditional, seals=False)
    with django_assert_num_queries(1):
        first = [survey_counts.select(*each).counts for each in SETS]
    with django_assert_num_queries(0):
        assert [survey_counts.select(*each).counts for each in SETS] == first
    SealedPattern.objects.add(conditional, {b"\0\1\1\0": 4})
    now = read_one_way(conditional, seals=False).select(*SETS[0])
    assert Counter(now.counts) - Counter(first[0]) == {b"\0\1": 4}
