"""A sealed survey of which the key holder returns declared tables alone."""

import json
from collections import Counter
from dataclasses import replace
from itertools import product

import pytest

from candor.files.table import FileError
from candor.keys import KeysError, open_batch
from candor.keys.files import encode
from estimation.models import Publication
from estimation.rows.asked import make_asked_rows
from estimation.rows.counts import read_one_way
from respondents.backups.checks import read_contents
from respondents.distribution import rehearsal
from respondents.distribution.deletion import purge
from respondents.distribution.sealed_reports import read_batch, store_result
from respondents.imports.archives.write import write_archive
from respondents.models import SealedPattern, SealedTally, close
from respondents.storage.declared_tables import UndeclaredTableError
from tests.factories import make_responses
from tests.respondents.distribution.test_sealed_reports import page_of
from tests.sealed import KEY, make_sealed_survey, open_file, seal

pytestmark = pytest.mark.django_db

SENTENCE = "The key holder counted only declared tables."
QUESTIONS = ["coin", "coin", "direct", "direct"]
PATTERNS = [
    bytes(reports)
    for place, reports in enumerate(product((0, 1), repeat=4))
    for _ in range(7 + place % 5)
]


def make(**fields):
    return make_sealed_survey(QUESTIONS, declared_tables=True, **fields)


def fill(survey):
    make_responses(survey, seal(survey, *PATTERNS))
    close(survey)
    return survey


@pytest.fixture
def survey(client):
    """Opened by the key holder; its owner is logged in."""
    survey = fill(make(pinned_pairs="1-2"))
    store_result(survey, open_file(read_batch(survey).write()))
    client.force_login(survey.owner)
    return survey


def count(*numbers):
    return Counter(bytes(each[n - 1] for n in numbers) for each in PATTERNS)


def forge(survey, change):
    """What a lying key holder signs, whose counts have been changed."""
    result = json.loads(open_file(read_batch(survey).write()))
    del result["signature"]
    change(result["counts"])
    return encode(result | {"signature": KEY.sign(encode(result)).hex()})


def test_the_batch_requests_only_declared_tables():
    batch = read_batch(fill(make()))

    assert batch.tables[:4] == ((1,), (2,), (3,), (4,))
    assert batch.tables[4:] == ((1, 3), (1, 4), (2, 3), (2, 4))
    assert batch.questions not in batch.tables


def test_only_counts_of_declared_tables_are_stored(survey):
    assert not SealedPattern.objects.exists()
    sealed_tally = SealedTally.objects.find(survey)
    assert sealed_tally.respondents == len(PATTERNS)
    assert sealed_tally.counts == [
        [count(n)[b"\0"], count(n)[b"\1"]] for n in range(1, 5)
    ]
    for numbers in ((1,), (1, 3), (4, 2), (2, 1)):
        assert SealedPattern.objects.counts(survey, numbers) == count(*numbers)
    for numbers in ((), (3, 4), (1, 2, 3)):
        with pytest.raises(UndeclaredTableError, match="only declared tables"):
            SealedPattern.objects.counts(survey, numbers)


@pytest.fixture
def whole():
    """The same survey, of which the key holder returned whole responses."""
    survey = fill(make_sealed_survey(QUESTIONS, slug="whole", pinned_pairs="1-2"))
    store_result(survey, open_file(read_batch(survey).write()))
    return survey


SAME = [
    ("results/compare.csv", {"first": 1, "second": 3}),
    ("results/compare.csv", {"first": 2, "second": 1}),
    ("results/regression.csv", {"outcome": "1-0", "reference_3": 1}),
    ("results/regression.csv", {"outcome": "1-0", "scrambled": 2}),
    ("results/weighted.csv", {"known3_1": "50", "known3_2": "50"}),
    ("results/estimates.csv", {}),
    ("export/files/estimates.json", {}),
]


def test_declared_tables_give_the_same_results_as_stored_responses(
    survey, whole, client
):
    for name, query in SAME:
        first, second = (
            client.get(page_of(each, name), query) for each in (survey, whole)
        )

        assert first.status_code == second.status_code == 200
        text = first.content.decode().replace(survey.design_digest, whole.design_digest)
        # By another question without a scramble, one is counted only if it is planned.
        expected = [
            line
            for line in second.content.decode().splitlines()
            if "weighted" not in name or "question 4?" not in line
        ]
        assert len(text) > 100
        assert text.replace("study-habits", "whole").splitlines() == expected, name


