"""Archives of other servers: added up where all is well, and else not a row of them."""

import json
import shutil
from collections import Counter
from decimal import Decimal
from typing import ClassVar

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from django.core.management import CommandError
from django.db import transaction
from django.urls import reverse

from estimation.rows.shares import get_results
from respondents.imports.archives import rows
from respondents.imports.archives.archive import (
    NO_DESIGN,
    derive_public_key,
    read_archive,
)
from respondents.imports.archives.rows import CountsDigest
from respondents.models import SealedPattern, close
from respondents.storage.sealed_tally import SealedTally, add_up
from surveys.files.definition import write_definition
from surveys.frozen import compute_digest
from surveys.models import Survey
from tests.archives import (
    change,
    change_column,
    elsewhere,
    make_closed,
    patterns_of,
    run,
)
from tests.factories import make_multilingual_survey, make_user

pytestmark = pytest.mark.django_db

FIRST, SECOND = patterns_of(1), patterns_of(2, respondents=400)
THIRD = patterns_of(3, respondents=300)


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
def test_merged_archives_become_a_closed_survey(sites, monkeypatch):
    # As if they were long: several batches each, one of which ends in between.
    monkeypatch.setattr(rows, "ROWS_AT_ONCE", 50)
    text = run("merge", "study-habits", *sites)
    survey = Survey.objects.get()
    both = Counter(FIRST) + Counter(SECOND)
    assert "Stored 1,000 respondents" in text
    assert SealedPattern.objects.counts(survey) == both
    assert SealedTally.objects.find(survey).counts == add_up(both)
    assert (survey.state, survey.is_imported) == ("closed", True)
    assert get_results(survey).respondents == 1000
    design = json.loads((sites[0] / "design.json").read_text())
    assert survey.design_digest == design["design_digest"]


def test_a_site_merges_its_own_survey_under_another_address(sites):
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


def read(client, name, *arguments):
    return client.get(reverse(name, args=arguments)).content.decode()


def test_archives_keep_their_translations(tmp_path):
    with transaction.atomic():
        survey = make_multilingual_survey()
        SealedPattern.objects.add(survey, {b"\0": 40})
        close(survey)
        run("archive", survey.slug, tmp_path / "north")
        transaction.set_rollback(True)
    run("merge", "study-habits", tmp_path / "north")
    merged = Survey.objects.get()
    assert merged.get_translations()["de"]["title"] == "Lerngewohnheiten"
    assert merged.questions.get().translations["de"]["choices"] == ["Ja", "Nein"]


@pytest.mark.parametrize("wrong", [{"de": {}}, {"de": {"title": 7}}, [], "de"])
def test_a_design_with_an_invalid_translation_is_rejected(tmp_path, wrong):
    folder = elsewhere(tmp_path / "north", FIRST)
    design = {**read_archive(folder).design, "translations": wrong}
    change(folder, design=design, design_digest=compute_digest(design))
    with pytest.raises(CommandError, match="Nothing was stored"):
        run("merge", "study-habits", folder)


def test_imported_reports_can_have_gaps_and_cause_a_warning(tmp_path):
    counts = {b"\xff\x00": 40, b"\x01\xff": 2, b"\xff\xff": 1}
    folder = elsewhere(
        tmp_path / "field", counts, ("coin", "die"), draws="", is_imported=True
    )
    text = run("merge", "study-habits", folder)
    assert "! " in text
    assert SealedPattern.objects.counts(Survey.objects.get()) == counts


def test_the_same_archive_cannot_be_merged_twice(sites, tmp_path):
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
    run("merge", "study-habits", *sites, copy, "--may-be-identical")
    assert get_results(Survey.objects.get()).respondents == 1600


COUNT = (
    r"south/patterns.parquet: row 3, column count: must be a whole number from 1 to "
)


