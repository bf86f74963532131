"""The form of modes server and hand in the languages of a survey, without scripts."""

from urllib.parse import urlencode

import pytest

from respondents.models import Response, close
from tests.factories import TITLES, find_thanks, make_multilingual_survey

pytestmark = pytest.mark.django_db

URL = "/s/study-habits/"


def read(client, address=URL, **headers):
    return client.get(address, headers=headers).content.decode()


def send(client, address, **fields):
    form = "application/x-www-form-urlencoded"
    return client.post(address, urlencode(fields), content_type=form)


def find_id(page):
    return page.partition('name="submission" value="')[2][:32]


def test_the_address_chooses_the_language_of_the_form(client):
    make_multilingual_survey(mode="server")
    page = read(client, f"{URL}?language=ar")
    assert '<html lang="ar"' in " ".join(page.split())
    assert TITLES["ar"] in page
    assert f'action="{URL}?language=ar"' in page
    assert 'href="?language=de"' in page


def test_consecutive_pages_keep_their_own_language(client):
    """No cache mixes them."""
    make_multilingual_survey(mode="server")
    for code in ("de", "ar", "de"):
        page = read(client, f"{URL}?language={code}")
        assert TITLES[code] in page
        others = {*TITLES.values(), "Study habits"} - {TITLES[code]}
        assert not [each for each in others if each in page]


def test_errors_thanks_and_closing_stay_in_the_chosen_language(client):
    survey = make_multilingual_survey(mode="server")
    address = f"{URL}?language=de"
    sent = {"submission": find_id(read(client, address))}
    mistaken = send(client, address, **sent)
    assert mistaken.status_code == 400
    assert "Lerngewohnheiten" in mistaken.content.decode()
    answer = send(client, address, **sent, consent="on", q1="0")
    assert answer.headers["Location"] == find_thanks(survey, "de")
    assert "Vielen Dank" in read(client, answer.headers["Location"])
    assert Response.objects.count() == 1
    close(survey)
    answer = client.get(address)
    assert answer.status_code == 410
    assert "Lerngewohnheiten" in answer.content.decode()


def test_a_query_is_removed_except_for_a_language(client):
    make_multilingual_survey(mode="server")
    for query, left in {
        "?who=me": "",
        "?who=me&language=de": "?language=de",
        "?language=xx": "",
        "?language=de&language=ar": "?language=ar",
    }.items():
        answer = client.get(URL + query)
        assert answer.headers["Location"] == URL + left


def test_mode_browser_has_no_language_in_its_address(client):
    make_multilingual_survey()
    assert client.get(f"{URL}?language=de").headers["Location"] == URL


def test_the_closed_page_links_to_its_languages(client):
    survey = make_multilingual_survey()
    close(survey)
    assert 'href="?language=de"' in read(client)
    assert 'lang="de"\ndir' in read(client, f"{URL}?language=de")