REFUSED = [
    ("results/compare/", {"first": 3, "second": 4}, 400),
    ("results/compare.csv", {"first": 3, "second": 4}, 400),
    ("results/regression/", {"outcome": "1-0", "reference_3": 0, "scrambled": 2}, 400),
    ("results/weighted/", {f"known{n}_{a}": "50" for n in (3, 4) for a in (1, 2)}, 200),
    ("export/reports/reports.csv", {}, 403),
    ("export/reports/workbook.xlsx", {}, 403),
]


def test_undeclared_tables_are_rejected_with_an_explanation(survey, client):
    for name, query, status in REFUSED:
        answer = client.get(page_of(survey, name), query)

        assert answer.status_code == status, name
        assert SENTENCE in answer.content.decode(), name


def test_archives_of_declared_tables_are_rejected_with_a_reason(survey, tmp_path):
    with pytest.raises(FileError, match="counts of declared tables"):
        write_archive(survey, tmp_path / "archive")
    assert not (tmp_path / "archive").exists()


def test_shares_among_asked_respondents_use_their_declared_table():
    questions = ["direct", {"show_if": "1 is Yes"}, {"show_if": "1 is No"}]
    survey = make_sealed_survey(questions, declared_tables=True)
    patterns = [b"\0\1\0"] * 40 + [b"\1\0\1"] * 50
    make_responses(survey, seal(survey, *patterns))
    close(survey)
    store_result(survey, open_file(read_batch(survey).write()))

    read = read_one_way(survey)

    assert read.select(1, 2).counts == {b"\0\1": 40, b"\1\0": 50}
    assert make_asked_rows(read, 2, 0.95, "pratt")


def test_counts_are_published_with_noise(survey, client):
    publication = Publication.objects.create(
        survey=survey,
        questions=[1, 2],
        release_epsilon=1,
        token="2d5f",  # noqa: S106
    )

    client.post(page_of(survey, "publish/switch/"), {"is_public": "on", "after": 0})

    publication.refresh_from_db()
    assert publication.is_public
    page = client.get(publication.get_absolute_url())
    assert page.status_code == 200
    [released] = publication.releases
    assert set(released["tallies"]) == {"1", "2"}


def test_a_rehearsal_rejects_undeclared_tables():
    draft = make(opened=False)
    test = rehearsal.start(draft)
    make_responses(test, seal(test, *PATTERNS[:12], holder=test.holder))

    assert rehearsal.count_responses(test) == 12
    assert sum(SealedPattern.objects.counts(test, (1, 3)).values()) == 12
    with pytest.raises(UndeclaredTableError):
        SealedPattern.objects.counts(test, (1, 2))


def test_deleting_all_reports_deletes_the_tables(survey):
    assert read_contents().responses == len(PATTERNS)

    assert purge(survey) == len(PATTERNS)

    assert not SealedTally.objects.exists()
    assert read_contents().responses == 0


IMPOSSIBLE = {
    "missing": lambda counts: counts.pop(),
    "more": lambda counts: counts.append(counts[0]),
    "another sum": lambda counts: counts[0][0].__setitem__(1, counts[0][0][1] + 1),
    "a missing cell": lambda counts: counts[4].pop(),
    "contradicting": lambda counts: counts[0].__setitem__(
        slice(None), [["00", 1], ["01", len(PATTERNS) - 1]]
    ),
    "swapped": lambda counts: counts.__setitem__(4, counts[5]),
}


def test_impossible_tables_leave_everything_sealed():
    survey = fill(make())

    for change in IMPOSSIBLE.values():
        with pytest.raises(KeysError, match="cannot come from this batch"):
            store_result(survey, forge(survey, change))

    survey.refresh_from_db()
    assert survey.awaits_opening
    assert len(read_batch(survey).sealed) == len(PATTERNS)


def test_a_result_for_other_tables_is_rejected():
    """A collector who asks for whole responses cannot store them as declared tables."""
    survey = fill(make())
    batch = read_batch(survey)
    other = replace(batch, tables=(batch.questions,))

    with pytest.raises(KeysError, match="another batch"):
        store_result(survey, open_batch(KEY, other).write(KEY))
