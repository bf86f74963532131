"""Below the minimum of responses no output depends on a report."""

import re
from pathlib import Path
from urllib.parse import urlencode

import pytest
from django.contrib import admin
from django.core.management import CommandError
from django.db import transaction
from django.urls import URLResolver, reverse

from candor.files.table import FileError
from estimation.files.exports import EXPORTS
from estimation.models import Publication
from estimation.pages.publishing.published import exact_results
from estimation.rows.archives import count_archives, duckdb
from estimation.rows.counts import (
    read_contingency_table,
    read_counts,
    read_one_way,
    read_patterns,
)
from estimation.rows.released import store_release
from estimation.rows.shares import get_results
from respondents.distribution import rehearsal
from respondents.imports.archives.merge import read_sites
from respondents.imports.archives.write import write_archive
from respondents.least_responses import TooFewResponsesError, least_responses
from respondents.models import Response, SealedPattern, close
from respondents.storage.sealed_tally import SealedTally
from surveys.models import Survey
from tests.archives import run
from tests.factories import (
    make_responses,
    make_survey,
    make_user,
    open_as_earlier_release,
)

pytestmark = pytest.mark.django_db

PROJECT = Path(__file__).parents[2]
QUESTIONS = ("direct", "coin")
ONE_ANSWER, OTHER_ANSWER = b"\0\0", b"\1\1"
FORBIDDEN, OK = 403, 200
WITHHELD = b"Results are shown from 10 responses on"

QUERIES = {
    "estimation_compare": {"first": 1, "second": 2},
    "estimation_compare_chart": {"first": 1, "second": 2},
    "estimation_compare_csv": {"first": 1, "second": 2},
    "estimation_regression_csv": {"outcome": "2-0", "reference_1": 1},
    "estimation_weighted": {"known1_1": "50", "known1_2": "50"},
    "estimation_weighted_csv": {"known1_1": "50", "known1_2": "50"},
}
RESULTS = {
    "estimation_results",
    "estimation_chart",
    "estimation_overview",
    "estimation_csv",
    "estimation_export",
    "estimation_export_all",
    "estimation_export_file",
    "estimation_export_reports",
    "estimation_compare",
    "estimation_compare_chart",
    "estimation_compare_csv",
    "estimation_weighted",
    "estimation_weighted_csv",
    "estimation_regression",
    "estimation_regression_csv",
}
"""Pages and files that show reports."""


def make_closed(respondents, pattern=ONE_ANSWER, **fields):
    survey = make_survey(QUESTIONS, **fields)
    report(survey, respondents, pattern)
    close(survey)
    return survey


def report(survey, respondents, pattern):
    """Give all respondents this report."""
    for model in (SealedPattern, SealedTally):
        model.objects.filter(survey=survey).delete()
    SealedPattern.objects.add(survey, {pattern: respondents})


def pages_of_a_survey(patterns=None):
    """Yield every admin page about a survey by name."""
    for page in patterns or admin.site.get_urls():
        if isinstance(page, URLResolver):
            yield from pages_of_a_survey(page.url_patterns)
        elif page.name and "survey_id" in page.pattern.converters:
            yield page


def addresses_of(survey, formats=("svg", "png", "pdf")):
    """Yield (name, address) of every page and file, public ones too."""
    for page in pages_of_a_survey():
        names = {"survey_id": survey.pk, "kind": "svg"}
        files = [{"name": name} for name in EXPORTS]
        offered = [{"file_format": each} for each in formats]
        wanted = page.pattern.converters
        choices = files if "name" in wanted else offered
        for choice in choices if {"name", "file_format"} & set(wanted) else [{}]:
            given = names | choice
            for position in (1, 2) if "position" in wanted else (1,):
                chosen = {**given, "position": position}
                if set(wanted) <= set(chosen):
                    kwargs = {name: chosen[name] for name in wanted}
                    address = reverse(f"admin:{page.name}", kwargs=kwargs)
                    query = urlencode(QUERIES.get(page.name, {}))
                    yield page.name, f"{address}?{query}"
    yield "home", "/admin/"
    yield "list", "/admin/surveys/survey/"
    token = Publication.objects.get(survey=survey).token
    for path in ("", "overview.svg", "1.svg", "2.svg", "estimates.csv"):
        yield "public", f"/r/{token}/{path}"
    for path in ("", "design/", "thanks/", "method/"):
        yield "respondents", f"/s/{survey.slug}/{path}"


def ask(client, address):
    """Return the status and the content without random parts."""
    with transaction.atomic():
        answer = client.get(address)
        body = answer.getvalue() if answer.streaming else answer.content
        transaction.set_rollback(True)  # exports are noted in the log
    return answer.status_code, re.sub(
        rb'(csrfmiddlewaretoken" value=")[^"]*', rb"\1", body
    )


