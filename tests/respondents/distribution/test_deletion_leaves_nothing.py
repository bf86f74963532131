"""After the deletion of all reports, no table holds a figure that came from them."""

import re

import pytest
from django.apps import apps
from django.db import connection, models
from django.urls import reverse

from estimation.models import Publication
from estimation.rows.released import store_release
from estimation.rows.shares import get_results
from respondents.distribution.deletion import purge
from respondents.models import SealedPattern
from surveys.models import Survey
from tests.concurrency import run_concurrently
from tests.factories import make_survey
from tests.respondents.storage.on_disk import find_places
from tests.surveys.authoring.posted import page_of
from tests.surveys.test_migrations import migrate

pytestmark = pytest.mark.django_db

# Numbers that stand for nothing else; so do their sums.
COUNTS = {b"\0\0": 40_127, b"\0\1": 20_389, b"\1\1": 30_713}
CHOICE = {
    "headline": "How many copied",
    "note": "Of 91229 people",
    "questions": ["1", "2"],
    "confidence_level": "0.95",
    "method": "feldman-cousins",
    "release_epsilon": "2.00",
}

STAYS = {("django_admin_log", "change_message"): {91_229}}
"""Figures that may stay, and where. The log says how many responses were deleted, which
the page of the deletion says too: no one else knows any more that there were any."""


@pytest.fixture
def survey(client):
    survey = make_survey(
        ["coin", "direct"], shares_to_beat="1 > 11, 2 > 40", counts=COUNTS, closed=True
    )
    client.force_login(survey.owner)
    return survey


def cells():
    """Yield the table, column and value of every cell of the database."""
    with connection.cursor() as cursor:
        tables = connection.introspection.table_names(cursor)
        if connection.vendor == "sqlite":
            tables = [*tables, "sqlite_sequence"]
        for table in tables:
            cursor.execute(f"SELECT * FROM {connection.ops.quote_name(table)}")  # noqa: S608
            names = [column[0] for column in cursor.description]
            for row in cursor.fetchall():
                for name, value in zip(names, row, strict=True):
                    yield table, name, value


def figures_from(survey):
    """Return every number that pages and files show, or that is stored, of reports."""
    results = get_results(survey)
    found = {*COUNTS.values(), results.respondents}
    for question in results.questions:
        found |= {count for _report, count in question.report_counts}
        for row in question.rows:
            found |= {row.raw, row.estimate, row.low, row.high, row.standard_error}
    for release in Publication.objects.get().releases:
        found.add(release["respondents"])
        found |= {count for counts in release["tallies"].values() for count in counts}
    return {figure for figure in found if figure not in (0, 1)}


def find_figures(figures):
    """Return the cells that hold one of the figures, as they are or within a text."""
    written = {str(figure): figure for figure in figures}
    written |= {f"{figure:,}": figure for figure in figures if isinstance(figure, int)}
    either = "|".join(map(re.escape, written))
    pattern = re.compile(rf"(?<![\w.])({either})(?!\w)")
    found = {}
    for table, column, value in cells():
        text = bytes(value).decode("latin-1") if is_bytes(value) else str(value)
        for each in pattern.findall(text):
            found.setdefault((table, column), set()).add(written[each])
    return found


def is_bytes(value):
    return isinstance(value, bytes | bytearray | memoryview)


def publish(client, survey):
    client.post(reverse("admin:estimation_publish", args=[survey.pk]), CHOICE)
    switch = reverse("admin:estimation_publish_switch", args=[survey.pk])
    client.post(switch, {"is_public": "on", "after": "0"})
    publication = Publication.objects.get()
    assert publication.is_public
    assert len(publication.releases) == 1
    return publication


def visit_all_pages(client, survey, publication):
    """Whatever else a page or file might store, it has stored by then."""
    for name in ("results", "compare", "export", "publish", "publish_preview"):
        address = reverse(f"admin:estimation_{name}", args=[survey.pk])
        query = {"first": 1, "second": 2} if name == "compare" else {}
        assert client.get(address, query).status_code == 200
    for name in ("reports.csv", "codebook.csv"):
        page = "reports" if name.startswith("reports") else "file"
        named = {"survey_id": survey.pk, "name": name}
        answer = client.get(reverse(f"admin:estimation_export_{page}", kwargs=named))
        assert b"".join(answer) if answer.streaming else answer.content
    assert client.get(publication.get_absolute_url()).status_code == 200


