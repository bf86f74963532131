"""Stored counts equal a recount of the patterns."""

from collections import Counter
from functools import partial

import pytest
from django.db import DatabaseError, connection, transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from candor.mechanisms.draws import NOT_ASKED
from estimation.rows.counts import read_contingency_table, read_one_way
from respondents.distribution.deletion import purge
from respondents.models import Response, SealedPattern, close
from respondents.storage.sealed_tally import SealedTally
from surveys.models import Survey
from tests.concurrency import run_concurrently
from tests.factories import make_responses, make_survey

pytestmark = [pytest.mark.storage]

QUESTIONS = ("coin", ("k_ary", {"epsilon": 1, "choices": 3}))
REPORTS = st.tuples(
    st.sampled_from([0, 1, NOT_ASKED]), st.sampled_from([0, 1, 2, NOT_ASKED])
).map(bytes)


def assert_counts_equal_recount(survey):
    """Compare the tally with a count of every pattern by itself."""
    recounted, respondents = [Counter() for _ in design_of_patterns(survey)], 0
    together = Counter()
    for row in SealedPattern.objects.filter(survey=survey):
        respondents += row.count
        together[bytes(row.pattern)] += row.count
        for sent, report in zip(recounted, bytes(row.pattern), strict=True):
            sent[report] += row.count
    kept = SealedTally.objects.find(survey)
    assert kept.respondents == respondents
    if len(recounted) == 2:
        assert SealedPattern.objects.counts(survey, (1, 2)) == together
    for sent, counts in zip(recounted, kept.counts, strict=True):
        assert dict(enumerate(counts)) == {
            report: sent[report] for report in range(len(counts))
        }
        assert all(report < len(counts) for report in +sent if report != NOT_ASKED)


def design_of_patterns(survey):
    any_pattern = SealedPattern.objects.filter(survey=survey).first()
    return bytes(any_pattern.pattern) if any_pattern else b""


@pytest.mark.django_db
def test_a_survey_with_5_percent_of_all_patterns_is_read_by_full_scan():
    mine, others = make_survey(), make_survey(slug="others")
    nobodys = make_survey(slug="nobodys")
    SealedPattern.objects.add(mine, {b"\0": 1})
    SealedPattern.objects.add(others, {b"\0": 19})
    assert SealedTally.objects.is_scan_faster(mine.pk)
    assert not SealedTally.objects.is_scan_faster(nobodys.pk)
    SealedPattern.objects.add(others, {b"\1": 1})
    assert not SealedTally.objects.is_scan_faster(mine.pk)


@pytest.mark.django_db
def test_a_two_question_table_is_consistent_under_concurrent_sealing():
    survey = make_survey(("coin", "coin"), counts={b"\0\0": 3, b"\1\1": 2})
    more = [{b"\0\1": 4}]

    def seal_meanwhile(execute, sql, *rest):
        # The margins are read; of the cells only some are add_counts.
        if "COUNT(*)" in sql and more:
            SealedPattern.objects.add(survey, more.pop())
        return execute(sql, *rest)

    with connection.execute_wrapper(seal_meanwhile):
        found = SealedPattern.objects.counts(survey, (1, 2))
    assert not more
    assert found == {b"\0\0": 3, b"\0\1": 4, b"\1\1": 2}


@transaction.atomic
def add_and_fail(survey, counts):
    SealedPattern.objects.add(survey, counts)
    raise DatabaseError


STEPS = st.one_of(
    st.tuples(st.just("store"), st.lists(REPORTS, min_size=1, max_size=4)),
    st.tuples(st.just("store_many"), st.lists(REPORTS, max_size=4)),
    st.tuples(st.just("import"), st.dictionaries(REPORTS, st.integers(1, 9))),
    st.tuples(st.just("seal"), st.integers(0, 2)),
    st.tuples(st.just("seal_if_due"), st.none()),
    st.tuples(st.just("fails"), st.dictionaries(REPORTS, st.integers(1, 9))),
)


@pytest.mark.django_db
@pytest.mark.usefixtures("no_minimum_responses")
@settings(
    max_examples=10,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(steps=st.lists(STEPS, max_size=8))
def test_stored_counts_equal_a_recount_after_any_steps(steps):
    survey = make_survey(
        QUESTIONS, slug=f"survey-{Survey.objects.count()}", batch_size=2
    )
    other = make_survey(
        QUESTIONS, slug=f"other-{Survey.objects.count()}", counts={b"\0\2": 7}
    )
    for number, (step, sent) in enumerate(steps):
        if step == "store":
            for place, pattern in enumerate(sent):
                Response.objects.store(survey, f"{number:016x}{place:016x}", pattern)
        elif step in ("store_many", "import"):
            Response.objects.store_many(survey, sent)
        elif step == "seal":
            Response.objects.seal(survey, leave=sent)
        elif step == "seal_if_due":
            Response.objects.seal_if_due(survey)
        else:
            with pytest.raises(DatabaseError):
                add_and_fail(survey, sent)
        assert_counts_equal_recount(survey)
    assert_counts_equal_recount(other)
    close(survey)
    assert_counts_equal_recount(survey)
    one_way, jointly = read_one_way(survey), read_contingency_table(survey)
    assert list(one_way.by_question()) == list(jointly.by_question())
    assert one_way.respondents == jointly.respondents
    purge(survey)
    assert not SealedTally.objects.filter(survey=survey).exists()
    assert_counts_equal_recount(other)


def test_concurrent_imports_and_seals_lose_nothing(committed):
    survey = make_survey(batch_size=2)

    def import_some():
        for _ in range(10):
            Response.objects.store_many(survey, {b"\0": 2, b"\1": 1})

    def answer_and_seal(first):
        for number in range(first, first + 10):
            Response.objects.store(survey, f"{number:032x}", b"\1")
            Response.objects.seal(survey)

    run_concurrently(
        import_some,
        import_some,
        partial(answer_and_seal, 0),
        partial(answer_and_seal, 100),
    )
    assert_counts_equal_recount(survey)
    assert SealedTally.objects.find(survey).counts == [[40, 40]]


@pytest.mark.parametrize("has_begun", [True, False])
def test_concurrent_additions_to_the_counts_lose_nothing(committed, has_begun):
    """Sealing locks the survey, too; the tally does not rely on it."""
    survey = make_survey()
    if has_begun:
        SealedPattern.objects.add(survey, {b"\1": 1})

    def add():
        for _ in range(10):
            SealedPattern.objects.add(survey, {b"\1": 1})

    run_concurrently(*[add] * 5)
    assert_counts_equal_recount(survey)
    assert SealedTally.objects.find(survey).respondents == 50 + has_begun


def test_closing_rewrites_the_stored_counts(committed):
    """PostgreSQL dates a row by its transaction: the last seal's is not to be seen."""
    survey, later = make_survey(batch_size=2), make_survey(slug="later")
    make_responses(survey, [b"\0"] * 4)
    Response.objects.seal(survey)
    before = SealedTally.objects.find(survey)
    Response.objects.store_many(later, [b"\1"])
    close(survey)
    after = SealedTally.objects.find(survey)
    assert (after.respondents, after.counts) == (before.respondents, before.counts)
    assert after.pk != before.pk
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT xmin::text FROM respondents_sealedtally WHERE survey_id = %s "
                "UNION SELECT xmin::text FROM respondents_sealedpattern "
                "WHERE survey_id = %s",
                [survey.pk, survey.pk],
            )
            assert len(cursor.fetchall()) == 1
