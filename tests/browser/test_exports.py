"""The pages of exports and imports in real Chromium."""

import csv
import json

import pytest
from django.urls import reverse

from respondents.models import SealedPattern
from surveys.models import Survey
from tests.browser.accessibility import find_problems, log_in, watch_console
from tests.estimation.exports.exported import COUNTS, make_sealed
from tests.factories import make_survey, make_user

pytestmark = [pytest.mark.browser, pytest.mark.windowless]

REPORTS = "Reports (CSV or XLSX)"

STUDY = {
    "title": "Contact with armed groups",
    "slug": "armed-groups",
    "organiser": "Institute of Examples",
    "questions": [
        {
            "text": "Did you have contact?",
            "family": "forced_response",
            "parameters": {"forced_yes": "1/6", "forced_no": "1/6"},
            "column": "contact",
            "codes": {"1": "yes", "0": "no"},
        }
    ],
}


@pytest.fixture
def open_page(page, site):
    """Open an address as a researcher; note what the browser complains about."""
    console_messages = watch_console(page, site, may_be_refused=True)

    def open_address(user, name, *arguments):
        log_in(page, site, user)
        page.goto(site.url + reverse(f"admin:{name}", args=arguments))
        return page

    yield open_address
    assert console_messages == []


def test_a_researcher_downloads_the_reports_and_selects_the_methods(open_page, site):
    survey = make_sealed()
    page = open_page(survey.owner, "estimation_export", survey.pk)
    with page.expect_download() as download:
        page.get_by_role("link", name="Download Reports (CSV)").click()
    assert download.value.suggested_filename == "study-habits-reports.csv"
    with download.value.path().open(newline="") as file:
        assert len(list(csv.DictReader(file))) == sum(COUNTS.values())
    page.get_by_text("n = 100 respondents.").click()
    selected = page.evaluate("getSelection().toString()")
    assert selected.startswith("INTERIM")
    assert "Warner, Stanley L." in selected


def test_a_study_is_fixed_and_imported_without_choosing_files_twice(
    open_page, site, tmp_path
):
    (tmp_path / "study.json").write_text(json.dumps(STUDY))
    reports = tmp_path / "reports.csv"
    reports.write_text("id,contact\n1,1\n2,yes\n")
    page = open_page(make_user(), "estimation_import")
    page.get_by_label("Study (JSON)").set_input_files(tmp_path / "study.json")
    page.get_by_label(REPORTS).set_input_files(reports)
    page.get_by_role("button", name="Check the files").click()
    page.get_by_role("heading", name="Rows and cells to fix: 1").wait_for()
    assert page.get_by_role("alert").evaluate("node => node === document.activeElement")
    assert find_problems(page) == []
    # Corrected in place, as a spreadsheet saves it: browsers do not read it again.
    reports.write_text("id,contact\n1,1\n2,0\n3,NA\n")
    page.get_by_role("button", name="Check the files").click()
    page.get_by_text("A file has changed. Choose it again.").wait_for()
    page.get_by_label(REPORTS).set_input_files(reports)
    assert page.get_by_role("alert").count() == 0
    page.get_by_role("button", name="Check the files").click()
    page.get_by_role("heading", name="Everything can be read").wait_for()
    assert not Survey.objects.exists()
    assert find_problems(page) == []
    page.get_by_role("button", name="Import", exact=True).click()
    page.get_by_text("Imported 3 respondents.").wait_for()
    assert SealedPattern.objects.counts(Survey.objects.get()) == {
        b"\0": 1,
        b"\1": 1,
        b"\xff": 1,
    }


# As Excel saves it in Germany: semicolons, Windows-1252, numbers with decimals.
SEMICOLONS = (
    "Nr;Größe;abgeschrieben;plagiiert\r\n"
    "1;1,80;1,0;gleich\r\n"
    "2;1,65;0,0;verschieden\r\n"
    "3;1,70;1,0;k. A.\r\n"
).encode("cp1252")


def test_spreadsheet_columns_are_mapped_and_imported(open_page, site, tmp_path):
    crosswise = ("crosswise", {"prevalence": "1/4"})
    draft = make_survey(["coin", crosswise], opened=False, mode="hand", language="de")
    draft.questions.filter(position=2).update(innocuous_question="Birthday?")
    (tmp_path / "feld.csv").write_bytes(SEMICOLONS)
    page = open_page(draft.owner, "estimation_import")
    page.get_by_label(REPORTS).set_input_files(tmp_path / "feld.csv")
    page.get_by_label("What was asked").select_option(str(draft.pk))
    assert not page.get_by_label("Study (JSON)").is_visible()
    page.get_by_role("button", name="Check the files").click()
    page.get_by_text("Read as Windows-1252, separated by semicolons.").wait_for()
    first, second = (
        page.get_by_role("group", name=f"{number}. Sensitive") for number in (1, 2)
    )
    first.get_by_label("Column with its reports").select_option("abgeschrieben")
    page.get_by_text("Decimals of whole numbers are left out.").wait_for()
    second.get_by_label("Column with its reports").select_option("plagiiert")
    unknown = second.get_by_label("What k. A. means in question 2")
    unknown.wait_for()
    assert page.get_by_role("alert").count() == 0
    assert find_problems(page) == []
    page.get_by_role("button", name="Read the columns so").click()
    page.get_by_text("say what “k. A.” means").wait_for()
    unknown.select_option("No report")
    first_yes, second_yes = (
        page.get_by_label(f"I have checked the codes of question {number}")
        for number in (1, 2)
    )
    first_yes.check()
    second_yes.check()
    page.get_by_role("button", name="Read the columns so").click()
    page.get_by_role("heading", name="Everything can be read").wait_for()
    # What was read with other codes is gone from the page, and confirmed no longer.
    page.get_by_text("Columns and codes", exact=True).click()
    unknown.select_option("Same")
    page.get_by_role("heading", name="Everything can be read").wait_for(state="hidden")
    assert first_yes.is_checked()
    assert not second_yes.is_checked()
    unknown.select_option("No report")
    second_yes.check()
    page.get_by_role("button", name="Read the columns so").click()
    page.get_by_role("button", name="Import", exact=True).click()
    page.get_by_text("Imported 3 respondents.").wait_for()
    imported = Survey.objects.exclude(pk=draft.pk).get()
    assert page.url == site.url + reverse(
        "admin:estimation_results", args=[imported.pk]
    )
    assert SealedPattern.objects.counts(imported) == {
        b"\0\0": 1,
        b"\1\1": 1,
        b"\0\xff": 1,
    }