def test_no_table_contains_a_figure_from_deleted_reports(client, survey):
    publication = publish(client, survey)
    visit_all_pages(client, survey, publication)
    figures = figures_from(survey)
    before = find_figures(figures)
    # Each kind of figure is found where it is.
    assert before["respondents_sealedpattern", "count"] == set(COUNTS.values())
    assert before["respondents_sealedtally", "respondents"] == {91_229}
    assert before["respondents_sealedtally", "counts"] >= {60_516, 51_102}
    released = publication.releases[0]
    assert released["respondents"] in before["estimation_publication", "releases"]
    assert before["estimation_publication", "note"] == {91_229}

    client.post(page_of(survey, "purge"), {"slug": survey.slug})

    client.get(page_of(survey, "results"))
    assert find_figures(figures) == STAYS
    patterns = {bytes(value) for *_where, value in cells() if is_bytes(value)}
    assert patterns.isdisjoint(COUNTS)


def test_purging_keeps_only_the_questions_of_a_survey(client, survey):
    """Whatever the next app stores about answers: it goes, or it fails here."""
    publish(client, survey)
    other = make_survey(slug="other", counts={b"\0": 50}, closed=True)
    Publication.objects.create(survey=other, questions=[1])

    purge(survey)

    kept = set()
    for model in apps.get_models(include_auto_created=True):
        for field in model._meta.get_fields():
            is_link = isinstance(field, models.ForeignKey)
            if is_link and field.related_model is Survey:
                rows = model._base_manager.filter(**{field.name: survey.pk})
                kept |= {model._meta.label for _row in rows}
    assert kept == {"surveys.Question"}
    # Choices hang on questions; a survey next to it keeps all.
    assert Publication.objects.get().survey == other
    assert SealedPattern.objects.respondents(other) == 50


@pytest.mark.storage
@pytest.mark.usefixtures("committed")
def test_a_released_count_leaves_no_bytes(client):
    survey = make_survey(counts={b"\0": 40, b"\1": 60}, closed=True)
    marker = b"release-that-can-be-found"
    releases = [{"epsilon": "1", "respondents": 99, "tallies": {marker.decode(): [1]}}]
    Publication.objects.create(survey=survey, questions=[1], releases=releases)
    assert find_places([marker])[0] > 0
    purge(survey)
    assert find_places([marker]) == [0]


@pytest.mark.storage
@pytest.mark.usefixtures("committed")
@pytest.mark.parametrize("is_first", [True, False])
def test_a_release_concurrent_with_deletion_leaves_no_count(is_first):
    """It was worked out before, and would be stored after."""
    survey = make_survey(counts={b"\0": 40, b"\1": 60}, closed=True)
    publication = Publication.objects.create(
        survey=survey, questions=[1], release_epsilon=1
    )
    results = get_results(survey)

    def release():
        copy = Publication.objects.filter(pk=publication.pk).first() or publication
        store_release(copy, results, after=0)
        copy.switch(is_public=True)

    steps = [release, lambda: purge(Survey.objects.get(pk=survey.pk))]
    run_concurrently(*(steps if is_first else steps[::-1]))

    assert not Publication.objects.exists()
    assert not Survey.objects.get(pk=survey.pk).results_address


@pytest.mark.storage
@pytest.mark.usefixtures("committed")
def test_an_upgrade_deletes_publications_of_purged_surveys():
    counts = {b"\0": 40, b"\1": 60}
    survey = make_survey(counts=counts, closed=True)
    other = make_survey(slug="other", counts=counts, closed=True)
    purge(survey)
    for each in (survey, other):
        Publication.objects.create(survey=each, questions=[1], releases=[{"a": 1}])
    try:
        migrate(("estimation", "0003_releases_of_counts"))
    finally:
        migrate()
    assert [each.survey for each in Publication.objects.all()] == [other]
