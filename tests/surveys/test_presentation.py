"""All that can be written into a survey: in its digest, design, file and copy."""

from datetime import date
from decimal import Decimal

import pytest
from django.core.exceptions import ValidationError

from surveys.design import get_design
from surveys.files.definition import (
    SURVEY_FIELDS,
    duplicate,
    store_definition,
    write_definition,
)
from surveys.files.read import read_definition
from surveys.frozen import compute_digest
from surveys.models import Question, Survey
from tests.factories import TITLES, make_multilingual_survey, make_survey, translate
from tests.sealed import HOLDER

pytestmark = pytest.mark.django_db

DESIGNED = {
    "helpline": "Someone to talk to: 116 123",
    "completion_code": "C0FFEE",
    "completion_link": "https://panel.example/complete?cc=C0FFEE",
    "screened_code": "NOT-YOU",
    "screened_link": "https://panel.example/screened",
    "epsilon_reason": "Only all answers together show it.",
    "panel": "Cohort 2026",
}
SURVEY = {
    **DESIGNED,
    "purpose": "Why?\n\n- because",
    "contact": "office@example.org",
    "consent": "You may stop.",
    "ethics_reference": "EC 7/2026",
    "results_note": "On our page",
    "access": "invitation",
    "least_links": 30,
    "batch_size": 17,
    "closes_on": date(2131, 3, 3),
    "target": 400,
    "closes_at_target": True,
    "wanted_margin": Decimal("2.50"),
    "draws": "1 of 2, 3",
    "holder_key": HOLDER.write().decode(),
    "declared_tables": True,
    "panel_budget": Decimal("9.5"),
    "pinned_level": "0.9",
    "pinned_method": "pratt",
    "shares_to_beat": "2 > 20",
    "pinned_pairs": "1-2",
}
QUESTION = {
    "hint": "In the last 12 months.",
    "helpline": "If this is hard: 116 123",
    "section": "At school",
    "section_text": "The next questions are about **exams**.",
    "shuffle_section": True,
    "shuffle_choices": True,
    "tick_list": "Which of these have you done?",
    "show_if": "1 is Yes",
    "answer_if_hidden": "Yes",
}
SCREENING = {"ends_if": "No"}
"""Of a question that is not scrambled."""


@pytest.fixture
def full_survey():
    likert = {"scale": {"low": "1", "high": "5"}}
    survey = make_multilingual_survey(
        [
            "direct",
            "die",
            "die",
            ("epsilon", {"epsilon": "5"}),
            ("grid", {"epsilon": "1", "points": 5}),
        ],
        opened=False,
        **SURVEY,
    )
    for position, written in ((1, SCREENING), (2, QUESTION), (5, likert)):
        survey.questions.filter(position=position).update(**written)
    for question in survey.questions.all():
        question.translations = {code: translate(question, code) for code in TITLES}
        question.save()
    return Survey.objects.get()


def test_the_fixture_sets_every_presentation_field(full_survey):
    """Else these tests would say nothing about a new field."""
    assert {*QUESTION, *SCREENING} == set(Question.PRESENTATION)
    usual, always = Survey(), {"mode", "language"}
    assert {
        name
        for name in SURVEY_FIELDS
        if getattr(full_survey, name) == getattr(usual, name)
    } == always


def test_unused_presentation_fields_are_not_in_the_definition():
    definition = make_survey().definition()
    assert definition.keys() == {*Survey.DEFINED, "format", "counting", "questions"}
    assert definition["questions"][0].keys() == {
        "text", "table", "choices", "innocuous_question"
    }  # fmt: skip


def test_presentation_is_part_of_the_digest_and_the_design(full_survey):
    full_survey.open()
    definition = Survey.objects.get().definition()
    assert compute_digest(definition) == full_survey.design_digest
    assert DESIGNED.items() <= definition.items()
    assert definition["panel_budget"] == "9.5"
    assert definition["analysis"] == {name: SURVEY[name] for name in Survey.PINNED}
    assert definition["draws"] == [{"asked": 1, "questions": [2, 3]}]
    assert definition["translations"]["de"]["title"] == "Lerngewohnheiten"
    assert {"tables", "holder_key", "counting"} < definition.keys()
    first, second, *_others, scale = definition["questions"]
    assert SCREENING.items() <= first.items()
    assert QUESTION.items() <= second.items()
    assert first["translations"]["de"]["choices"] == ["Ja", "Nein"]
    assert scale["scale"] == {"low": "1", "high": "5"}
    design = get_design(full_survey)
    assert {name: getattr(design, name) for name in DESIGNED} == DESIGNED
    assert design.holder == full_survey.holder == HOLDER
    assert design.questions[1].hint == QUESTION["hint"]
    assert not design.questions[0].shuffle_choices


def test_files_and_copies_keep_the_presentation(full_survey):
    written = write_definition(full_survey)
    copy = duplicate(full_survey, full_survey.owner)
    # A key opens one survey.
    assert (copy.holder, copy.title) == (None, "Copy of Study habits")
    own = ("title", "slug", "holder_key")
    for name in own:
        setattr(copy, name, getattr(full_survey, name))
    assert write_definition(copy) == written
    full_survey.delete()
    copy.delete()
    read = store_definition(read_definition(written), copy.owner)
    assert write_definition(read) == written


def test_a_section_reaches_to_the_next_one():
    sections = ({"section": "First"}, "coin", {"shuffle_section": True})
    survey = make_survey(["coin", *sections, "coin"])
    first, last = get_design(survey).sections
    assert (list(first.numbers), first.title, first.is_shuffled) == ([2, 3], "First", 0)
    assert (list(last.numbers), last.title, last.is_shuffled) == ([4, 5], "", 1)
    found = [get_design(survey).find_section(number) for number in range(1, 6)]
    assert found == [None, first, first, last, last]


@pytest.mark.parametrize("link", ["http://panel.example", "javascript:alert(1)", "x"])
def test_a_completion_link_is_an_https_address(link):
    survey = make_survey(opened=False, completion_link=link)
    with pytest.raises(ValidationError) as refused:
        survey.full_clean()
    assert list(refused.value.message_dict) == ["completion_link"]


def test_the_points_of_a_scale_cannot_be_shuffled():
    survey = make_survey([("grid", {"epsilon": "1", "points": "5"})], opened=False)
    survey.questions.update(shuffle_choices=True)
    assert survey.problems() == ["Question 1: The points of a scale stay in order."]
