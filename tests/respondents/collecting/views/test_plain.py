"""Modes server and hand: one form, without JavaScript."""

import re
from functools import partial

import pytest

from respondents.collecting import views
from respondents.collecting.find_survey import find_survey
from respondents.collecting.randomise import randomise
from respondents.models import close
from tests.factories import find_thanks, make_survey
from tests.respondents.markup import Markup
from tests.respondents.sent import stored

URL = "/s/study-habits/"
RAW = "Oui5ecret"


@pytest.fixture
def survey(db):
    return make_survey(["coin", "die"], mode="server")


def submission_of(client):
    html = client.get(URL).content.decode()
    return re.search(r'name="submission" value="([0-9a-f]{32})"', html)[1]


def fill(client, **changes):
    filled = {
        "submission": submission_of(client),
        "consent": "on",
        "q1": "0",
        "q2": "1",
    }
    return {name: v for name, v in {**filled, **changes}.items() if v is not None}


def post(client, filled, **options):
    body = "&".join(f"{name}={value}" for name, value in filled.items())
    return client.generic(
        "POST", URL, body, "application/x-www-form-urlencoded", **options
    )


def test_the_form_is_not_kept_in_the_back_forward_cache(client, survey):
    """Chromium keeps pages for Back in spite of no-store; none but those of 200."""
    assert client.get(URL).status_code == 203


def test_every_form_has_a_new_submission_id(client, survey):
    assert submission_of(client) != submission_of(client)


def test_it_costs_one_query(framework, survey, django_assert_num_queries):
    framework.get(URL)
    with django_assert_num_queries(1):
        framework.get(URL)


def test_mode_server_stores_reports_of_the_answers(framework, survey, monkeypatch):
    words = iter([3, 2])
    drawn = partial(randomise, draw=lambda: next(words))
    monkeypatch.setattr(views, "randomise", drawn)
    answer = post(framework, fill(framework))
    assert (answer.status_code, answer["Location"]) == (303, find_thanks(survey))
    # Word 3 of the row [3, 1] makes Yes a No; word 2 of [1, 2] leaves No a No.
    assert stored() == [b"\x01\x01"]


def test_mode_hand_stores_the_outcome_itself(client, db):
    make_survey(["coin", "die"], mode="hand")
    for outcome in ("0", "1"):
        post(client, fill(client, q1=outcome))
    assert stored() == [b"\x00\x01", b"\x01\x01"]


def test_scale_points_are_sent_with_equal_length(client, db):
    """Its length is seen by anyone who sees encrypted traffic."""
    make_survey(["coin", ("grid", {"epsilon": "1", "points": "11"})], mode="server")
    html = client.get(URL).content.decode()
    values = re.findall(r'name="q2" value="(\d+)"', html)
    assert values == [f"{point:02d}" for point in range(11)]
    for value in ("00", "10"):
        assert post(client, fill(client, q1="01", q2=value)).status_code == 303
    assert post(client, fill(client, q1="01", q2="1")).status_code == 400
    assert len(stored()) == 2


def test_a_form_sent_twice_is_stored_once(client, survey):
    filled = fill(client)
    assert {post(client, filled).status_code for _ in range(3)} == {303}
    assert len(stored()) == 1


@pytest.mark.parametrize("query", ["", "?received=1", "?language=de"])
def test_the_thanks_are_shown_only_after_a_form_was_stored(client, survey, query):
    """Without a condition: anyone who opens the address gets the survey."""
    answer = client.get(f"{URL}thanks/{query}")
    language = query if "language" in query else ""
    assert (answer.status_code, answer["Location"]) == (302, f"../{language}")
    html = client.get(post(client, fill(client))["Location"]).content.decode()
    assert 'class="done"' in html
    assert "Your scrambled answers were received." in html
    assert "If you have sent" not in html


def test_missing_answers_are_reported_and_no_choice_is_shown_again(client, survey):
    answer = post(client, fill(client, q1=None, consent=None))
    html = answer.content.decode()
    assert answer.status_code == 400
    assert '<a href="#q1">Question 1: choose one</a>' in html
    assert "Question 2: choose one" not in html
    assert '<a href="#consent">Tick the box if you want to take part</a>' in html
    assert "checked" not in html
    assert re.search(r"<title>\s*Error: Study habits", html)
    assert "Nothing has been sent" not in html
    assert "Nothing has been sent" in client.get(URL).content.decode()
    assert stored() == []


@pytest.mark.parametrize(
    "changes",
    [
        {"q1": RAW},
        {"q1": "2"},
        {"q1": ""},
        {"q1": "%00"},
        {"q1": "00"},
        {"q1": "+1"},
        {"q1": "%D9%A0"},
        {"q1": "%F0%28"},
        {"submission": RAW},
        {"submission": None},
    ],
)
def test_invalid_input_is_neither_stored_nor_shown_nor_logged(
    client, survey, caplog, changes
):
    caplog.set_level("DEBUG")
    answer = post(client, fill(client, **changes))
    assert (answer.status_code, stored()) == (400, [])
    assert "There is a problem" in answer.content.decode()
    assert RAW not in answer.content.decode()
    assert not any(RAW in str(record.__dict__) for record in caplog.records)


def test_multipart_and_oversized_forms_are_rejected(client, survey):
    filled = fill(client)
    multipart = client.post(URL, filled)
    assert (multipart.status_code, stored()) == (415, [])
    assert "This could not be stored" in multipart.content.decode()
    assert post(client, {**filled, "more": "x" * 5000}).status_code == 413
    assert stored() == []


def test_a_form_of_a_survey_that_just_closed_redirects_to_its_page(
    client, survey, monkeypatch
):
    filled, before = fill(client), find_survey("study-habits")
    close(survey)
    monkeypatch.setattr(views, "find_survey", lambda slug: before)
    answer = post(client, filled)
    assert (answer.status_code, answer["Location"], stored()) == (303, URL, [])


def test_the_form_is_not_filled_in_by_browsers(client, survey):
    markup = Markup(client.get(URL).content.decode())
    assert 'autocomplete="off"' in markup.html
    picks = [each for each in markup.inputs if each.get("type") == "radio"]
    assert len(picks) == 4
    assert all(each["in_form"] and each["autocomplete"] == "off" for each in picks)
