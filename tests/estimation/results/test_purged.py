"""After the reports are deleted, no page shows empty results."""

import pytest
from django.urls import reverse

from estimation.models import Publication
from respondents.distribution.deletion import purge
from tests.factories import make_survey

pytestmark = pytest.mark.django_db


@pytest.fixture
def survey(client):
    survey = make_survey(["coin", "coin"], counts={b"\0\1": 40}, closed=True)
    client.force_login(survey.owner)
    return survey


FILES = [
    ("estimation_chart", {"position": 1, "file_format": "svg"}),
    ("estimation_overview", {"file_format": "svg"}),
    ("estimation_csv", {}),
    ("estimation_export_file", {"name": "codebook.csv"}),
    ("estimation_export_reports", {"name": "reports.csv"}),
]


def test_files_and_public_page_of_a_purged_survey_are_not_found(client, survey):
    publication = Publication.objects.create(
        survey=survey, questions=[1], is_public=True, published_on=survey.closed_on
    )
    addresses = [publication.get_absolute_url()] + [
        reverse(f"admin:{name}", kwargs={"survey_id": survey.pk, **named})
        for name, named in FILES
    ]
    assert {client.get(each).status_code for each in addresses} == {200}
    purge(survey)
    assert {client.get(each).status_code for each in addresses} == {404}