def request_all_pages(client, survey, *formats):
    addresses = addresses_of(survey, *formats)
    return {(name, address): ask(client, address) for name, address in addresses}


def publish(survey):
    publication = Publication.objects.create(survey=survey, questions=[1, 2])
    publication.switch(is_public=True)
    return publication


def request_pages_with_either_answer(client, respondents, *formats):
    """Return all pages of a survey for either report of all respondents."""
    survey = make_closed(respondents)
    publish(survey)
    client.force_login(survey.owner)
    one = request_all_pages(client, survey, *formats)
    report(survey, respondents, OTHER_ANSWER)
    return one, request_all_pages(client, survey, *formats)


def test_pages_below_the_minimum_do_not_depend_on_the_answers(client):
    one, other = request_pages_with_either_answer(client, 9)

    assert {each for each, text in one.items() if text != other[each]} == set()
    withheld = {
        name
        for (name, _), (status, body) in one.items()
        if status in (OK, FORBIDDEN) and WITHHELD in body
    }
    assert withheld == RESULTS
    shown = {
        name
        for (name, _), (status, body) in one.items()
        if status == OK and WITHHELD not in body
    }
    assert not shown & {*RESULTS, "public"}
    # A request for a file must not return a page.
    assert {name for (name, _), (status, body) in one.items()
            if status == OK and WITHHELD in body} == {"estimation_results"}  # fmt: skip


def test_ten_responses_are_shown_on_every_page_and_file(client):
    """This guards against the test above passing vacuously."""
    one, other = request_pages_with_either_answer(client, 10, ["svg"])

    shown = {name for (name, _), (status, _) in one.items() if status == OK}
    # No group has thirty: files have none of these, and pages say so.
    assert RESULTS - shown == {
        "estimation_compare_chart",
        "estimation_compare_csv",
        "estimation_regression_csv",
        "estimation_weighted_csv",
    }
    assert {
        name for (name, address), text in one.items() if text != other[name, address]
    } == {
        "estimation_results",
        "estimation_chart",
        "estimation_overview",
        "estimation_csv",
        "estimation_export_all",
        "estimation_export_file",
        "estimation_export_reports",
        "estimation_weighted",
    }


def test_every_results_page_is_tested(client):
    names = {page.name for page in pages_of_a_survey()}
    walked = {name for name, _ in addresses_of(publish(make_closed(9)).survey)}
    assert names <= walked
    assert names >= RESULTS


def test_a_survey_below_the_minimum_cannot_be_compared(client):
    survey = make_closed(100)
    few = make_closed(9, slug="few")
    client.force_login(survey.owner)
    path = reverse("admin:estimation_compare", args=[survey.pk])
    answer = client.get(path, {"first": 1, "second": 1, "other": few.pk})
    assert answer.status_code == FORBIDDEN
    report(few, 10, ONE_ANSWER)
    answer = client.get(path, {"first": 1, "second": 1, "other": few.pk})
    assert answer.status_code == OK


COMMANDS = {"archive": ("study-habits", "{folder}")}


