"""The public results page: for everyone, in the survey's language, no cookies."""

import pytest
from django.urls import reverse
from django.utils import translation

from estimation.models import Publication, new_token
from respondents.distribution.deletion import purge
from tests.factories import make_survey
from tests.respondents.headers import check_headers

pytestmark = pytest.mark.django_db

# Two coins, 40 yes of 100: .11416 to .5 (statistics.md); the die has 40 of 100.
COUNTS = {b"\0\0": 40, b"\1\1": 60}


def make_public(questions=("coin", "die"), *, counts=None, shown=(1, 2), **fields):
    survey = make_survey(questions, counts=counts or COUNTS, closed=True, **fields)
    publication = Publication.objects.create(
        survey=survey, questions=list(shown), headline="Headline & more"
    )
    publication.switch(is_public=True)
    return publication


def get(client, publication, path="", **query):
    return client.get(f"/r/{publication.token}/{path}", query)


def read(client, publication, path="", **query):
    page = get(client, publication, path, **query).content.decode()
    return page.replace("\N{NO-BREAK SPACE}", " ")


def test_public_charts_have_their_own_addresses(client):
    publication = make_public()
    assert read(client, publication).count('class="chart"') == 2
    base = f"/r/{publication.token}/"
    for path in ("1.svg", "2.svg", "overview.svg"):
        answer = get(client, publication, path)
        assert answer["Content-Type"] == "image/svg+xml"
        known = {"If-None-Match": answer["ETag"]}
        assert client.get(f"{base}{path}", headers=known).status_code == 304


def test_only_published_content_is_available(client):
    publication = make_public(shown=[2])
    assert get(client, publication, "1.svg").status_code == 404
    assert get(client, publication, "3.svg").status_code == 404
    page = read(client, publication)
    assert "Sensitive question 1?" not in page
    # Visitors cannot choose the method.
    assert get(client, publication, "2.svg", method="pratt").content == (
        get(client, publication, "2.svg").content
    )


@pytest.mark.parametrize("path", ["", "1.svg", "overview.svg", "estimates.csv"])
def test_unknown_and_private_addresses_are_indistinguishable(client, path):
    publication = make_public()
    publication.switch(is_public=False)
    private = get(client, publication, path)
    unknown = client.get(f"/r/{new_token()}/{path}")
    assert private.status_code == unknown.status_code == 404
    assert private.content == unknown.content
    for words in ("There are no results here", "Hier gibt es keine Ergebnisse"):
        assert words in unknown.content.decode()


@pytest.mark.parametrize("path", ["", "1.svg", "overview.svg", "estimates.csv"])
def test_public_pages_are_read_only_and_set_no_cookie(client, path):
    publication = make_public()
    client.force_login(publication.survey.owner)
    client.cookies.clear()
    answer = get(client, publication, path)
    assert answer.status_code == 200
    check_headers(answer)
    address = f"/r/{publication.token}/{path}"
    assert client.post(address).status_code == 405


def test_the_public_page_is_in_the_language_of_its_survey(client):
    publication = make_public(language="de")
    page = read(client, publication)
    assert '<html lang="de"' in page
    assert "100 Menschen haben geantwortet" in page
    assert "30 % haben mit Ja geantwortet, zwischen 11 % und 50 %" in page
    assert "95 %-Konfidenzintervall" in page
    assert "Antworten: 100" in page
    assert "11 % bis 50 %" in read(client, publication, "1.svg")
    assert translation.get_language() == "en"


def test_simulated_results_are_labelled(client):
    publication = make_public()
    survey = publication.survey
    survey.is_simulated = True
    survey.save(update_fields=["is_simulated"])
    assert "Simulated answers" in read(client, publication)


def test_the_closed_survey_links_to_its_public_results(client):
    publication = make_public(results_note="On our site in May.")
    survey = publication.survey
    page = client.get(survey.get_absolute_url()).content.decode()
    assert f'href="/r/{publication.token}/"' in page
    publication.switch(is_public=False)
    page = client.get(survey.get_absolute_url()).content.decode()
    assert publication.token not in page
    assert "On our site in May." in page


def test_results_with_deleted_reports_are_not_linked(client):
    publication = make_public()
    survey = publication.survey
    purge(survey)
    assert get(client, publication).status_code == 404
    page = client.get(survey.get_absolute_url()).content.decode()
    assert publication.token not in page
    client.force_login(survey.owner)
    page = client.get(reverse("admin:estimation_publish", args=[survey.pk]))
    assert "The reports were deleted." in page.content.decode()


def test_a_public_page_needs_at_most_two_queries(client, django_assert_max_num_queries):
    publication = make_public(["coin"] * 9, counts={bytes(9): 50}, shown=range(1, 10))
    read(client, publication)
    # publication with its survey; the sealed patterns; the design is remembered
    with django_assert_max_num_queries(2):
        read(client, publication)
    for path in ("9.svg", "overview.svg", "estimates.csv"):
        with django_assert_max_num_queries(2):
            assert get(client, publication, path).status_code == 200
