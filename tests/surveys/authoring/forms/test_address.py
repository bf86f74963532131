"""The address of a survey: made by itself where no one chose it, else respected."""

import pytest

from surveys.models import Survey
from tests.factories import make_survey, make_user
from tests.surveys.authoring.posted import ADD, page_of, posted, text_of


@pytest.fixture
def foreign(researcher):
    """A survey of someone else, which the researcher cannot see."""
    return make_survey(owner=make_user("other"), slug="study-habits", title="Hidden")


def test_a_suggested_address_that_is_taken_gets_a_number(client, foreign):
    form = posted({}, slug="study-habits", made_address="study-habits")
    page = text_of(client.post(ADD, form, follow=True))
    assert Survey.objects.first().slug == "study-habits-2"
    assert "Its address is /s/study-habits-2/" in page
    assert "Hidden" not in page


def test_a_free_address_causes_no_message(client, researcher):
    form = posted({}, slug="study-habits", made_address="study-habits")
    page = text_of(client.post(ADD, form, follow=True))
    assert Survey.objects.get().slug == "study-habits"
    assert "Its address is" not in page


def test_a_taken_address_is_rejected_with_a_free_suggestion(
    client, foreign, researcher
):
    survey = make_survey(opened=False, slug="mine", owner=researcher)
    for made in ["", "study", "STUDY-HABITS"]:
        form = posted({}, slug="study-habits", made_address=made)
        for address in (ADD, page_of(survey)):
            page = text_of(client.post(address, form))
            assert "Another survey has this address." in page
            assert "“study-habits-2” is free" in page
            assert "already exists" not in page
    survey.refresh_from_db()
    assert (survey.slug, Survey.objects.count()) == ("mine", 2)


def test_an_emptied_address_of_a_draft_is_recreated_and_stays(client, researcher):
    survey = make_survey(opened=False, slug="chosen")
    for _attempt in range(2):
        client.post(page_of(survey), posted(slug="", title="Study habits"))
        survey.refresh_from_db()
        assert survey.slug == "study-habits"
