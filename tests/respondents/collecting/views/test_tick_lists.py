"""A tick list on the pages of respondents."""

import re
from urllib.parse import urlencode

import pytest

from respondents.collecting.randomise import sign_draw
from respondents.models import Response
from surveys.design import get_design
from tests.factories import make_survey

pytestmark = pytest.mark.django_db

FORM = "application/x-www-form-urlencoded"
LIST = "Which of these have you done?"
DEVICE = "Your device sends only 1 of them, scrambled. Chance picks before you tick"
CHANCE_PICKS = "Chance picks some questions for you."


def make_tick_list(mode="browser", draws="1 of 2-4", **first):
    first = {"tick_list": LIST, **first}
    return make_survey(["coin", first, "coin", "coin"], draws=draws, mode=mode)


def read_page(client):
    return " ".join(client.get("/s/study-habits/").content.decode().split())


def test_all_items_are_check_boxes_of_one_question(client):
    make_tick_list(hint="Since January.", helpline="Call 123.")
    html = read_page(client)
    (screen,) = re.findall(r"<section data-question[^>]*data-ticks.*?</section>", html)
    assert screen.count('type="checkbox"') == 3
    assert not re.search(r"name=|radio|required|data-asked", screen)
    assert re.search(rf"<legend>\s*<h1[^>]*>{re.escape(LIST)}</h1>\s*</legend>", screen)
    assert 'aria-describedby="q2-hint q2-boxes"' in screen
    assert all(
        text in screen
        for text in (DEVICE, "Since January.", "Call 123.", "Questions 2\N{EN DASH}4")
    )
    assert html.count("data-question ") == 2
    assert html.count('data-none="None of these"') == 1
    assert html.count("data-sent ") == 4
    assert "2 questions" in html
    assert CHANCE_PICKS not in html


@pytest.mark.parametrize("mode", ["server", "hand"])
def test_a_form_asks_the_drawn_item_below_the_question_of_the_list(client, mode):
    survey = make_tick_list(mode, hint="Since January.")
    design = get_design(survey)
    html = read_page(client)
    assert 'type="checkbox"' not in html.replace('type="checkbox" id="consent"', "")
    # Also where answers are checked; what was found by hand is named by a number there.
    times = 1 if mode == "hand" else 2
    assert html.count(f"{LIST} \N{EN DASH} Sensitive question") == 3 * times
    assert html.count("Since January.") == 3
    assert CHANCE_PICKS in html
    asked = (True, False, True, False)
    form = {
        "submission": "0" * 32, "draw": sign_draw(design, asked), "consent": "on",
        "q1": "0", "q3": "1",
    }  # fmt: skip
    answer = client.post("/s/study-habits/", urlencode(form), content_type=FORM)
    assert answer.status_code == 303
    (pattern,) = Response.objects.values_list("pattern", flat=True)
    assert [report == 255 for report in bytes(pattern)] == [False, True, False, True]
