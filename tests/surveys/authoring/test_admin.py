import re

import pytest

from candor.mechanisms import load_families
from candor.mechanisms.composition import MAX_QUESTIONS
from respondents.models import Response
from surveys.models import Survey
from tests.factories import make_survey, make_user
from tests.surveys.authoring.posted import ADD, page_of, posted, text_of


def test_a_new_survey_belongs_to_its_writer(client, researcher):
    other = make_user("other")
    client.post(ADD, posted({}, owner=other.pk, state="open", is_simulated="on"))
    survey = Survey.objects.get()
    assert survey.owner == researcher
    assert survey.is_draft
    assert not survey.is_simulated


def test_opening_above_the_epsilon_limit_requires_a_logged_reason(client, researcher):
    questions = [{"text": f"Coin {number}?", "family": "coin"} for number in range(5)]
    client.post(ADD, posted(*questions))
    survey = Survey.objects.get()
    text = "Total epsilon is 5.50, above this site&#x27;s limit of 5."
    assert text in text_of(client.get(page_of(survey, "open")))
    client.post(page_of(survey, "open"))
    assert Survey.objects.get().is_draft

    stored = list(survey.questions.all())
    reason = "Only all five together show it."
    changed = posted(*questions, stored=stored, epsilon_reason=f" {reason} ")
    client.post(page_of(survey), changed)
    assert Survey.objects.get().epsilon_reason == reason
    log = text_of(client.get(page_of(survey, "history")))
    assert "Reason for the total epsilon" in log
    page = text_of(client.get(page_of(survey, "open")))
    assert f"limit of 5. “{reason}”" in page
    client.post(page_of(survey, "open"))
    assert Survey.objects.get().is_open
    assert reason in text_of(client.get(page_of(survey)))
    assert reason in text_of(client.get(survey.get_absolute_url()))


def test_the_largest_survey_fits_the_upload_limit(client, researcher, settings):
    page = client.get(ADD).content.decode()
    inputs = len(set(re.findall(r'name="questions-__prefix__-(\w+)"', page)))
    others = len(re.findall(r'name="(?!questions-(?:0|__prefix__)-)', page))
    assert inputs > len(load_families())
    assert others + MAX_QUESTIONS * inputs <= settings.DATA_UPLOAD_MAX_NUMBER_FIELDS


def test_the_address_is_derived_from_the_title_without_javascript(client, researcher):
    for expected in ("study-habits", "study-habits-2", "study-habits-3"):
        client.post(ADD, posted(title="Study habits!"))
        assert Survey.objects.first().slug == expected
    client.post(ADD, posted(title="調査"))
    assert Survey.objects.first().slug == "survey"


@pytest.mark.parametrize("closed", [False, True])
def test_an_opened_survey_cannot_be_changed(client, researcher, closed):
    survey = make_survey(["coin"])
    if closed:
        client.post(page_of(survey, "close"))
    question = survey.questions.get()
    survey.refresh_from_db()
    before = survey.definition(), survey.state
    changed = posted({"text": "Other words?"}, stored=[question], title="Other title")
    response = client.post(page_of(survey), changed, follow=True)
    assert "Nothing was changed." in text_of(response)
    survey = Survey.objects.get()
    assert (survey.definition(), survey.state) == before


def test_an_opened_survey_lists_the_settings_that_have_a_value(client, researcher):
    survey = make_survey(
        organiser="Institute", closes_at_target=True, target=400, wanted_margin=5
    )
    page = text_of(client.get(page_of(survey)))
    listed = re.findall(r"<dt>(.*?)</dt>\s*<dd>\s*(.*?)\s*</dd>", page)
    assert {
        ("Who runs it", "Institute"),
        ("Close when the planned number is reached", "Yes"),
        ("Wanted margin of error", "± 5 points"),
    } < set(listed)
    assert "Helpline" not in dict(listed)
    assert "Analysis plan" not in page


def test_only_drafts_can_be_deleted(client, researcher):
    draft, opened = make_survey(opened=False), make_survey(slug="opened")
    sure = {"post": "yes"}
    refused = client.get(page_of(opened, "delete"))
    assert refused.status_code == 403
    # Its owner reads why, and not that another role would help.
    assert "Only drafts can be deleted." in text_of(refused)
    assert client.post(page_of(opened, "delete"), sure).status_code == 403
    assert client.post(page_of(draft, "delete"), sure).status_code == 302
    assert list(Survey.objects.filter(deleted_at=None)) == [opened]


def test_opening_and_closing_ask_first_and_happen_once(client, researcher):
    survey = make_survey(opened=False)
    page = text_of(client.get(page_of(survey, "open")))
    assert "What opening freezes" in page
    assert Survey.objects.get().is_draft
    page = text_of(client.post(page_of(survey, "open"), follow=True))
    assert Survey.objects.get().is_open
    assert "http://testserver/s/study-habits/" in page
    again = text_of(client.post(page_of(survey, "open"), follow=True))
    assert "This survey is already open." in again
    assert "Closing is final" in text_of(client.get(page_of(survey, "close")))
    assert Survey.objects.get().is_open
    page = text_of(client.post(page_of(survey, "close"), follow=True))
    assert "The survey is closed." in page
    assert Survey.objects.get().is_closed
    again = text_of(client.get(page_of(survey, "close"), follow=True))
    assert "Only an open survey allows this." in again


def test_lists_count_whole_batches_only(client, researcher):
    count = r"<b>(\d+)</b> <span> responses? </span>"
    survey = make_survey(batch_size=3)
    for number, shown in {1: "0", 2: "0", 5: "0", 6: "3", 7: "3"}.items():
        for sent in range(1, number + 1):
            Response.objects.store(survey, f"{sent:032x}", b"\x00")
        for address in ("/admin/", "/admin/surveys/survey/"):
            assert re.findall(count, text_of(client.get(address))) == [shown]


PERMISSIONS_OF_ACCOUNTS = 2
"""Asked by Django for the links to users and groups."""


@pytest.mark.parametrize(
    ("address", "queries"),
    [
        # Session, user, owners to choose from, number in each state and in all (twice),
        # surveys, questions, waiting and sealed responses, roles, namesakes.
        ("/admin/surveys/survey/", 12),
        # In addition whether there is any survey.
        ("/admin/", 13),
    ],
)
def test_survey_lists_have_a_constant_query_count(
    client, researcher, django_assert_num_queries, address, queries
):
    for number in range(3):
        make_survey(slug=f"survey-{number}")
        with django_assert_num_queries(queries + PERMISSIONS_OF_ACCOUNTS):
            client.get(address)


@pytest.mark.parametrize("opened", [False, True])
def test_a_survey_page_has_a_constant_query_count(
    client, researcher, django_assert_num_queries, opened
):
    client.get(page_of(make_survey()))  # Django remembers the kind of object.
    for count in (1, 5):
        survey = make_survey(["coin"] * count, slug=f"{count}", opened=opened)
        # Session, user, survey; questions and choices, for the form; of an opened
        # survey for its state too.
        with django_assert_num_queries(6 + opened + PERMISSIONS_OF_ACCOUNTS):
            client.get(page_of(survey))


def test_a_direct_question_has_a_badge_and_no_odds(client, researcher):
    survey = make_survey([("direct_choice", {"choices": 4}), "coin"])
    page = text_of(client.get(page_of(survey, "change")))
    assert "Not protected: epsilon ∞" in page
    assert page.count("Of 100 people") == 2  # of the coin
