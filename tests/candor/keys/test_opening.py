"""Opening a batch: counted and refused reports, dishonest collectors and holders."""

import json
import os
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from candor.keys import Batch, KeysError, Opened, open_batch, open_once
from candor.keys.files import encode
from candor.keys.opened import REASONS
from candor.mechanisms.draws import DrawnGroup
from tests.candor.keys.holders import (
    ANOTHER_DIGEST,
    ANOTHER_KEY,
    DIGEST,
    KEY,
    PUBLIC,
    REPORTS,
    make_batch,
    seal,
)

POSSIBLE = st.tuples(*(st.sampled_from(each) for each in REPORTS))
IMPOSSIBLE = [(0, 3), (2, 0), (0, 255), (255, 255)]
OTHER_PUBLIC = ANOTHER_KEY.publish(holder="", contact="")


def alter(sealed, place=-1):
    altered = bytearray(sealed)
    altered[place] ^= 1
    return bytes(altered)


def sign(batch, /, **changes):
    """Return a changed result with a valid signature of the holder."""
    fields = {**open_batch(KEY, batch).statement, **changes}
    return encode({**fields, "signature": KEY.sign(encode(fields)).hex()})


@given(
    honest=st.lists(POSSIBLE, min_size=1, max_size=8),
    impossible=st.lists(st.sampled_from(IMPOSSIBLE), max_size=3),
    long=st.lists(st.sampled_from([(), (0,), (0, 1, 0)]), max_size=2),
    doubled=st.integers(0, 3),
    altered=st.integers(0, 80),
)
def test_only_genuine_reports_are_counted_each_once(
    honest, impossible, long, doubled, altered
):
    """The collector duplicates, alters and replays reports; respondents forge them."""
    good = seal(*honest)
    unreadable = [
        alter(good[0], altered),
        *seal(honest[0], digest=ANOTHER_DIGEST),
        *seal(honest[0], public=OTHER_PUBLIC),
    ]
    wrong = seal(*long)
    batch = make_batch(
        [*good, *good[:1] * doubled, *unreadable, *wrong, *seal(*impossible)]
    )
    opened = open_batch(KEY, Batch.read(batch.write()))
    assert opened.counts == (Counter(map(bytes, honest)),)
    assert opened.accepted == len(honest)
    assert opened.refused == {
        "wrong_length": len(wrong),
        "doubled": doubled,
        "unreadable": 3,
        "out_of_range": len(impossible),
    }
    assert Opened.read(opened.write(KEY), key=PUBLIC, batch=batch) == opened


def test_patterns_with_impossible_draws_are_refused():
    drawn = DrawnGroup(asked=1, questions=(2, 3))
    sealed = seal((0, 1, 255), (0, 255, 1), (0, 1, 1), (0, 255, 255), (255, 0, 255))
    batch = make_batch(sealed, reports=((0, 1),) * 3, draws=(drawn,))
    opened = open_batch(KEY, batch)
    assert opened.counts == ({b"\0\1\xff": 1, b"\0\xff\1": 1},)
    assert opened.refused["out_of_range"] == 3
    parts = {(2,): (0, 1, 255), (1,): (0, 1)}
    for questions, possible in parts.items():
        allowed = [each for each in range(256) if batch.allows(questions, (each,))]
        assert allowed == [*possible]
    both = [(a, b) for a in (0, 255) for b in (1, 255) if batch.allows((2, 3), (a, b))]
    assert both == [(0, 255), (255, 1)]


def test_separate_tables_hide_the_response_patterns():
    patterns = (0, 1, 1), (0, 0, 1), (1, 1, 0)
    declared = {"reports": ((0, 1),) * 3, "tables": ((1,), (2, 3))}
    batch = make_batch(seal(*patterns), **declared)
    opened = open_batch(KEY, Batch.read(batch.write()))
    assert opened.counts == ({b"\0": 2, b"\1": 1}, {b"\1\1": 1, b"\0\1": 1, b"\1\0": 1})
    result = opened.write(KEY)
    assert not any(
        bytes(each).hex() in json.dumps(json.loads(result)["counts"])
        for each in patterns
    )
    assert Opened.read(result, key=PUBLIC, batch=batch) == opened
    lie = sign(batch, counts=[[["00", 2], ["01", 1]], [["0001", 2]]])
    with pytest.raises(KeysError, match="cannot come from this batch"):
        Opened.read(lie, key=PUBLIC, batch=batch)


