from collections import Counter
from functools import partial
from threading import Event

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from estimation.rows.counts import count_reports_by_question
from respondents.models import (
    Receipt,
    Response,
    SealedPattern,
    SurveyClosedError,
    close,
)
from surveys.models import Survey
from tests.concurrency import run_concurrently, workers
from tests.factories import make_survey
from tests.respondents.orders import carry_out
from tests.respondents.test_tally import assert_counts_equal_recount

pytestmark = [
    pytest.mark.storage,
    pytest.mark.server,
    pytest.mark.usefixtures("committed"),
]

SUBMISSIONS = 12  # few, so that threads and processes retry one another's
KINDS = ["store"] * 30 + ["seal"] * 5 + ["close"]


def submission_id(number):
    return f"{number:032x}"


def pattern_of(number):
    """Reports of submission `number` to three coins: all eight patterns occur."""
    return bytes(number >> bit & 1 for bit in range(3))


def scripts():
    """Lists of (verb, number of the submission) for two threads and two processes."""
    step = st.tuples(st.sampled_from(KINDS), st.integers(0, SUBMISSIONS - 1))
    return st.lists(st.lists(step, max_size=12), min_size=4, max_size=4)


def order(survey, verb, number):
    if verb == "store":
        return [verb, survey.pk, submission_id(number), pattern_of(number).hex()]
    return [verb, survey.pk]


def recount(survey):
    """Return {pattern: count} over everything stored, sealed or not."""
    tail = Response.objects.filter(survey=survey).values_list("pattern", flat=True)
    return Counter(map(bytes, tail)) + Counter(SealedPattern.objects.counts(survey))


def follow(carry_out, survey, script):
    """Return the numbers of the submissions that were acknowledged."""
    answers = [carry_out(order(survey, *step)) for step in script]
    return {
        number
        for (verb, number), answer in zip(script, answers, strict=True)
        if verb == "store" and answer == "done"
    }


@pytest.fixture
def two_processes():
    with workers(2) as processes:
        yield processes


@settings(
    max_examples=10,
    deadline=None,
    derandomize=True,
    # Each example has a survey of its own, so the database need not be emptied between.
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(scripts=scripts())
def test_acknowledged_responses_are_counted_once_under_concurrency(
    two_processes, scripts
):
    survey = make_survey(["coin"] * 3, slug=f"survey-{Survey.objects.count()}")
    hands = [carry_out, carry_out, *(process.carry_out for process in two_processes)]

    acknowledged = set().union(
        *run_concurrently(
            *(
                partial(follow, hand, survey, script)
                for hand, script in zip(hands, scripts, strict=True)
            )
        )
    )

    expected = Counter(map(pattern_of, acknowledged))
    assert recount(survey) == expected
    assert_counts_equal_recount(survey)
    survey.refresh_from_db()
    if survey.is_closed:
        assert not Receipt.objects.filter(survey=survey).exists()
    else:
        assert Receipt.objects.filter(survey=survey).count() == len(acknowledged)
        close(survey)
    assert not Response.objects.filter(survey=survey).exists()
    assert_counts_equal_recount(survey)
    assert SealedPattern.objects.counts(survey) == expected
    assert count_reports_by_question(
        [each.mechanism for each in survey.questions.all()],
        SealedPattern.objects.counts(survey),
    ) == [
        {
            report: sum(pattern_of(number)[column] == row for number in acknowledged)
            for row, report in enumerate(("yes", "no"))
        }
        for column in range(3)
    ]


def test_fifty_simultaneous_copies_of_a_submission_are_stored_once():
    survey = make_survey()
    store = partial(Response.objects.store, survey, submission_id(1), b"\x01")

    run_concurrently(*[store] * 50)

    assert recount(survey) == {b"\x01": 1}
    assert Receipt.objects.count() == 1


def test_a_response_concurrent_with_closing_is_counted_or_rejected():
    survey = make_survey()
    some_are_stored = Event()

    def store_until_refused(hand, first):
        for acknowledged in range(10_000):
            number = first + acknowledged
            answer = hand(["store", survey.pk, submission_id(number), "01"])
            if answer == "refused":
                return acknowledged
            if acknowledged == 10:
                some_are_stored.set()
        raise AssertionError("the survey was never closed")

    def store_groups_until_refused():
        for begun in range(0, 10_000, 3):
            numbers = range(50_000 + begun, 50_000 + begun + 3)
            group = {submission_id(number): "01" for number in numbers}
            if carry_out(["group", survey.pk, group]) == "refused":
                return begun
        raise AssertionError("the survey was never closed")

    def close_midway():
        some_are_stored.wait()
        close(Survey.objects.get(pk=survey.pk))
        return 0

    with workers(2) as processes:
        hands = [carry_out, carry_out, *(process.carry_out for process in processes)]
        acknowledged = run_concurrently(
            close_midway,
            store_groups_until_refused,
            *(
                partial(store_until_refused, hand, 10_000 * place)
                for place, hand in enumerate(hands)
            ),
        )

    assert SealedPattern.objects.counts(survey) == {b"\x01": sum(acknowledged)}
    assert not Response.objects.exists()
    assert not Receipt.objects.exists()
    with pytest.raises(SurveyClosedError):
        Response.objects.store(survey, submission_id(0), b"\x01")
