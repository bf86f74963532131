import csv
import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse

from estimation.rows.shares import get_results
from surveys.models import Question, Survey
from tests.factories import make_survey, make_user

pytestmark = pytest.mark.django_db

ROOT = Path(__file__).parents[3]

PUBLISHED = json.loads(
    (ROOT / "tests" / "published" / "armed_groups_forced_response.json").read_text()
)
MISSING = 22
"""Blair, Imai & Zhou 2015: 2,457 respondents, 2,435 reports."""

# The study's file cannot be redistributed; it is read if it exists next to the project.
# The published counts are always read.
FIELD_FILES = list(ROOT.parent.glob("shared/data/nigeria.csv"))


def counts_as_csv():
    report_counts = PUBLISHED["tally"]
    rows = ["1"] * report_counts["yes"] + ["0"] * report_counts["no"] + ['""'] * MISSING
    return "\n".join(["rr.q1", *rows])


@pytest.fixture(autouse=True)
def owner():
    return make_user()


def question(**fields):
    return {
        "text": "Did you have direct social contact with armed groups?",
        "family": "forced_response",
        "parameters": {"forced_yes": "1/6", "forced_no": "1/6"},
        "column": "rr.q1",
        "codes": {"1": "yes", "0": "no"},
        **fields,
    }


def study(*questions, **fields):
    return {
        "title": "Armed groups in the Niger Delta",
        "slug": "niger-delta",
        "organiser": "Blair, Imai & Zhou",
        "purpose": "To learn how common contact with armed groups is.",
        "questions": list(questions) or [question()],
        **fields,
    }


@pytest.fixture
def run(tmp_path):
    def run_command(described, reports, *arguments):
        described = described if isinstance(described, str) else json.dumps(described)
        (tmp_path / "study.json").write_text(described)
        written = StringIO()
        paths = [tmp_path / "study.json", tmp_path / "reports.csv"]
        if isinstance(reports, bytes):
            paths[1].write_bytes(reports)
        elif isinstance(reports, str):
            paths[1].write_text(reports)
        else:
            paths[1] = reports
        call_command("import_reports", *paths, *arguments, stdout=written)
        return written.getvalue()

    return run_command


@pytest.mark.parametrize("reports", [counts_as_csv(), *FIELD_FILES], ids=type)
def test_a_published_field_study_gives_its_published_result(
    run, client, owner, reports
):
    written = run(study(), reports)
    assert "2,435 reports (831 Yes, 1,604 No), 22 missing" in written
    survey = Survey.objects.get(slug="niger-delta")
    client.force_login(owner)
    page = client.get(reverse("admin:estimation_results", args=[survey.pk]))
    page = page.content.decode()
    assert "Scrambled answers: 2,435" in page
    assert "Responses without a report to this question: 22." in page
    file = client.get(reverse("admin:estimation_csv", args=[survey.pk]))
    yes = next(csv.DictReader(StringIO(file.content.decode())))
    assert int(yes["missing"]) == MISSING
    assert int(yes["respondents"]) == 2435
    half_a_digit = 0.5 * 10.0 ** -PUBLISHED["decimals"]
    for name in ("raw", "standard_error"):
        published = pytest.approx(PUBLISHED[name], abs=half_a_digit, rel=0)
        assert float(yes[name]) == published
        assert f'<data value="{yes[name]}">' in page
    assert (yes["count"], yes["share"]) == ("831", yes["raw"])


def test_an_analysis_plan_in_the_file_is_ignored(run):
    """The plan may be newer than the reports."""
    run(study(shares_to_beat="1 > 20", pinned_level="0.9"), counts_as_csv())
    survey = Survey.objects.get()
    assert not survey.has_analysis_plan
    assert "analysis" not in survey.definition()


def test_a_study_may_use_a_mechanism_without_instruction_card(run, client, owner):
    drawn = question(family="epsilon", parameters={"epsilon": "2/3"})
    run(study(drawn), "rr.q1\n1\n1\n0\n")
    survey = Survey.objects.get()
    assert get_results(survey).questions[0].report_counts[0][1] == 2
    client.force_login(owner)
    for page in ("surveys_survey_change", "estimation_results", "estimation_export"):
        address = reverse(f"admin:{page}", args=[survey.pk])
        assert client.get(address).status_code == 200
    assert "closed" in client.get(survey.get_absolute_url()).content.decode()


@pytest.mark.parametrize(
    ("reports", "message"),
    [
        (b"rr.q1\n\xff\n", "must be '1', '0', 'NA' or empty; got '\xff'"),
        (Path("nowhere.csv"), "nowhere.csv cannot be read: No such file"),
    ],
    ids=repr,
)
def test_a_broken_file_of_reports_is_refused(run, reports, message):
    with pytest.raises(CommandError, match=message):
        run(study(), reports)
    assert not Survey.objects.exists()


@pytest.mark.parametrize(
    ("described", "message"),
    [
        (study(slug="taken"), "already exists"),
        (study(question(codes={"1": "maybe"})), "map cells to yes or no; got"),
        (study(question(codes={"": "yes"})), "nothing is both a code and missing"),
        (study(question(codes={"NA": "no"})), "'NA' is both a code and missing"),
        (study(question(missing=["1"])), "'1' is both a code and missing"),
        (study(question(), question()), r"\[1\].column must be its own; 'rr.q1'"),
        (study(question(text=1), question(codes={})), r"\[0\].text.*\n.*\[1\].codes"),
    ],
    ids=lambda value: str(value)[-60:],
)  # fmt: skip
def test_a_broken_description_is_refused(run, described, message):
    make_survey(slug="taken")
    with pytest.raises(CommandError, match=message):
        run(described, "rr.q1\n1\n")
    assert Survey.objects.count() == 1
    assert Question.objects.count() == 1


class TestOwner:
    def test_the_only_researcher_is_the_default_owner(self, run, owner):
        run(study(), "rr.q1\n1\n")
        assert Survey.objects.get().owner == owner

    def test_one_of_several_researchers_must_be_named(self, run):
        other = make_user("other")
        with pytest.raises(CommandError, match="one of: owner, other; got nothing"):
            run(study(), "rr.q1\n1\n")
        run(study(), "rr.q1\n1\n", "--owner", "other")
        assert Survey.objects.get().owner == other


def test_an_imported_study_must_have_mode_hand(run):
    with pytest.raises(CommandError, match="mode must be hand"):
        run(study(mode="browser"), "rr.q1\n1\n")


def test_identical_reports_are_imported_again_only_on_request(run):
    run(study(), "rr.q1\n1\n0\n0\n")
    shuffled = "id;rr.q1\n7;0\n8;1\n9;0\n"
    other = study(slug="other")
    message = "The same reports are in 'niger-delta'. Add --again to import them."
    with pytest.raises(CommandError, match=message):
        run(other, shuffled)
    assert Survey.objects.count() == 1
    run(other, shuffled, "--again")
    run(study(slug="third"), "rr.q1\n1\n1\n0\n")
    assert Survey.objects.count() == 3