@pytest.mark.parametrize(
    ("place", "lie"),
    [
        (0, [["00", 1], ["01", 2]]),
        (2, [["0000", 1], ["0100", 1], ["0101", 1]]),
        (3, [["000001", 1], ["000101", 1], ["010100", 1]]),
        (3, [["000000", 1], ["010001", 1], ["010101", 1]]),
    ],
    ids=["alone", "pair", "single in three", "pair in three"],
)
def test_tables_that_contradict_each_other_are_refused(place, lie):
    """Each false result is possible; the last has the right count of each question."""
    reports = ((0, 1),) * 4
    tables = (1,), (2,), (1, 2), (2, 3, 4), (2, 4)
    patterns = (0, 0, 0, 1), (0, 1, 0, 1), (1, 1, 1, 0)
    batch = make_batch(seal(*patterns), reports=reports, tables=tables)
    honest = json.loads(open_batch(KEY, batch).write(KEY))["counts"]
    assert Opened.read(sign(batch), key=PUBLIC, batch=batch)
    counts = [lie if each == place else honest[each] for each in range(len(tables))]
    assert sorted(lie) != honest[place]
    with pytest.raises(KeysError, match="cannot come from this batch"):
        Opened.read(sign(batch, counts=counts), key=PUBLIC, batch=batch)


def test_a_batch_has_a_canonical_form_without_order():
    sealed = seal(*[(0, 1)] * 20)
    batch = make_batch(sealed)
    assert make_batch(reversed(sealed)).write() == batch.write()
    assert Batch.read(batch.write()) == batch
    fields = json.loads(batch.write())
    assert [*fields] == [
        "digest", "draws", "fingerprint", "format", "number", "reports", "sealed",
        "tables",
    ]  # fmt: skip
    assert {len(each) for each in fields["sealed"]} == {112}


@pytest.mark.parametrize(
    "changes",
    [
        {"number": 2},
        {"number": True},
        {"sealed": []},
        {"sealed": [1]},
        {"sealed": ["*"]},
        {"sealed": ["AAA"]},
        {"digest": "../../etc/passwd"},
        {"digest": DIGEST.upper()},
        {"reports": [1]},
        {"reports": []},
        {"tables": []},
        {"tables": [[3]]},
        {"tables": [[]]},
        {"tables": [["1"]]},
        {"tables": [[1.0]]},
        {"tables": [[True]]},
        {"tables": [[2, 1]]},
        {"tables": [[1, 1, 2]]},
        {"draws": [{"asked": "1", "questions": [1, 2]}]},
        {"draws": [{"asked": 2, "questions": [1, 2]}]},
        {"draws": [{"asked": 1, "questions": [2, 9]}]},
        {"draws": [{"asked": 1}]},
        {"draws": [1]},
        {"format": "candor batch 2"},
        {"more": 1},
    ],
)
def test_a_damaged_batch_is_refused(changes):
    fields = json.loads(make_batch(seal((0, 1))).write())
    with pytest.raises(KeysError):
        Batch.read(encode({**fields, **changes}))


def test_a_batch_for_another_key_is_refused():
    with pytest.raises(KeysError, match="which is not yours"):
        open_batch(ANOTHER_KEY, make_batch(seal((0, 1))))


def test_a_survey_is_opened_once(tmp_path):
    """Otherwise a collector who submits two batches learns the reports that differ."""
    batch, record = make_batch(seal((0, 1), (1, 1))), tmp_path / "opened.json"
    opened = open_once(KEY, batch, record)
    assert Opened.read(record.read_bytes(), key=PUBLIC, batch=batch) == opened
    before = record.read_bytes()
    for again in (batch, make_batch(batch.sealed[:1])):
        with pytest.raises(KeysError, match=r"was opened before.*opened\.json"):
            open_once(KEY, again, record)
    assert record.read_bytes() == before