@pytest.mark.parametrize(
    ("column", "row", "value", "message"),
    [
        ("count", 2, -5, rf"{COUNT}1000000000; got -5"),
        ("count", 2, 0, rf"{COUNT}1000000000; got 0"),
        ("count", 2, None, rf"{COUNT}1000000000; got 0"),
        ("count", 2, 10**9 + 1, rf"{COUNT}1000000000; got 1000000001"),
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
def test_invalid_rows_are_rejected(sites, monkeypatch, column, row, value, message):
    monkeypatch.setattr(rows, "ROWS_AT_ONCE", 50)  # row 51 begins another batch
    change_column(sites[1], column, row, value)
    with pytest.raises(CommandError, match=f"(?s)Nothing was stored.*{message}"):
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
    change(folder, design=design, design_digest=compute_digest(design))


@pytest.mark.parametrize(
    ("doctor", "message"),
    [
        (drop_column, r"patterns.parquet: columns: must be q1 uint8, .*; got q1 uint8"),
        (widen_column, r"patterns.parquet: columns: must be .*; got q1 int64"),
        (cut_short, "patterns.parquet cannot be read: "),
        (break_page, "patterns.parquet cannot be read: "),
        (reword, "design.json: design_digest: must be the digest of the design"),
        (reword_file_of_survey, "design.json: survey: is not what the design says"),
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
def test_a_damaged_or_altered_file_is_reported_and_nothing_is_stored(
    sites, doctor, message
):
    doctor(sites[0])
    with pytest.raises(CommandError, match=f"(?s)Nothing was stored.*{message}"):
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
        {"epsilon_reason": 7},
        {"draws": [{"asked": 1, "questions": [1, 9]}]},
        {"analysis": {"pinned_level": "0.9"}},
        {"analysis": {**NOTHING_PLANNED, "pinned_level": "often"}},
        {"analysis": {**NOTHING_PLANNED, "pinned_pairs": "1-1"}},
        {"analysis": {**NOTHING_PLANNED, "shares_to_beat": None}},
        {"analysis": 9},
    ],
    ids=str,
)
def test_an_invalid_design_with_a_valid_digest_is_rejected(sites, changed):
    for folder in sites:
        redesign(folder, **changed)
    with pytest.raises(CommandError, match=f"design.json: {NO_DESIGN}"):
        run("merge", "study-habits", *sites)
    assert not Survey.objects.exists()


def test_the_reason_for_a_high_total_epsilon_is_imported(tmp_path, settings):
    reason, ten = "Only all ten answers show it.", ("coin",) * 10
    panel = {"panel": "Cohort 2026", "panel_budget": Decimal("12.5")}
    fields = {"draws": "", "epsilon_reason": reason, **panel}
    counts = {b"\x00" * 10: 40, b"\x01" * 10: 40}
    folder = elsewhere(tmp_path / "north", counts, ten, **fields)
    # Whatever the limit is here: no one is asked anything.
    settings.MAX_TOTAL_EPSILON = Decimal(20)
    run("merge", "study-habits", folder)
    survey = Survey.objects.get()
    assert survey.epsilon_reason == reason
    assert (survey.panel, survey.panel_budget) == ("Cohort 2026", Decimal("12.5"))
    assert read_archive(folder).frozen.epsilon_reason == reason


class TestPlans:
    """What was planned is taken over only where servers attest when."""

    PLANNED: ClassVar = {"shares_to_beat": "3 > 20"}
    SENTENCE = "attests that the plan is older"

    @pytest.fixture
    def sites(self, tmp_path):
        return [
            elsewhere(tmp_path / name, counts, **self.PLANNED)
            for name, counts in (("north", FIRST), ("south", SECOND))
        ]

    def results(self, client, owner):
        owner.is_superuser = True
        owner.save()
        client.force_login(owner)
        return read(client, "admin:estimation_results", Survey.objects.get().pk)

    def test_a_plan_signed_by_this_server_is_shown_as_attested(
        self, sites, client, owner
    ):
        shown = run("merge", "study-habits", *sites)
        assert shown.count(f"Signed by localhost, key {derive_public_key()}\n") == 2
        survey = Survey.objects.get()
        assert survey.shares_to_beat == "3 > 20"
        assert survey.plan_attested_by == "localhost"
        page = self.results(client, owner)
        assert "Planned: more than 20" in page
        assert f"localhost {self.SENTENCE}" in page

    def test_a_plan_changed_after_signing_is_omitted(self, sites, client, owner):
        """Anyone who changes the plan works the digest out again."""
        for folder in sites:
            described = json.loads((folder / "design.json").read_text())
            described["design"]["analysis"]["shares_to_beat"] = "3 > 5"
            described["survey"]["shares_to_beat"] = "3 > 5"
            described["design_digest"] = compute_digest(described["design"])
            signature = described.pop("signature")
            counts = CountsDigest(described["design_digest"])
            for batch in batches_of(folder):
                counts.add(*batch)
            described["counts_digest"] = str(counts)
            (folder / "design.json").write_text(json.dumps(described))
            change(folder, signature=signature)
            with pytest.raises(CommandError, match="it was changed after it was sign"):
                run("merge", "study-habits", folder)
            change(folder)

        shown = run("merge", "study-habits", *sites)
        assert shown.count("Not signed\n") == 2
        assert "! The planned analysis was left out" in shown
        survey = Survey.objects.get()
        assert (survey.has_analysis_plan, survey.plan_attested_by) == (False, "")
        assert "lanned before" not in self.results(client, owner)

    def test_a_plan_of_another_server_requires_a_trusted_key(
        self, sites, tmp_path, settings
    ):
        settings.SECRET_KEY, usual = "x" * 60, settings.SECRET_KEY
        settings.ALLOWED_HOSTS = ["survey.east.example"]
        other, key = (
            elsewhere(tmp_path / "east", THIRD, **self.PLANNED),
            derive_public_key(),
        )
        settings.SECRET_KEY, settings.ALLOWED_HOSTS = usual, ["localhost"]
        assert key != derive_public_key()

        run("merge", "without", *sites, other)
        run("merge", "with", *sites, other, "--trusted-key", key)
        attested = dict(Survey.objects.values_list("slug", "plan_attested_by"))
        assert attested == {"without": "", "with": "localhost, survey.east.example"}

    def test_the_plan_of_imported_reports_is_left_out(self, tmp_path):
        folder = elsewhere(tmp_path / "field", FIRST, is_imported=True, **self.PLANNED)
        assert "! The planned analysis was left out" in run("merge", "both", folder)
        assert not Survey.objects.get().has_analysis_plan

    def test_invalid_keys_and_signatures_attest_nothing(self, sites):
        for key in ("", "5F3A", "g" * 64, "a" * 63):
            with pytest.raises(CommandError, match="must be 64 hexadecimal digits"):
                run("merge", "both", *sites, "--trusted-key", key)
        for signature in ("x", 1, {"server": "x"}):
            change(sites[0], signature=signature)
            with pytest.raises(CommandError, match=r"design\.json: signature: must be"):
                run("merge", "both", *sites)
        for place, signature in enumerate(([], None, {})):
            change(sites[0], signature=signature)
            run("merge", f"both-{place}", *sites)
            survey = Survey.objects.get(slug=f"both-{place}")
            assert not survey.has_analysis_plan


def batches_of(folder):
    return rows.read_rows(folder, read_archive(folder))


@pytest.mark.parametrize("key", ["respondents", "software", "is_imported", "server"])
def test_changes_to_signed_values_are_detected(sites, key):
    signature = json.loads((sites[0] / "design.json").read_text())["signature"]
    changed = {"respondents": 1, "software": "other", "is_imported": True}
    if key == "server":
        change(sites[0], signature={**signature, "server": "survey.other.example"})
    else:
        change(sites[0], signature=signature, **{key: changed[key]})
    with pytest.raises(CommandError, match="was changed after it was signed"):
        run("merge", "both", *sites)


def test_one_simulated_archive_marks_the_merged_survey_as_simulated(tmp_path):
    folders = [
        elsewhere(tmp_path / "north", FIRST),
        elsewhere(tmp_path / "south", SECOND, is_simulated=True),
    ]
    run("merge", "study-habits", *folders)
    assert Survey.objects.get().is_simulated
