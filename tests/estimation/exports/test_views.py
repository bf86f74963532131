import io
import re
from dataclasses import replace
from zipfile import ZipFile

import pytest
from django.contrib.admin.models import LogEntry
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from estimation.files import exports as files
from estimation.pages import exports as export_views
from respondents.models import SealedPattern
from surveys.log import translate_entry
from surveys.models import Membership, Role
from tests.estimation.exports.exported import csv_of, make_sealed
from tests.factories import (
    make_multilingual_survey,
    make_responses,
    make_survey,
    make_user,
)

pytestmark = pytest.mark.django_db

PAGE = "estimation_export"


def page_of(survey):
    return reverse(f"admin:{PAGE}", args=[survey.pk])


def address_of(survey, name):
    kind = "reports" if files.EXPORTS[name].holds_reports else "file"
    return reverse(f"admin:{PAGE}_{kind}", args=[survey.pk, name])


def named(name):
    """Return the name of a file; programs are shared by all surveys."""
    return name if files.EXPORTS[name].is_static else f"study-habits-{name}"


def body_of(answer):
    return answer.getvalue()


def links_on(page):
    return re.findall(r'href="([^"]*/export/(?:files|reports)/[^"]*)"', page)


@pytest.fixture
def survey():
    return make_sealed()


@pytest.fixture
def viewer(client, survey):
    user = make_user("viewer")
    Membership.objects.create(survey=survey, user=user, role=Role.VIEWER)
    client.force_login(user)
    return client


class TestPage:
    def test_it_links_to_every_file_and_each_link_works(self, owner, survey):
        page = owner.get(page_of(survey)).content.decode()
        links = [link.replace("&amp;", "&") for link in links_on(page)]
        assert len(links) == len(files.EXPORTS)
        for link, name in zip(links, files.EXPORTS, strict=True):
            answer = owner.get(link)
            assert answer.status_code == 200
            assert body_of(answer)
            assert answer["Content-Disposition"] == (
                f'attachment; filename="{named(name)}"'
            )

    def test_a_draft_has_nothing_to_export(self, client):
        draft = make_survey(opened=False)
        client.force_login(draft.owner)
        answer = client.get(page_of(draft))
        change = reverse("admin:surveys_survey_change", args=[draft.pk])
        assert answer["Location"] == change
        for name in ("estimates.csv", "reports.csv"):
            assert client.get(address_of(draft, name)).status_code == 404

    def test_a_viewer_is_offered_no_reports(self, viewer, survey):
        page = viewer.get(page_of(survey)).content.decode()
        offered = [link.partition("?")[0].rpartition("/")[2] for link in links_on(page)]
        assert offered == [
            name for name, file in files.EXPORTS.items() if not file.holds_reports
        ]
        assert page.count("For the owner and editors.") == 4


class TestFiles:
    def test_a_viewer_gets_no_reports(self, viewer, survey):
        for name, file in files.EXPORTS.items():
            expected = 403 if file.holds_reports else 200
            assert viewer.get(address_of(survey, name)).status_code == expected
            # The address of other files serves no reports.
            address = reverse(f"admin:{PAGE}_file", args=[survey.pk, name])
            expected = 404 if file.holds_reports else 200
            assert viewer.get(address).status_code == expected

    def test_unknown_files_are_not_found(self, owner, survey):
        for kind in ("file", "reports"):
            address = reverse(f"admin:{PAGE}_{kind}", args=[survey.pk, ".."])
            assert owner.get(address).status_code == 404

    def test_only_sealed_reports_are_exported(self, owner, survey):
        sent = body_of(owner.get(address_of(survey, "reports.csv"))).decode()
        assert sorted(sent.splitlines()) == sorted(csv_of(survey).splitlines())
        waiting = make_survey(slug="waiting", batch_size=3)
        make_responses(waiting, [b"\0", b"\1"])
        sent = body_of(owner.get(address_of(waiting, "reports.csv"))).decode()
        assert sent.splitlines() == ["q1,q1_label,q1_score_yes,q1_score_no"]

    def test_too_many_reports_for_a_format_are_refused_with_a_message(
        self, owner, survey, monkeypatch
    ):
        # 100 respondents, 4 + 4 + 5 columns: one cell too many.
        small = replace(files.EXPORTS["reports.sav"], most_cells=1299)
        monkeypatch.setitem(files.EXPORTS, small.name, small)
        monkeypatch.setattr(export_views, "REPORTS", [small])
        page = owner.get(page_of(survey)).content.decode()
        answer = owner.get(address_of(survey, small.name))
        assert page.count("Too many reports for this kind of file.") == 1
        assert answer["Location"] == page_of(survey)


