"""The researchers' page of one-time links: who gets it, and what is in the file."""

import csv
import io

import pytest

from respondents.models import Response, close
from respondents.storage.invitations import Invitation, TooFewLinksError, hash_token
from surveys.models import Survey
from tests.factories import make_survey

STEP = 5


@pytest.fixture
def survey(client, db):
    survey = make_survey(access="invitation", batch_size=STEP)
    client.force_login(survey.owner)
    return survey


def address(survey):
    return f"/admin/surveys/survey/{survey.pk}/links/"


def download(client, survey, count):
    answer = client.post(address(survey), {"count": count})
    assert answer["Content-Type"] == "text/csv; charset=utf-8"
    assert answer["Content-Disposition"] == (
        'attachment; filename="study-habits-links.csv"'
    )
    assert "no-store" in answer["Cache-Control"]
    [header, *rows] = csv.reader(io.StringIO(answer.content.decode()))
    assert header == ["link"]
    return [link for [link] in rows]


def test_the_file_contains_links_and_the_database_their_hashes(client, survey):
    links = download(client, survey, 30)

    start = "http://testserver/s/study-habits/#"
    assert all(link.startswith(start) for link in links)
    tokens = [link.removeprefix(start) for link in links]
    stored = Invitation.objects.values_list("hash", "survey", "spent")
    assert {(bytes(hash), *rest) for hash, *rest in stored} == {
        (hash_token(token), survey.pk, False) for token in tokens
    }


def test_the_number_of_links_accepts_a_thousands_separator(client, survey):
    assert len(download(client, survey, "1,000")) == 1000
    refused = client.post(address(survey), {"count": "10,001"}).content.decode()
    assert "Enter a whole number from 1 to 10,000." in refused


def test_links_are_not_shown_again(client, survey):
    [link] = download(client, survey, 1)
    page = client.get(address(survey)).content.decode()
    assert link.partition("#")[2] not in page
    assert "The file is the only copy" in page
    assert "Made: 1. Used, at least: 0." in page


def numbers(client, survey):
    return client.get(address(survey)).context["made"], client.get(
        address(survey)
    ).context["used"]


def test_used_links_are_counted_in_batches(client, survey):
    tokens = [link.partition("#")[2] for link in download(client, survey, 16)]
    shown = []
    for token in tokens:
        Response.objects.store_all_invited(survey, {token: b"\x01"})
        shown.append(numbers(client, survey))
    assert shown == [(16, 0)] * 9 + [(16, 5)] * 5 + [(16, 10)] * 2


@pytest.mark.parametrize("count", ["", "0", "-1", "10001", "1e3", "ten", "\u0663x"])
def test_an_invalid_number_makes_no_links(client, survey, count):
    answer = client.post(address(survey), {"count": count})
    assert answer.status_code == 200
    assert answer.context["form"].errors
    assert not Invitation.objects.exists()


@pytest.mark.parametrize("opened", [True, False])
def test_only_surveys_with_one_time_links_have_the_page(client, survey, opened):
    fields = {} if opened else {"access": "invitation"}
    other = make_survey(slug="other", opened=opened, owner=survey.owner, **fields)
    for method in (client.get, client.post):
        answer = method(address(other), {"count": "3"})
        assert answer.status_code == 302
        assert answer["Location"] == f"/admin/surveys/survey/{other.pk}/change/"
    assert not Invitation.objects.exists()


def test_a_closed_survey_has_no_links(client, survey):
    download(client, survey, 3)
    close(survey)
    assert client.post(address(survey), {"count": "3"}).status_code == 302
    assert not Invitation.objects.exists()


def test_a_just_closed_survey_makes_no_links(client, survey, monkeypatch):
    before = Survey.objects.get(pk=survey.pk)
    close(survey)
    monkeypatch.setattr(
        "respondents.distribution.links.get_survey_for_user",
        lambda *args, **role: before,
    )
    answer = client.post(address(survey), {"count": "3"})
    assert (answer.status_code, Invitation.objects.count()) == (302, 0)


@pytest.fixture
def promising(client, db):
    survey = make_survey(access="invitation", least_links=150)
    client.force_login(survey.owner)
    return survey


def test_the_first_links_number_at_least_the_promised_minimum(client, promising):
    page = client.post(address(promising), {"count": 149}).content.decode()
    assert "Enter a whole number from 150 to 10,000." in page
    with pytest.raises(TooFewLinksError):
        Invitation.objects.make(promising, 149)
    assert not Invitation.objects.exists()

    assert len(download(client, promising, 150)) == 150


def test_later_links_can_be_made_in_any_number(client, promising):
    download(client, promising, 150)
    assert "1 to 10,000." in (client.get(address(promising)).content.decode())
    assert len(download(client, promising, 1)) == 1
    assert Invitation.objects.count() == 151


def test_links_of_another_survey_do_not_count(client, promising):
    other = make_survey(slug="other", access="invitation", least_links=10)
    Invitation.objects.make(other, 10)
    with pytest.raises(TooFewLinksError):
        Invitation.objects.make(promising, 1)