def test_a_batch_without_readable_reports_is_not_recorded_as_opened(tmp_path):
    sealed, record = seal((0, 1)), tmp_path / "opened.json"
    with pytest.raises(KeysError, match="Nothing was recorded"):
        open_once(KEY, make_batch(sealed, digest=ANOTHER_DIGEST), record)
    assert open_once(KEY, make_batch(sealed), record).accepted == 1


KILLED = 9
CALLS = ("open", "fdopen", "fsync", "replace", "close")


def open_in_killed_process(batch, record, left):
    """Open in a process that stops after `left` disk operations."""
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    calls = iter(range(left))

    def counted(original):
        def call(*given, **options):
            if next(calls, None) is None:
                os._exit(KILLED)
            return original(*given, **options)

        return call

    try:
        for name in CALLS:
            setattr(os, name, counted(getattr(os, name)))
        open_once(KEY, batch, record)
        os._exit(0)
    finally:
        os._exit(1)


def test_a_killed_opening_leaves_a_complete_record_or_none(tmp_path):
    batch = make_batch(seal((0, 1), (1, 1)))
    outcomes = []
    while 0 not in outcomes:
        folder = tmp_path / str(len(outcomes))
        folder.mkdir()
        record = folder / "opened.json"
        outcomes.append(open_in_killed_process(batch, record, len(outcomes)))
        if not record.exists():
            open_once(KEY, batch, record)
        opened = Opened.read(record.read_bytes(), key=PUBLIC, batch=batch)
        assert opened.counts == ({b"\0\1": 1, b"\1\1": 1},)
        with pytest.raises(KeysError, match="opened before"):
            open_once(KEY, batch, record)
    assert outcomes == [KILLED] * (len(outcomes) - 1) + [0]
    assert len(outcomes) > len(CALLS)


def test_a_result_needs_the_signature_of_the_holder():
    batch = make_batch(seal((0, 1), (1, 1)))
    forged = open_batch(KEY, batch).write(ANOTHER_KEY)
    fields = json.loads(open_batch(KEY, batch).write(KEY))
    altered = encode({**fields, "counts": [[["0001", 2]]]})
    for content in (forged, altered, encode({**fields, "signature": ""})):
        with pytest.raises(KeysError, match="signature is not that of the key holder"):
            Opened.read(content, key=PUBLIC, batch=batch)


@pytest.mark.parametrize(
    "changes",
    [
        {"counts": [[["0001", 1]]]},
        {"counts": [[["0001", 3], ["0101", 0]]]},
        {"counts": [[["0001", 3], ["0101", -1]]]},
        {"counts": [[["0001", 1.0], ["0101", 1.0]]]},
        {"counts": [[["0001", 1], ["0103", 1]]]},
        {"counts": [[["0001", 1], ["01ff", 1]]]},
        {"counts": [[["00", 1], ["0101", 1]]]},
        {"counts": [[["0101", 1], ["0001", 1]]]},
        {"counts": [[["0001", 1], ["0001", 1]]]},
        {"counts": []},
        {"counts": [1]},
        {"refused": {**dict.fromkeys(REASONS, 0), "doubled": 1}},
        {"counts": [[]], "refused": {**dict.fromkeys(REASONS, 0), "unreadable": 2}},
        {"refused": {"doubled": 0}},
        {"refused": {"doubled": "0"}},
        {"batch": "00"},
        {"digest": ANOTHER_DIGEST},
        {"fingerprint": OTHER_PUBLIC.fingerprint},
    ],
)
def test_a_result_with_wrong_totals_is_rejected(changes):
    """Other counts with the same total pass: only the holder can read reports."""
    batch = make_batch(seal((0, 1), (1, 1)))
    assert Opened.read(sign(batch), key=PUBLIC, batch=batch)
    lie = sign(batch, counts=[[["0001", 2]]])
    assert Opened.read(lie, key=PUBLIC, batch=batch).counts == ({b"\0\1": 2},)
    with pytest.raises(KeysError):
        Opened.read(sign(batch, **changes), key=PUBLIC, batch=batch)


def test_the_result_of_another_batch_is_refused():
    batch = make_batch(seal((0, 1), (1, 1)))
    other = make_batch(seal((0, 1), (1, 1)))
    with pytest.raises(KeysError, match="result of another batch"):
        Opened.read(sign(other), key=PUBLIC, batch=batch)
