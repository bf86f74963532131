"""What researchers are told about their tables."""

import re

import pytest

from surveys.models import Survey
from tests.factories import make_survey, make_user
from tests.surveys.authoring.posted import ADD, page_of, posted, text_of


@pytest.fixture
def researcher(client, db):
    owner = make_user()
    client.force_login(owner)
    return owner


def test_a_saved_question_says_what_its_table_does(client, researcher):
    question = {"family": "epsilon", "yes_label": "Agree", "no_label": "Disagree"}
    client.post(ADD, posted(question))
    page = text_of(client.get(page_of(Survey.objects.get())))
    assert (
        "Of 100 people whose answer is Agree, about 73 arrive as Agree and 27 as "
        "Disagree."
    ) in page
    # e/(1+e) = 0.73105858, 1/(1+e) = 0.26894142; weights floor(2**20 e) and 2**20.
    assert "2850325/3898901 ≈ 0.731059" in page
    assert "1048576/3898901 ≈ 0.268941" in page
    assert "epsilon 1.00" in page


def test_short_chances_are_shown_exactly(client, researcher):
    page = text_of(client.get(page_of(make_survey(["coin"]))))
    assert "3/4 = 0.75" in page
    assert "1/4 = 0.25" in page


def test_the_total_epsilon_of_a_survey_is_shown(client, researcher):
    # ln 3 + ln 5 = ln 15 = 2.70805, rounded up.
    questions = ["coin", ("forced_response", {"forced_yes": "1/6", "forced_no": "1/6"})]
    page = text_of(client.get(page_of(make_survey(questions))))
    assert "Total epsilon 2.71." in page
    assert "shift the odds of an answer 15 times at most" in page


@pytest.mark.parametrize(
    ("coins", "warned"),
    # 4 ln 3 = 4.39 and 5 ln 3 = 5.49; the warning starts above 5.
    [(4, False), (5, True)],
)
def test_a_large_total_epsilon_is_warned_of(client, researcher, coins, warned):
    survey = make_survey(["coin"] * coins, opened=False)
    for name in ("change", "open"):
        page = text_of(client.get(page_of(survey, name)))
        assert ("Weak protection: epsilon 5.50 in total" in page) == warned


def test_a_direct_question_is_flagged_as_not_protected(client, researcher):
    survey = make_survey(["coin", "direct"], opened=False)
    for name, said in (
        ("change", "Not protected: it shows the answer"),
        ("open", "Not protected: epsilon ∞"),
    ):
        page = text_of(client.get(page_of(survey, name)))
        assert said in page
        assert "what is stored for it is the answer itself" in page


def test_no_page_holds_inline_script_or_style(client, researcher):
    draft, opened = make_survey(opened=False), make_survey(slug="opened")
    addresses = [
        "/admin/",
        ADD,
        "/admin/surveys/survey/",
        *(page_of(draft, name) for name in ("change", "open", "delete", "history")),
        *(page_of(opened, name) for name in ("change", "close")),
    ]
    for address in addresses:
        page = client.get(address).content.decode()
        assert not re.search(
            r"<style|\sstyle=|<script(?![^>]* src=)(?![^>]*json)", page
        )
        assert not re.search(r"\son[a-z]+=", page)
