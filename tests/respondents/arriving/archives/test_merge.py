"""Archives of other servers: added up where all is well, and else not a row of them."""

import json
import shutil
from collections import Counter
from csv import DictReader

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from django.core.management import CommandError
from django.urls import reverse

from estimation.models import Publication
from estimation.results.result import get_results
from respondents.arriving.archives import rows
from respondents.arriving.archives.archive import NO_DESIGN, read_archive
from respondents.models import SealedPattern
from respondents.tally import SealedTally, add_up
from surveys.files.definition import write_definition
from surveys.frozen import digest
from surveys.log import entries_of, sentences
from surveys.models import Survey
from tests.archives import (
    change,
    change_column,
    elsewhere,
    make_closed,
    patterns_of,
    run,
)
from tests.factories import make_user

pytestmark = pytest.mark.django_db

FIRST, SECOND = patterns_of(1), patterns_of(2, respondents=400)


@pytest.fixture(autouse=True)
def owner():
    return make_user()


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    return tmp_path_factory.mktemp("archives")


@pytest.fixture
def sites(tmp_path, written):
    """Two archives of a survey that two servers opened; written once, then copied."""
    for name, counts in (("north", FIRST), ("south", SECOND)):
        if not (written / name).exists():
            elsewhere(written / name, counts)
        shutil.copytree(written / name, tmp_path / name)
    return [tmp_path / "north", tmp_path / "south"]


@pytest.mark.storage
def test_the_sum_is_a_closed_survey_of_all_of_them(sites, monkeypatch):
    # As if they were long: several batches each, one of which ends in between.
    monkeypatch.setattr(rows, "ROWS_AT_ONCE", 50)
    told = run("merge", "study-habits", *sites)
    survey = Survey.objects.get()
    both = Counter(FIRST) + Counter(SECOND)
    assert "Stored 1,000 respondents" in told
    assert SealedPattern.objects.counts(survey) == both
    assert SealedTally.objects.of(survey).counts == add_up(both)
    assert (survey.state, survey.is_imported) == ("closed", True)
    assert get_results(survey).respondents == 1000
    design = json.loads((sites[0] / "design.json").read_text())
    assert survey.design_digest == design["design_digest"]


def test_a_site_adds_its_own_up_at_another_address(sites):
    mine = make_closed(FIRST)
    with pytest.raises(CommandError, match="slug: a survey called 'study-habits' al"):
        run("merge", "study-habits", *sites)
    run("merge", "both", *sites)
    merged = Survey.objects.get(slug="both")
    assert get_results(merged).respondents == 1000
    # The address is part of the digest; nothing else is another one.
    assert merged.design_digest != mine.design_digest
    both = [
        json.loads(write_definition(each)) | {"slug": ""} for each in (mine, merged)
    ]
    assert both[0] == both[1]


def test_results_public_page_and_exports_are_those_of_the_sum(sites, client, owner):
    owner.is_superuser = True
    owner.save()
    client.force_login(owner)
    run("merge", "study-habits", *sites)
    survey = Survey.objects.get()
    page = read(client, "admin:estimation_results", survey.pk)
    assert "1,000" in page
    # What Candor saw of other servers is nothing, and every page says so.
    assert "Imported: these reports were collected elsewhere" in page
    csv = read(client, "admin:estimation_csv", survey.pk)
    [first, *_rest] = DictReader(csv.splitlines())
    assert (first["imported"], first["mode"]) == ("yes", "browser")
    publication = Publication.objects.create(survey=survey, questions=[1, 2])
    publication.switch(is_public=True)
    client.logout()
    public = client.get(f"/r/{publication.token}/").content.decode()
    assert "1,000 people answered" in public
    assert "The study says that its answers were scrambled by chance" in public
    assert "before it was stored" not in public
    assert "before they were stored" not in public


def read(client, name, *arguments):
    return client.get(reverse(name, args=arguments)).content.decode()


def test_a_simulated_part_makes_the_sum_simulated(tmp_path):
    folders = [
        elsewhere(tmp_path / "north", FIRST),
        elsewhere(tmp_path / "south", SECOND, is_simulated=True),
    ]
    run("merge", "study-habits", *folders)
    assert Survey.objects.get().is_simulated


