from collections import Counter
from hashlib import sha256

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import translation

from candor.mechanisms.draws import NOT_ASKED
from estimation.rows.counts import read_one_way, tallies
from estimation.rows.shares import get_results, survey_results
from respondents.models import Response, SealedPattern
from surveys.design import load_design
from tests.estimation.results_of import panel_of, result_of, seal
from tests.factories import make_survey

YES, NO = b"\0", b"\1"


def scattered_patterns(count, questions):
    """Distinct patterns of 0, 1 and "not asked", the same in every run."""
    found = Counter()
    for number in range(count):
        blocks = (sha256(bytes([n]) + number.to_bytes(4)).digest() for n in range(2))
        values = b"".join(blocks)[:questions]
        found[bytes((0, 1, NOT_ASKED)[byte % 3] for byte in values)] += 1 + number % 3
    return found


def test_a_question_is_worked_out_once_for_page_and_charts():
    first, again = (
        result_of(41, 59, family="crosswise", prevalence="1/3") for _ in range(2)
    )
    assert first.rows is again.rows
    other = result_of(42, 58, family="crosswise", prevalence="1/3")
    assert other.rows[0].low != first.rows[0].low


def test_a_panel_has_the_same_numbers_in_each_language():
    panel = panel_of(41, 59, family="crosswise", prevalence="1/3")

    def reports():
        ((_section, lines),) = panel.table.bodies
        return [cells[-1]["text"] for _label, cells in lines]

    english = reports()
    with translation.override("de"):
        assert reports() != english


def test_a_tally_is_what_counting_one_by_one_gives():
    questions = [make_question()] * 40
    counts = scattered_patterns(500, 40)
    expected = [Counter() for _ in questions]
    for pattern, count in counts.items():
        for column, report in enumerate(pattern):
            expected[column][report] += count
    found = tallies(questions, counts)
    assert found == [{"yes": each[0], "no": each[1]} for each in expected]


def make_question():
    return result_of(0, 0)


@pytest.mark.storage
@pytest.mark.django_db
class TestSurvey:
    def test_missing_reports_are_counted_and_left_out(self):
        survey = make_survey(["coin", "die"])
        missing = bytes([NOT_ASKED])
        results = seal(
            survey, {YES + NO: 40, NO + missing: 50, missing + NO: 10, missing * 2: 5}
        )
        first, second = results.questions
        assert results.respondents == 105
        assert (first.respondents, first.missing) == (90, 15)
        assert (second.respondents, second.missing) == (50, 55)
        assert first.rows[0].raw == pytest.approx((40 / 90 - 0.25) / 0.5)

    def test_an_open_survey_shows_sealed_responses_only(self):
        survey = make_survey(batch_size=10)
        shown = []
        for number in range(31):
            Response.objects.store(survey, f"{number:032x}", YES)
            shown.append(get_results(survey).respondents)
        assert shown == [0] * 19 + [10] * 10 + [20] * 2

    def test_a_chart_is_drawn_of_what_the_page_has_worked_out(self):
        survey = make_survey(["coin", "die"])
        page = seal(survey, {YES + NO: 40, NO + YES: 60})
        chart = survey_results(read_one_way(survey, [2], seals=False))
        assert chart.questions[0] is page.questions[1]

    def test_results_cost_the_same_queries_whatever_the_size(self):
        sizes = []
        for questions, responses in ((1, 10), (12, 200)):
            survey = make_survey(["coin"] * questions, slug=f"survey-{questions}")
            patterns = scattered_patterns(responses, questions)
            SealedPattern.objects.add(
                survey, {p.replace(b"\xff", NO): n for p, n in patterns.items()}
            )
            load_design.cache_clear()
            with CaptureQueriesContext(connection) as queries:
                get_results(survey)
            sizes.append(len(queries))
        # is a batch due; survey, questions and choices of the design; patterns
        assert sizes == [5, 5]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("mode", "weight"), [("browser", 1.5), ("hand", 1.5), ("server", 1)]
)
def test_a_forger_who_cannot_choose_the_report_moves_less(mode, weight):
    # privacy.md: 1 + 1/(e^eps - 1) n-ths in modes browser and hand, 1 in server
    (question,) = seal(make_survey(mode=mode), {YES: 40, NO: 60}).questions
    assert question.poisoning_radius == pytest.approx(weight / 100)