def test_all_commands_that_read_a_survey_are_tested():
    reading = {
        path.stem
        for path in PROJECT.glob("*/management/commands/*.py")
        if "find_survey(" in path.read_text("utf-8")
    }
    # `simulate` stores simulated answers and prints none.
    assert reading - {"simulate"} == set(COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_commands_reject_surveys_below_the_minimum(command, tmp_path):
    make_closed(9)
    folder = tmp_path / "site"
    arguments = [each.format(folder=folder) for each in COMMANDS[command]]
    with pytest.raises(CommandError, match="results are shown and exported from 10"):
        run(command, *arguments)
    assert not folder.exists()


def test_commands_accept_ten_responses(tmp_path):
    survey = make_closed(10)
    report(survey, 5, ONE_ANSWER)
    SealedPattern.objects.add(survey, {OTHER_ANSWER: 5})
    assert "10 respondents" in run("archive", "study-habits", str(tmp_path / "site"))


@pytest.mark.parametrize("read", [read_one_way, read_patterns, read_contingency_table])
@pytest.mark.parametrize(
    ("respondents", "is_shown"), [(0, True), (1, False), (9, False), (10, True)]
)
def test_every_read_of_counts_enforces_the_minimum(read, respondents, is_shown):
    survey = make_survey(QUESTIONS)
    if respondents:
        report(survey, respondents, ONE_ANSWER)
    if is_shown:
        assert read(survey).respondents == respondents
    else:
        with pytest.raises(TooFewResponsesError):
            read(survey)
    assert bool(read_counts([survey])) == (respondents == 10)


def test_no_other_module_reads_counts():
    """`SealedTally.respondents` and `SealedPattern.respondents` only count people."""
    counts = re.compile(
        r"\.counts\(|\.pieces\(|SealedTally\b|read_cached_counts|counted_togeth"
    )
    readers = {
        str(path.relative_to(PROJECT))
        for room in ("config", "estimation", "respondents", "surveys")
        for path in (PROJECT / room).rglob("*.py")
        if "migrations" not in path.parts and counts.search(path.read_text("utf-8"))
    }
    assert readers == {
        "estimation/rows/counts.py",  # refuses
        "config/home.py",  # respondents alone; margins by `read_counts`
        "respondents/models.py",
        "respondents/storage/sealed_tally.py",
        "respondents/storage/joint_counts.py",
        "respondents/storage/declared_tables.py",  # for respondents/models.py
        "respondents/distribution/sealed_reports.py",  # ciphertexts; refuses too few
        "respondents/explaining/stored.py",  # the columns, for /what-we-store/
        "respondents/backups/checks.py",  # whether a draft has any
        "respondents/imports/field_studies/store.py",  # of imported surveys alone
    }


def test_an_open_survey_shows_only_its_progress(client, settings):
    settings.LEAST_RESPONSES = 40
    survey = make_survey(QUESTIONS, batch_size=10)
    make_responses(survey, [ONE_ANSWER] * 20)
    client.force_login(survey.owner)
    monitor = reverse("admin:estimation_monitor", args=[survey.pk])
    shown = client.get(monitor).context["texts"]
    assert (shown["responses"], shown["reports-1"], shown["margin-1"]) == (
        "10",
        "10",
        "—",
    )
    assert "question has 40 responses" in shown["precision"]
    results = reverse("admin:estimation_results", args=[survey.pk])
    page = client.get(results)
    assert page.status_code == OK
    assert "Responses: 10." in page.content.decode()


def test_the_higher_of_setting_and_promised_minimum_applies(settings):
    survey = make_closed(12)
    for setting, least in ((5, 10), (10, 10), (15, 15)):
        settings.LEAST_RESPONSES = setting
        assert least_responses(survey) == least
    with pytest.raises(TooFewResponsesError):
        get_results(survey)


def test_the_minimum_applies_to_surveys_of_earlier_releases():
    survey = make_survey(QUESTIONS, opened=False, batch_size=1)
    open_as_earlier_release(survey)
    make_responses(survey, [ONE_ANSWER] * 9)
    with pytest.raises(TooFewResponsesError):
        get_results(survey)
    Response.objects.store(survey, "f" * 32, ONE_ANSWER)
    assert get_results(survey).respondents == 10


def test_test_data_and_imported_studies_have_no_minimum(tmp_path):
    simulated = make_closed(3, slug="simulated", is_simulated=True)
    assert get_results(simulated).respondents == 3
    write_archive(simulated, tmp_path / "site")
    test = rehearsal.start(make_survey(QUESTIONS, slug="draft", opened=False))
    make_responses(test, [ONE_ANSWER])
    assert get_results(test).respondents == 1
    imported = make_survey(QUESTIONS, slug="imported", opened=False, is_imported=True)
    open_as_earlier_release(imported)
    report(imported, 2, ONE_ANSWER)
    assert get_results(imported).respondents == 2


def test_an_archive_requires_ten_responses(tmp_path):
    few, enough = make_closed(9, slug="few"), make_closed(10, slug="enough")
    with pytest.raises(FileError, match="'few' has 9 responses"):
        write_archive(few, tmp_path / "few")
    write_archive(enough, tmp_path / "enough")
    sites = read_sites([tmp_path / "enough"])
    with duckdb() as engine:
        assert count_archives(sites, [1], engine).respondents == 10


def test_a_public_page_is_hidden_below_the_minimum(client, settings):
    survey = make_closed(40)
    exact, noisy = publish(survey), make_closed(40, slug="noisy")
    assert client.get(exact.get_absolute_url()).status_code == OK
    released = publish(noisy)
    released.release_epsilon = "1"
    released.save()
    assert store_release(released, exact_results(released), after=0)
    assert client.get(released.get_absolute_url()).status_code == OK
    settings.LEAST_RESPONSES = 50
    for publication in (exact, released):
        assert client.get(publication.get_absolute_url()).status_code == 404
        client.force_login(publication.survey.owner)
        page = client.get(
            reverse("admin:estimation_publish", args=[publication.survey.pk])
        )
        assert "Results of fewer than 50 people" in page.content.decode()


def test_strangers_do_not_learn_that_a_survey_has_too_few(client):
    survey = make_closed(9)
    client.force_login(make_user("stranger"))
    for page in ("estimation_results", "estimation_export"):
        answer = client.get(reverse(f"admin:{page}", args=[survey.pk]))
        assert answer.status_code == 404
    assert Survey.objects.count() == 1


def test_the_list_does_not_link_to_files_below_the_minimum(client):
    survey = make_closed(9)
    client.force_login(survey.owner)
    page = client.get("/admin/").content.decode()
    assert reverse("admin:estimation_results", args=[survey.pk]) in page
    assert reverse("admin:estimation_export", args=[survey.pk]) not in page
