"""No response is lost or stored twice when all servers are killed at once."""

import time
from itertools import chain

import pytest
from django.db import connection

from respondents.models import Receipt, Response, SealedPattern, close
from tests.concurrency import workers
from tests.factories import make_survey
from tests.respondents.orders import carry_out
from tests.respondents.storage.test_races import recount

pytestmark = [
    pytest.mark.storage,
    pytest.mark.server,
    pytest.mark.usefixtures("committed"),
]

MAX_SECONDS = 60
"""Until the database notices something: on a busy machine."""

EACH = 60
MOMENTS = {
    "seal": ["INSERT INTO respondents_sealedpattern", None],
    "close": ['DELETE FROM "respondents_receipt"', "VACUUM"],
    "purge": ['UPDATE "surveys_survey"', "VACUUM"],
}
"""The statement after which the kill comes, all of them in the transaction but VACUUM,
which comes when it is committed; None: after everything."""

AFTER = ("VACUUM", None)


def orders_for(survey):
    """Return the orders for two servers; each response has its own pattern."""
    orders = [
        ["store", survey.pk, f"{number:032x}", number.to_bytes(2, "big").hex()]
        for number in range(2 * EACH)
    ]
    return orders[:EACH], orders[EACH:]


def kill_during(survey, verb, moment, *, begun=10):
    """Kill two who store and one who does `verb`; return what was acknowledged."""
    work, acknowledged = orders_for(survey), set()
    with workers(3) as [*storing, other]:
        assert other.carry_out(["look", survey.pk]) == "done"  # it is connected now
        for process, mine in zip(storing, work, strict=True):
            for order in mine:
                process.send(order)
        for process, mine in zip(storing, work, strict=True):
            for order in mine[:begun]:
                assert process.answer() == "done"
                acknowledged.add(bytes.fromhex(order[-1]))
        run_until(other, [verb, survey.pk], moment)
        for process in (*storing, other):
            process.kill()
        for process, mine in zip(storing, work, strict=True):
            for order in mine[begun:]:
                if process.answer() != "done":
                    break
                acknowledged.add(bytes.fromhex(order[-1]))
    settle()
    return acknowledged


def run_until(process, order, moment):
    """Return after the statement of this order that is named, or at its end."""
    if moment is not None:
        process.send(["halt", moment])
    assert process.carry_out(order) == ("done" if moment is None else "under way")


def settle():
    """Wait until the database has noticed who died: until then it may still commit."""
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("PRAGMA integrity_check")
            assert cursor.fetchone() == ("ok",)
            return
        for _ in range(100 * MAX_SECONDS):
            cursor.execute(
                "SELECT count(*) FROM pg_stat_activity WHERE datname = "
                "current_database() AND backend_type = 'client backend' "
                "AND pid <> pg_backend_pid() AND state <> 'idle'"
            )
            if cursor.fetchone() == (0,):
                return
            time.sleep(0.01)
    raise AssertionError("the database goes on with somebody who is dead")


def assert_stored_once(survey, acknowledged):
    stored = recount(survey)
    assert acknowledged <= stored.keys()
    assert set(stored.values()) <= {1}


@pytest.mark.parametrize("verb", ["seal", "close"])
def test_a_kill_during_sealing_or_closing_keeps_each_response_once(verb):
    for number, moment in enumerate(MOMENTS[verb]):
        survey = make_survey(slug=f"killed-{number}", batch_size=1000)
        acknowledged = kill_during(survey, verb, moment)
        assert_stored_once(survey, acknowledged)
        survey.refresh_from_db()
        assert survey.is_closed == (verb == "close" and moment in AFTER)
        assert SealedPattern.objects.filter(survey=survey).exists() == (moment in AFTER)
        if survey.is_closed:
            assert not Response.objects.filter(survey=survey).exists()
            assert not Receipt.objects.filter(survey=survey).exists()
            continue
        # Browsers without an answer send the same again.
        for order in chain(*orders_for(survey)):
            assert carry_out(order) == "done"
        expected = {bytes.fromhex(one[-1]): 1 for one in chain(*orders_for(survey))}
        assert recount(survey) == expected
        close(survey)
        assert SealedPattern.objects.counts(survey) == expected


def test_a_kill_during_purging_keeps_all_reports_or_none():
    for number, moment in enumerate(MOMENTS["purge"]):
        survey = make_survey(slug=f"killed-{number}")
        patterns = {count.to_bytes(2, "big"): 2 for count in range(300)}
        Response.objects.store_many(survey, patterns)
        close(survey)
        with workers(1) as [process]:
            assert process.carry_out(["look", survey.pk]) == "done"
            run_until(process, ["purge", survey.pk], moment)
            process.kill()
        settle()
        survey.refresh_from_db()
        assert bool(survey.purged_on) == (moment in AFTER)
        left = SealedPattern.objects.counts(survey)
        assert left == ({} if survey.purged_on else patterns)
        assert carry_out(["purge", survey.pk]) == (
            "refused" if survey.purged_on else "done"
        )
        assert not SealedPattern.objects.counts(survey)
