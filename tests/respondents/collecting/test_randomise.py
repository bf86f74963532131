"""Surveys that draw their questions: no one chooses, and no length reveals it."""

import re
from itertools import combinations
from unittest import mock
from urllib.parse import urlencode

import pytest

from candor.mechanisms.draws import NOT_ASKED
from respondents.collecting import pages
from respondents.collecting.randomise import read_draw, sign_draw
from surveys.design import get_design
from tests.factories import make_survey
from tests.respondents.sent import send, stored

pytestmark = pytest.mark.django_db

URL = "/s/study-habits/"
DRAWN = [set(pair) for pair in combinations((2, 3, 4), 2)]

# Two of the questions 2 to 4, and a tenth so that numbers have two digits.
DRAWS = {"draws": "2 of 2-4"}
QUESTIONS = {"server": ("direct",) * 10, "hand": ("coin",) * 10}


def make_drawing(mode, questions=None, **fields):
    fields = {**DRAWS, **fields}
    return make_survey(questions or QUESTIONS[mode], mode=mode, **fields)


def hidden(html, name):
    return re.search(rf'name="{name}" value="([^"]+)"', html)[1]


def page(client):
    return client.get(URL).content.decode()


def filled(html, **changes):
    """The form of a page as someone sends it who picks each first answer."""
    asked = re.findall(r'<section[^>]*data-screen="question".*?</section>', html, re.S)
    names = [re.search(r'name="(q\d+)"', each)[1] for each in asked]
    form = {
        "submission": hidden(html, "submission"),
        "draw": hidden(html, "draw"),
        "consent": "on",
        **dict.fromkeys(names, "0"),
        **changes,
    }
    return {name: value for name, value in form.items() if value is not None}


def post(client, form):
    return client.post(URL, urlencode(form), "application/x-www-form-urlencoded")


def asked_in(html):
    return {int(name[1:]) for name in filled(html) if re.fullmatch(r"q\d+", name)}


class TestReports:
    """Mode browser, and anyone who writes a client."""

    @pytest.fixture
    def survey(self):
        return make_drawing("browser", ("coin",) * 4)

    def test_a_pattern_with_the_drawn_number_of_reports_is_accepted(
        self, client, survey
    ):
        answer = send(client, survey, bytes([0, 1, NOT_ASKED, 0]).hex())
        assert answer.status_code == 200
        assert stored() == [bytes([0, 1, NOT_ASKED, 0])]

    @pytest.mark.parametrize(
        "reports",
        [
            (0, 1, 1, 0),
            (0, 1, NOT_ASKED, NOT_ASKED),
            (NOT_ASKED, 1, NOT_ASKED, 0),
            (NOT_ASKED, 1, 1, 0),
            (0, 254, NOT_ASKED, 0),
        ],
    )
    def test_patterns_that_do_not_match_the_draw_are_rejected(
        self, client, survey, reports
    ):
        answer = send(client, survey, bytes(reports).hex())
        assert (answer.status_code, answer.json()["error"]["field"]) == (400, "reports")
        assert stored() == []


@pytest.mark.parametrize("mode", ["server", "hand"])
class TestForms:
    def test_questions_not_drawn_are_hidden_and_disabled(self, client, mode):
        make_drawing(mode)
        html = page(client)
        left_out = {2, 3, 4} - asked_in(html)
        assert asked_in(html) & {2, 3, 4} in DRAWN
        assert len(left_out) == 1
        (section,) = re.findall(
            r"<section[^>]*data-question[^>]*hidden[^>]*>.*?</section>", html, re.S
        )
        assert "disabled" in section
        assert f"Sensitive question {left_out.pop()}?" in section

    def test_pages_and_messages_have_equal_length_for_every_draw(self, client, mode):
        survey = make_drawing(mode, draws="1 of 9, 10")
        lengths, asked = set(), set()
        for number in (9, 10):
            drawn = tuple(each not in {9, 10} - {number} for each in range(1, 11))
            with mock.patch.object(pages, "draw_questions", return_value=drawn):
                html = page(client)
            asked |= asked_in(html) & {9, 10}
            body = "&".join(f"{k}={v}" for k, v in filled(html).items())
            lengths.add((len(html), len(body)))
        assert asked == {9, 10}
        assert len(lengths) == 1, survey

    def test_questions_not_asked_are_stored_as_not_asked(self, client, mode):
        make_drawing(mode)
        html = page(client)
        answer = post(client, filled(html))
        assert answer.status_code == 303
        expected = [
            0 if number in asked_in(html) else NOT_ASKED for number in range(1, 11)
        ]
        assert stored() == [bytes(expected)]

    def test_forms_with_an_altered_draw_are_rejected(self, client, mode):
        """A form that adds the question, moves the draw, or brings its own."""
        survey = make_drawing(mode)
        html = page(client)
        left_out = ({2, 3, 4} - asked_in(html)).pop()
        sealed = hidden(html, "draw")
        mask, _, signature = sealed.partition(":")
        moved = "".join("1" if each == "0" else each for each in mask)
        other = make_drawing(mode, slug="another")
        foreign = sign_draw(get_design(other), read_draw(get_design(survey), sealed))
        for change in (
            {f"q{left_out:02}": "0"},
            {"draw": f"{moved}:{signature}", f"q{left_out:02}": "0"},
            {"draw": foreign},
            {"draw": None},
            {"draw": ""},
            {"q01": None},
        ):
            answer = post(client, filled(html, **change))
            assert answer.status_code == 400, change
        assert stored() == []

    def test_a_form_with_errors_keeps_its_draw(self, client, mode):
        make_drawing(mode)
        html = page(client)
        for _ in range(8):
            again = post(client, filled(html, q10=None)).content.decode()
            assert hidden(again, "draw") == hidden(html, "draw")
            assert asked_in(again) == asked_in(html)

    def test_the_server_draws_for_each_page(self, client, mode):
        make_drawing(mode)
        # 1 in 10**8 that one of three is missing among 48.
        drawn = {tuple(sorted(asked_in(page(client)))) for _ in range(48)}
        assert len(drawn) == 3
