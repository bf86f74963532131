"""Publishing requires a closed survey and enough respondents."""

import pytest
from django.db import IntegrityError, transaction
from django.urls import reverse

from candor.mechanisms.draws import NOT_ASKED
from estimation.models import Publication
from estimation.pages.publishing.published import LEAST_RESPONSES
from respondents.models import close
from tests.factories import make_survey

pytestmark = pytest.mark.django_db

CHOICE = {
    "headline": "How many copied",
    "note": "We asked 100 students.\n\nRead more elsewhere.",
    "questions": ["1"],
    "confidence_level": "0.99",
    "method": "pratt",
}


def make_closed(counts=None, questions=("coin", "die"), **fields):
    return make_survey(
        questions, counts=counts or {b"\0\0": 40, b"\1\1": 60}, closed=True, **fields
    )


def address(page, survey, *path):
    name = f"admin:estimation_publish{'_' if page else ''}{page}"
    return reverse(name, args=[survey.pk, *path])


def post(client, survey, page="", **sent):
    return client.post(address(page, survey), sent, follow=True)


@pytest.fixture
def survey():
    return make_closed()


def test_nothing_is_public_before_it_is_published(owner, survey):
    assert not Publication.objects.exists()
    post(owner, survey, **CHOICE)
    publication = Publication.objects.get()
    assert not publication.is_public
    assert owner.get(f"/r/{publication.token}/").status_code == 404


def test_publishing_and_unpublishing_take_effect_immediately(owner, survey):
    post(owner, survey, **CHOICE)
    public = f"/r/{Publication.objects.get().token}/"
    page = post(owner, survey, "switch", is_public="on").content.decode()
    assert f"http://testserver{public}" in page
    assert owner.get(public).status_code == 200
    post(owner, survey, "switch", is_public="off")
    for path in (public, f"{public}1.svg", f"{public}overview.svg"):
        assert owner.get(path).status_code == 404
    assert owner.get(f"{public}estimates.csv").status_code == 404
    post(owner, survey, "switch", is_public="on")
    assert owner.get(public).status_code == 200


def test_every_step_is_in_the_log(owner, survey):
    post(owner, survey, **CHOICE)
    post(owner, survey, "switch", is_public="on")
    post(owner, survey, "switch", is_public="off")
    log = owner.get(reverse("admin:surveys_survey_history", args=[survey.pk]))
    for line in (
        "Changed what the public page shows.",
        "Published the results.",
        "Stopped publishing the results.",
    ):
        assert line in log.content.decode()


def test_an_open_survey_cannot_be_published(client):
    survey = make_survey(counts={b"\0": 100})
    client.force_login(survey.owner)
    page = client.get(address("", survey)).content.decode()
    assert "once the survey is closed" in page
    post(client, survey, **{**CHOICE, "questions": ["1"]})
    assert not Publication.objects.exists()
    post(client, survey, "switch", is_public="on")
    assert not Publication.objects.exists()


def test_results_of_an_open_survey_are_never_public(client):
    survey = make_survey(counts={b"\0": 100})
    publication = Publication.objects.create(survey=survey, questions=[1])
    publication.switch(is_public=True)
    assert client.get(f"/r/{publication.token}/").status_code == 404
    close(survey)
    assert client.get(f"/r/{publication.token}/").status_code == 200


@pytest.mark.parametrize(
    ("respondents", "status"), [(LEAST_RESPONSES - 1, 404), (LEAST_RESPONSES, 200)]
)
def test_fewer_than_thirty_are_never_public(client, respondents, status):
    survey = make_closed({b"\0": respondents}, ["coin"])
    publication = Publication.objects.create(survey=survey, questions=[1])
    publication.switch(is_public=True)
    assert client.get(f"/r/{publication.token}/").status_code == status
    client.force_login(survey.owner)
    page = client.get(address("", survey)).content.decode()
    assert ("Results of fewer than 30 people" in page) == (status == 404)


def test_a_question_with_too_few_answers_is_omitted(owner, client):
    survey = make_closed({b"\0\0": 20, bytes([0, NOT_ASKED]): 80}, slug="partly")
    page = client.get(address("", survey)).content.decode()
    assert "Questions with too few answers: 1." in page
    answer = client.post(address("", survey), {**CHOICE, "questions": ["1", "2"]})
    assert "Select a valid choice" in answer.content.decode()
    publication = Publication.objects.create(survey=survey, questions=[1, 2])
    publication.switch(is_public=True)
    shown = client.get(f"/r/{publication.token}/").content.decode()
    assert "Sensitive question 2?" not in shown
    assert "This page shows 1 of the survey's 2 questions." in shown


def test_publishing_requires_a_saved_choice_and_a_valid_value(owner, survey):
    page = post(owner, survey, "switch", is_public="on").content.decode()
    assert "Save what the page shows first." in page
    post(owner, survey, **CHOICE)
    post(owner, survey, "switch", is_public="perhaps")
    assert owner.get(address("switch", survey)).status_code == 302
    assert not Publication.objects.get().is_public


def test_a_public_page_must_have_a_publication_date(survey):
    publication = Publication.objects.create(survey=survey, questions=[1])
    with pytest.raises(IntegrityError), transaction.atomic():
        Publication.objects.filter(pk=publication.pk).update(is_public=True)