def test_the_log_says_whose_counts_they_are(sites):
    run("merge", "study-habits", *sites)
    digests = [read_archive(each).counts_digest[:12] for each in sites]
    [entry] = entries_of(Survey.objects.get())
    assert list(sentences(entry)) == [
        f"Added up from archives whose counts have the digests {', '.join(digests)}."
    ]


def test_what_was_imported_may_have_gaps_and_is_pointed_at(tmp_path):
    counts = {b"\xff\x00": 40, b"\x01\xff": 2, b"\xff\xff": 1}
    folder = elsewhere(
        tmp_path / "field", counts, ("coin", "die"), draws="", is_imported=True
    )
    told = run("merge", "study-habits", folder)
    assert "! " in told
    assert SealedPattern.objects.counts(Survey.objects.get()) == counts


def test_the_same_archive_counts_once_whatever_it_is_called(sites, tmp_path):
    copy = elsewhere(tmp_path / "copy", FIRST)
    # Packed by another program.
    table = pq.read_table(copy / "patterns.parquet")
    pq.write_table(table, copy / "patterns.parquet", compression="none")
    for folders in ([*sites, copy], [sites[0], sites[0]]):
        with pytest.raises(
            CommandError, match=r"are the counts of .*north again|twice"
        ):
            run("merge", "study-habits", *folders)
    assert not Survey.objects.exists()
    run("merge", "study-habits", *sites, copy, "--may-be-alike")
    assert get_results(Survey.objects.get()).respondents == 1600


COUNT = (
    r"south/patterns.parquet: row 3, column count: must be a whole number from 1 to "
)


@pytest.mark.parametrize(
    ("column", "row", "value", "told"),
    [
        ("count", 2, -5, rf"{COUNT}1000000000000; got -5"),
        ("count", 2, 0, rf"{COUNT}1000000000000; got 0"),
        ("count", 2, None, rf"{COUNT}1000000000000; got 0"),
        ("count", 2, 10**12 + 1, rf"{COUNT}1000000000000; got 1000000000001"),
        ("q2", 4, 3, r"row 5, column q2: must be a whole number from 0 to 2.* got 3"),
        (
            "q2",
            4,
            255,
            r"row 5, column q2: must be a whole number from 0 to 2.* got 255",
        ),
        ("q1", 0, None, "row 1, no draw of the design asks these questions"),
        ("q2", 0, None, "row 1, no draw of the design asks these questions"),
        ("q5", 0, 3, "row 2, must come after the row before it"),
        ("q5", 49, 3, "row 51, must come after the row before it"),
        ("count", 0, 77, "design.json: respondents: must be "),
    ],
)
def test_a_row_that_no_server_wrote_is_refused(
    sites, monkeypatch, column, row, value, told
):
    monkeypatch.setattr(rows, "ROWS_AT_ONCE", 50)  # row 51 begins another batch
    change_column(sites[1], column, row, value)
    with pytest.raises(CommandError, match=f"(?s)Nothing was stored.*{told}"):
        run("merge", "study-habits", *sites)
    assert not Survey.objects.exists()
    assert not SealedPattern.objects.exists()


def test_counts_that_were_moved_from_row_to_row_are_found(sites):
    counts = [count for _pattern, count in sorted(SECOND.items())]
    from_row = next(row for row, count in enumerate(counts) if count > 1)
    to_row = from_row + 1
    change_column(sites[1], "count", from_row, counts[from_row] - 1)
    change_column(sites[1], "count", to_row, counts[to_row] + 1)
    with pytest.raises(CommandError, match=r"counts_digest: must be .*from the counts"):
        run("merge", "study-habits", *sites)
    assert not Survey.objects.exists()


def drop_column(folder):
    table = pq.read_table(folder / "patterns.parquet")
    pq.write_table(table.drop_columns(["q3"]), folder / "patterns.parquet")


def widen_column(folder):
    table = pq.read_table(folder / "patterns.parquet")
    table = table.set_column(0, "q1", table["q1"].cast(pa.int64()))
    pq.write_table(table, folder / "patterns.parquet", store_schema=False)


def cut_short(folder):
    content = (folder / "patterns.parquet").read_bytes()
    (folder / "patterns.parquet").write_bytes(content[:-100])


