"""Where the reports were deleted, no page shows results of nobody."""

import pytest
from django.urls import reverse

from estimation.models import Publication
from respondents.distribution.deletion import purge
from respondents.models import close
from tests.factories import make_responses, make_survey
from tests.surveys.authoring.posted import page_of, text_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def survey(client):
    survey = make_survey(["coin", "coin"])
    make_responses(survey, [b"\x00\x01"] * 40)
    close(survey)
    client.force_login(survey.owner)
    return survey


def test_the_results_page_says_when_they_were_deleted(client, survey):
    purge(survey)
    page = text_of(client.get(page_of(survey, "results")))
    day = survey.purged_on
    assert f"The reports were deleted on {day:%-d %B %Y}" in page
    assert "best estimate" not in page


def test_the_export_page_leads_there(client, survey):
    purge(survey)
    answer = client.get(page_of(survey, "export"))
    assert answer.headers["Location"] == page_of(survey, "results")


FILES = [
    ("estimation_chart", {"position": 1, "file_format": "svg"}),
    ("estimation_overview", {"file_format": "svg"}),
    ("estimation_csv", {}),
    ("estimation_export_file", {"name": "codebook.csv"}),
    ("estimation_export_reports", {"name": "reports.csv"}),
]


@pytest.mark.parametrize(("name", "named"), FILES, ids=[name for name, _ in FILES])
def test_its_files_are_not_found(client, survey, name, named):
    address = reverse(f"admin:{name}", kwargs={"survey_id": survey.pk, **named})
    assert client.get(address).status_code == 200
    purge(survey)
    assert client.get(address).status_code == 404


def test_a_public_page_disappears(client, survey):
    publication = Publication.objects.create(
        survey=survey, questions=[1], is_public=True, published_on=survey.closed_on
    )
    address = reverse("published:results", args=[publication.token])
    assert client.get(address).status_code == 200
    purge(survey)
    assert client.get(address).status_code == 404