class TestAllFiles:
    def archive(self, client, survey, **options):
        address = reverse("admin:estimation_export_all", args=[survey.pk])
        answer = client.get(address, options)
        assert answer["Content-Disposition"].endswith('"study-habits-all.zip"')
        assert answer.streaming
        return ZipFile(io.BytesIO(answer.getvalue()))

    def test_the_archive_contains_every_file(self, owner, survey):
        archive = self.archive(owner, survey)
        assert archive.testzip() is None
        assert archive.namelist() == [named(name) for name in files.EXPORTS]
        # Rows are shuffled, and binary files contain a time stamp.
        for name in set(files.EXPORTS) - {"reports.csv", "reports.sav", "reports.dta"}:
            alone = body_of(owner.get(address_of(survey, name)))
            if not name.endswith(".xlsx"):
                assert archive.read(named(name)) == alone

    def test_the_files_of_the_archive_share_one_snapshot(self, owner, survey):
        with CaptureQueriesContext(connection) as queries:
            archive = self.archive(owner, survey)
        read = [each["sql"] for each in queries if "sealedpattern" in each["sql"]]
        assert len(read) == 1
        reports = archive.read("study-habits-reports.csv").decode()
        assert sorted(reports.splitlines()) == sorted(csv_of(survey).splitlines())

    def test_the_archive_of_a_viewer_has_no_reports(self, viewer, survey):
        names = self.archive(viewer, survey).namelist()
        assert names == [
            named(name)
            for name, file in files.EXPORTS.items()
            if not file.holds_reports
        ]
        page = viewer.get(page_of(survey)).content.decode()
        assert "Without reports." in page

    def test_a_bad_choice_and_a_draft_have_no_archive(self, owner, survey):
        address = reverse("admin:estimation_export_all", args=[survey.pk])
        assert owner.get(address, {"method": "guess"}).status_code == 400
        draft = make_survey(opened=False, slug="draft")
        address = reverse("admin:estimation_export_all", args=[draft.pk])
        assert owner.get(address).status_code == 404

    def test_the_archive_adds_one_log_entry_and_leaves_no_file(
        self, owner, survey, tmp_path, monkeypatch
    ):
        monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
        self.archive(owner, survey)
        (line,) = LogEntry.objects.filter(object_id=str(survey.pk))
        assert [*translate_entry(line)] == ["Exported all.zip."]
        assert list(tmp_path.iterdir()) == []


def test_estimates_and_reports_of_a_workbook_share_one_snapshot(survey):
    source = files.Source(survey, 0.95, "pratt")
    assert source.results
    SealedPattern.objects.add(survey, {bytes([0, 0, 0]): 20})
    assert source.results.respondents == len(source.reports.patterns) == 100
    again = files.Source(survey, 0.95, "pratt")
    assert again.results.respondents == len(again.reports.patterns) == 120


def test_page_and_workbook_query_sealed_reports_once(owner, survey):
    owner.get(page_of(survey))
    for address in (page_of(survey), address_of(survey, "workbook.xlsx")):
        with CaptureQueriesContext(connection) as queries:
            body_of(owner.get(address))
        read = [each["sql"] for each in queries if "_sealed" in each["sql"]]
        assert len(read) == 1


class TestLog:
    def lines(self, survey):
        found = LogEntry.objects.filter(object_id=str(survey.pk)).order_by("pk")
        return [(entry.user, *translate_entry(entry)) for entry in found]

    def test_each_download_is_logged(self, owner, survey):
        owner.get(page_of(survey))
        owner.head(address_of(survey, "reports.csv"))
        owner.get(address_of(survey, "methods.txt"), {"method": "guess"})
        owner.get(address_of(survey, "reports.csv"))
        owner.get(reverse("admin:estimation_csv", args=[survey.pk]))
        assert self.lines(survey) == [
            (survey.owner, "Exported reports.csv."),
            (survey.owner, "Exported estimates.csv."),
        ]


@pytest.mark.parametrize("name", ["reports.csv", "codebook.csv", "codebook.json"])
def test_labels_are_in_the_chosen_language(client, name):
    survey = make_multilingual_survey()
    SealedPattern.objects.add(survey, {b"\0": 12, b"\1": 8})
    client.force_login(survey.owner)
    page = client.get(f"{page_of(survey)}?language=de").content.decode()
    assert (
        f"{name}?confidence_level=0.95&amp;method=feldman-cousins&amp;language=de"
        in page
    )
    address = address_of(survey, name)
    answer = client.get(f"{address}?language=de")
    german = body_of(answer)
    assert b"Ja" in german
    assert len(german) == int(answer.get("Content-Length", len(german)))
    assert b"Ja" not in body_of(client.get(address))
    assert client.get(f"{address}?language=fr").status_code == 400