def break_page(folder):
    content = bytearray((folder / "patterns.parquet").read_bytes())
    content[4:60] = bytes(56)
    (folder / "patterns.parquet").write_bytes(content)


def reword(folder):
    design = json.loads((folder / "design.json").read_text())
    design["design"]["questions"][0]["text"] = "Another question?"
    change(folder, design=design["design"])


def reword_file_of_survey(folder):
    design = json.loads((folder / "design.json").read_text())
    design["survey"]["questions"][0]["text"] = "Another question?"
    change(folder, survey=design["survey"])


def forget_table(folder):
    change(folder, design={"questions": [{}]})


def redesign(folder, **changed):
    """Change the design, and name the digest that it then has."""
    design = json.loads((folder / "design.json").read_text())["design"]
    design = {**design, **changed}
    change(folder, design=design, design_digest=digest(design))


@pytest.mark.parametrize(
    ("doctor", "told"),
    [
        (drop_column, r"patterns.parquet: columns: must be q1 uint8, .*; got q1 uint8"),
        (widen_column, r"patterns.parquet: columns: must be .*; got q1 int64"),
        (cut_short, "patterns.parquet cannot be read: "),
        (break_page, "patterns.parquet cannot be read: "),
        (reword, "design.json: design_digest: must be .*, that of the design; got"),
        (reword_file_of_survey, "design.json: survey: must make the design .*; makes"),
        (forget_table, "design.json: design_digest: must be"),
        (lambda at: change(at, format=2), "design.json: format: must be 1; got 2"),
        (lambda at: change(at, note="x"), "design.json: must be an object of format,"),
        (
            lambda at: change(at, respondents="many"),
            "design.json: respondents: must be a whole number; got 'many'",
        ),
        (
            lambda at: change(at, counts_digest="0" * 64),
            "design.json: counts_digest: must be .*, from the counts of",
        ),
        (lambda at: change(at, respondents=10**13), "respondents: must be at most"),
        (
            lambda at: (at / "design.json").write_text("{"),
            "design.json: This is not JSON",
        ),
        (lambda at: (at / "design.json").write_bytes(b"\xff"), "must be UTF-8"),
        (
            lambda at: (at / "design.json").unlink(),
            "design.json cannot be read: No such",
        ),
        (
            lambda at: (at / "patterns.parquet").unlink(),
            "patterns.parquet cannot be read",
        ),
    ],
)
def test_a_broken_or_doctored_file_is_named_and_nothing_is_stored(sites, doctor, told):
    doctor(sites[0])
    with pytest.raises(CommandError, match=f"(?s)Nothing was stored.*{told}"):
        run("merge", "study-habits", *sites)
    assert not Survey.objects.exists()
    assert not SealedPattern.objects.exists()


NOTHING_PLANNED = dict.fromkeys(Survey.PINNED, "")


@pytest.mark.parametrize(
    "changed",
    [
        {"questions": [{}]},
        {"questions": []},
        {"title": 7},
        {"draws": [{"asked": 1, "questions": [1, 9]}]},
        {"analysis": {"pinned_level": "0.9"}},
        {"analysis": {**NOTHING_PLANNED, "pinned_level": "often"}},
        {"analysis": {**NOTHING_PLANNED, "pinned_pairs": "1-1"}},
        {"analysis": {**NOTHING_PLANNED, "shares_to_beat": None}},
        {"analysis": 9},
    ],
    ids=str,
)
def test_a_design_that_is_none_is_refused_although_it_has_its_digest(sites, changed):
    for folder in sites:
        redesign(folder, **changed)
    with pytest.raises(CommandError, match=f"design.json: {NO_DESIGN}"):
        run("merge", "study-habits", *sites)
    assert not Survey.objects.exists()


def test_archives_of_other_questions_do_not_add_up(sites, tmp_path):
    other = elsewhere(tmp_path / "other", {b"\x00": 40}, ("coin",), draws="")
    with pytest.raises(CommandError, match=r"other/design.json: design_digest: must"):
        run("merge", "study-habits", sites[0], other)
    assert not Survey.objects.exists()


@pytest.mark.parametrize("address", ["", "not a slug", "x" * 51])
def test_an_address_that_is_none_is_refused(sites, address):
    with pytest.raises(CommandError, match="Nothing was stored"):
        run("merge", address, *sites)
    assert not Survey.objects.exists()
