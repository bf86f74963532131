"""Sentences are made from tables: here the sentences are read back."""

import re
from dataclasses import replace

import pytest
from hypothesis import given

from candor.mechanisms import build, load_families
from candor.mechanisms.draws import DrawnGroup
from respondents.collecting.pages import render_survey
from surveys.text.icon_arrays import CELL, SHAPES, draw_icon_arrays
from surveys.text.protection import Protection
from surveys.text.tables import (
    TableDescription,
    describe_tables,
    format_question_numbers,
    label_reports,
)
from tests.surveys.tables import (
    build_example,
    make_design,
    table_of,
    two_by_two_tables,
    wordings,
)

CHOICES = ("Yes", "No")


def describe(mechanism, choices=None):
    choices = choices or wordings(mechanism)
    return TableDescription(numbers=(1,), mechanism=mechanism, choices=choices)


@given(two_by_two_tables())
def test_a_sentence_shows_the_numbers_of_its_row(weights):
    words = describe(table_of(weights))
    for row, choice, sentence in zip(
        words.odds.counts, CHOICES, words.sentences, strict=True
    ):
        numbers = [int(each) for each in re.findall(r"\d+", sentence.replace(",", ""))]
        assert f"whose answer is {choice}," in sentence
        assert numbers[0] == words.odds.base
        if "all arrive" in sentence:
            assert f"as {CHOICES[row.index(words.odds.base)]}." in sentence
        else:
            assert numbers[1:] == list(row)


def test_reports_with_own_labels_keep_them():
    crosswise, kuk = build_example("crosswise"), build_example("kuk")
    assert label_reports(crosswise, CHOICES) == ("Same", "Different")
    assert label_reports(kuk, CHOICES) == ("Red", "Black")
    assert "25 arrive as Same and 75 as Different" in describe(crosswise).sentences[0]
    assert "“Different” on our side" in describe(crosswise).reassurance


def test_reassurance_names_the_most_revealing_report():
    # 37 of 100 Yes arrive as Yes and 7 of 100 No: anyone who fears, fears the Yes.
    lopsided = load_families()["unrelated_question"].build(
        p_sensitive="3/10", prevalence="1/10"
    )
    assert describe(lopsided).reassurance == (
        "“Yes” on our side does not mean your real answer is Yes."
    )


def test_the_first_weak_and_every_strong_report_is_explained():
    hint, nearly = table_of([[3, 1], [1, 3]]), table_of([[10, 1], [1, 10]])
    direct = build_example("direct")
    text = Protection(make_design(nearly, direct, hint, nearly, hint))
    warned = "What we receive about you is nearly your answer."
    assert [text.reassurance(number) for number in range(1, 6)] == [
        warned, "", describe(hint).reassurance, warned, ""
    ]  # fmt: skip


def test_explanations_are_repeated_for_drawn_questions():
    hint = table_of([[3, 1], [1, 3]])
    groups = (DrawnGroup(asked=1, questions=(1, 2)),)
    text = Protection(replace(make_design(*[hint] * 4), groups=groups))
    assert [bool(text.reassurance(number)) for number in range(1, 5)] == [
        True, True, True, False
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("numbers", "named"),
    [
        ([4], "question 4"),
        ([1, 2], "questions 1 and 2"),
        ([1, 2, 3, 6], "questions 1\u20133 and 6"),
        ([1, 3, 5], "questions 1, 3 and 5"),
    ],
)
def test_question_numbers_are_abbreviated(numbers, named):
    assert format_question_numbers(numbers) == named


def test_every_distinct_table_is_explained_once():
    design = make_design(
        build_example("coin"), build_example("die"), build_example("coin")
    )
    tables = describe_tables(design.questions)
    assert [table.numbers for table in tables] == [(1, 3), (2,)]
    assert tables[0].title == "Questions 1 and 3"


@pytest.mark.parametrize("name", load_families())
def test_icon_arrays_match_the_sentences_of_every_family(name):
    words = describe(build_example(name))
    if len(words.labels) > SHAPES:
        assert name in {"linked_pair", "grid_skip"}
        assert draw_icon_arrays(words) == []
        return
    # Of a scale with only a mean, both ends: others have no sentence.
    texts = [words.odds.counts[answer] for answer in words.described_answers]
    assert len(texts) == len(words.odds.counts) or not words.mechanism.identifies_shares
    for row, drawn in zip(texts, draw_icon_arrays(words), strict=True):
        areas = [
            sum(
                int(width) * int(height) // CELL**2
                for width, height in re.findall(r"h(\d+)v(\d+)", path)
            )
            for path in drawn.paths
        ]
        assert areas == list(row)
        assert drawn.width * drawn.height == 100 * CELL**2


@pytest.mark.parametrize(
    ("mechanisms", "message"),
    [
        (["coin"], []),
        (["coin", "direct"], []),
        (["direct"], []),
        (
            [("epsilon", 10)],
            ["What we receive about you is your answer, with rare exceptions."],
        ),
        (
            ["direct", ("epsilon", 10), "coin"],
            [
                "Of the scrambled answers, those to question 2 are protected least.",
                "What we receive about you is your answer, with rare exceptions.",
            ],
        ),
    ],
)
def test_the_welcome_page_warns_of_revealing_reports(mechanisms, message):
    built = [
        build_example(each)
        if isinstance(each, str)
        else build(each[0], epsilon=each[1])
        for each in mechanisms
    ]
    design = make_design(*built)
    assert Protection(design).warning == message
    design = replace(design, slug="study-habits")
    page = render_survey("collecting/_welcome", design, is_simulated=False)
    assert page.count("What we receive about you") == bool(message)
    assert " ".join(message) in page
