"""Results of a question with several answers: sentences, chart, table, cautions."""

import csv
import json
from io import StringIO

import pytest
from django.urls import reverse

from estimation.files.estimates import serialize
from estimation.presentation.charts.intervals import draw_chart
from estimation.templatetags.numbers import unbroken
from tests.candor.cli.command import candor, candor_json
from tests.estimation.results_of import panel_of, seal_and_show
from tests.factories import make_survey

SPACE = "\N{NO-BREAK SPACE}"

LABELS = ("Yes", "No", "Prefer not to answer")


def three(*counts, **options):
    return panel_of(
        *counts, family="k_ary", labels=LABELS, epsilon=1, choices=3, **options
    )


# docs/reference/mechanisms/k_ary.md: 285, 467 and 248 of 1,000 are 20, 70 and 10 %.
RESULT = three(285, 467, 248)


def plain(text):
    return text.replace(SPACE, " ")


def test_there_is_a_sentence_for_every_answer():
    assert [plain(sentence) for sentence in RESULT.sentences] == [
        "20 % answered “Yes”, between 12 % and 28 %",
        "70 % answered “No”, between 61 % and 79 %",
        "10 % answered “Prefer not to answer”, between 3 % and 18 %",
    ]
    assert RESULT.sentence == RESULT.sentences[0]


def test_two_answers_need_one_sentence_and_one_bar():
    result = panel_of(40, 60)
    assert len(result.sentences) == len(result.headline_rows) == 1


def test_two_answers_of_the_family_do_too():
    assert len(panel_of(40, 60, family="k_ary", epsilon=1, choices=2).sentences) == 1


def test_without_responses_there_is_no_number():
    assert three(0, 0, 0).sentences == ["No responses yet"]


def test_the_chart_has_a_name_and_figures_for_every_answer():
    texts = [plain(text.text) for text in draw_chart(RESULT.chart).texts]
    # From top to bottom as in the table.
    names = [each for each in texts[:-5] if "%" not in each]
    assert names == ["Yes", "No", "Prefer not to", "answer"]
    assert texts[1:3] == ["20 %", "12 % to 28 %"]
    assert texts[-5:] == ["0 %", "25 %", "50 %", "75 %", "100 %"]


def test_the_alternative_text_names_every_answer_with_its_numbers():
    text = plain(RESULT.alternative_text)
    for row, number in zip(RESULT.result.rows, ("20 %", "70 %", "10 %"), strict=True):
        assert f"Share of {row.label}: best estimate {number}, 95 %" in text
    assert "Raw" not in text


def test_the_mechanism_line_says_both_chances():
    # e/(e + 2) = 57.61 %, 1/(e + 2) = 21.19 %
    assert plain(RESULT.mechanism_line) == (
        "Several answers, any epsilon: of each answer 57.61 % arrive as it is and "
        "21.19 % as each of the others. Epsilon is at most 1.00."
    )


def test_a_sound_result_needs_no_caution():
    assert RESULT.cautions == []


def test_raw_estimates_below_the_scale_are_named():
    # 20 of 100 are fewer than the 21.19 % of a share of 0.
    (caution,) = three(45, 35, 20).cautions
    assert caution.level == "warning"
    assert "estimate of “Prefer not to answer” is below 0 %:" in plain(caution.text)
    (caution,) = three(60, 20, 20).cautions
    assert "of “No” and “Prefer not to answer” are below 0 %:" in plain(caution.text)


def test_reports_that_no_shares_explain_raise_the_alarm():
    levels = {caution.level: caution.text for caution in three(50, 45, 5).cautions}
    # Chance is no second explanation of what it cannot explain.
    assert set(levels) == {"danger"}
    assert "do not fit the design" in levels["danger"]
    assert "%%" not in "".join(levels.values())


def test_json_has_an_estimate_for_every_answer():
    found = serialize(RESULT.result)
    assert [each["answer"] for each in found["estimates"]] == ["1", "2", "3"]
    assert [each["count"] for each in found["estimates"]] == [285, 467, 248]
    assert found["parameters"] == {"epsilon": "1", "choices": "3"}
    assert sum(each["share"] for each in found["estimates"]) == pytest.approx(1)


def test_the_command_estimates_counts_of_any_number_of_answers():
    found = candor_json(
        "estimate", "--family", "k_ary", "--set", "epsilon=1", "choices=5",
        "--reports", "1=150", "2=95", "3=60", "4=55", "5=40",
    )["estimates"]  # fmt: skip
    # docs/reference/statistics.md, five answers
    raw = [0.88423, 0.34662, 0.00451, -0.04437, -0.19099]
    shares = [0.74289, 0.25711, 0, 0, 0]
    assert [each["raw"] for each in found] == pytest.approx(raw, abs=5e-6)
    assert [each["share"] for each in found] == pytest.approx(shares, abs=5e-6)


def test_its_table_has_a_line_for_every_answer():
    lines = candor(
        "estimate", "--family", "k_ary", "--set", "epsilon=1", "choices=3",
        "--reports", "1=285", "2=467", "3=248",
    ).splitlines()  # fmt: skip
    assert [line.split()[:2] for line in lines[-3:]] == [
        ["1", "285"],
        ["2", "467"],
        ["3", "248"],
    ]


@pytest.mark.django_db
class TestSurvey:
    @pytest.fixture
    def panel(self):
        survey = make_survey(["coin", ("k_ary", {"epsilon": 1, "choices": 3})])
        counts = {b"\0\0": 40, b"\1\0": 245, b"\0\1": 467, b"\1\2": 248}
        return seal_and_show(survey, counts)

    @pytest.fixture
    def survey(self, panel, client):
        client.force_login(panel.results.survey.owner)
        return panel.results.survey

    def test_the_page_shows_every_answer(self, panel, survey, client):
        page = client.get(
            reverse("admin:estimation_results", args=[survey.pk])
        ).content.decode()
        question = panel.questions[1]
        assert unbroken(question.sentence) in page
        for row in question.result.rows:
            for numbers in (f"{row.estimate!r}", f"{row.low!r} {row.high!r}"):
                assert f'<data value="{numbers}">' in page
            assert f'<th scope="row">{row.label}</th>' in page
        # Each row is in the table and in its card.
        assert page.count('class="accent"') == 2 * (1 + 3)

    def test_the_csv_has_a_row_for_every_answer(self, survey, client):
        file = client.get(reverse("admin:estimation_csv", args=[survey.pk]))
        rows = list(csv.DictReader(StringIO(file.content.decode(), newline="")))[2:]
        assert [row["choice"] for row in rows] == list(LABELS)
        assert [row["answer"] for row in rows] == ["1", "2", "3"]
        assert [row["count"] for row in rows] == ["285", "467", "248"]
        assert json.loads(rows[0]["p_report_given_answer"]).keys() == {"1", "2", "3"}
