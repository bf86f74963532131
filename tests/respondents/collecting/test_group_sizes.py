"""The first page says in which groups responses are counted."""

import pytest

from respondents.distribution import rehearsal
from tests.factories import make_survey, open_as_before

pytestmark = pytest.mark.django_db

SIZES = "Results need 10 people, then 20 or more each time."
LINKS = "At least 150 links are made. Each works once."


def first_page(client, survey):
    page = client.get(f"/s/{survey.slug}/").content.decode()
    return " ".join(page.partition('data-screen="protection"')[0].split())


@pytest.mark.parametrize("mode", ["browser", "server", "hand"])
def test_it_says_the_floor_and_the_steps(client, mode):
    page = first_page(client, make_survey(mode=mode))
    assert SIZES in page
    assert "Each works once" not in page


def test_it_says_how_many_links_there_are(client):
    survey = make_survey(access="invitation", least_links=150)
    assert f"{SIZES} {LINKS}" in first_page(client, survey)


def test_a_survey_that_an_earlier_release_opened_claims_nothing(client):
    survey = make_survey(opened=False)
    open_as_before(survey)
    page = first_page(client, survey)
    assert "Results need" not in page
    assert "or more each time" not in page


def test_a_demonstration_claims_nothing_for_it_has_no_floor(client):
    page = first_page(client, make_survey(is_simulated=True))
    assert "Results need" not in page


def test_a_test_of_a_draft_shows_what_the_survey_will_say(client):
    draft = make_survey(opened=False, batch_size=50)
    page = first_page(client, rehearsal.start(draft))
    assert "Results need 10 people, then 50 or more each time." in page
