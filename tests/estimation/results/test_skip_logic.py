"""Results of conditional questions."""

import pytest

from estimation.files.estimates import serialize_document
from estimation.pages.publishing.published import withhold_asked_rows
from estimation.rows.shares import get_results
from respondents.imports.simulation.simulate import draw_patterns, read_shares
from respondents.models import SealedPattern
from surveys.design import get_design
from tests.estimation.results_of import seal, seal_and_show
from tests.factories import make_survey

pytestmark = pytest.mark.django_db


def make_branching_survey(deciding="coin", family="coin", parameters=None, **fields):
    second = {"family": family, "parameters": parameters, "show_if": "1 is Yes"}
    return make_survey([deciding, second], **fields)


def fill(survey, shares, respondents=4000):
    design = get_design(survey)
    patterns = {}
    for pattern in draw_patterns(design, read_shares(design, shares), respondents):
        patterns[pattern] = patterns.get(pattern, 0) + 1
    return patterns


def test_simulated_respondents_answer_only_questions_shown():
    """Direct questions, exact results: half of the two fifths who are asked."""
    survey = make_branching_survey("direct", "direct")
    patterns = fill(survey, {"q1": "0.4", "q2": "0.5"})
    assert set(patterns) == {b"\x00\x00", b"\x00\x01", b"\x01\x01"}
    results = seal(survey, patterns)
    (asked,) = results.questions[1].among_asked
    assert asked.n == patterns[b"\x00\x00"] + patterns[b"\x00\x01"]
    assert asked.estimate == patterns[b"\x00\x00"] / asked.n
    assert asked.method == "feldman-cousins"
    assert results.questions[0].among_asked == ()


@pytest.mark.parametrize("deciding", ["direct", "coin"])
def test_the_share_among_those_asked_is_shown_and_exported(deciding):
    survey = make_branching_survey(deciding)
    patterns = fill(survey, {"q1": "0.5", "q2": "0.5"})
    panel = seal_and_show(survey, patterns)
    everybody, sentence = panel.questions[1].bounds
    assert everybody == (
        "Respondents who were not shown this question are counted as “No”."
    )
    assert sentence.startswith("Among those shown this question: ")
    (row,) = panel.questions[1].result.among_asked
    assert row.estimate == pytest.approx(0.5, abs=0.2)
    assert row.low < row.estimate < row.high
    # The share of all respondents is a quarter.
    (of_all,) = panel.questions[1].result.headlines
    assert of_all.estimate == pytest.approx(0.25, abs=0.1)
    written = serialize_document(panel.results)
    (exported,) = written["questions"][1]["among_asked"]
    assert exported["answer"] == "yes"
    assert exported["share"] == pytest.approx(row.estimate)


def test_the_mean_among_those_asked_is_in_the_units_of_its_scale():
    hours = {
        "family": "grid",
        "parameters": {"epsilon": "2", "points": "5"},
        "scale": {"low": "0", "high": "40"},
        "show_if": "1 is Yes",
        "answer_if_hidden": "0",
    }
    survey = make_survey(["coin", hours])
    patterns = fill(survey, {"q1": "0.5", "q2": "0,0,0.5,0.5,0"}, 20_000)
    results = seal(survey, patterns)
    (row,) = results.questions[1].among_asked
    assert row.estimate == pytest.approx(25, abs=4)
    assert row.low < row.estimate < row.high < row.low + 4
    assert results.questions[1].mean.high < 20


def test_too_few_of_those_asked_are_not_shown():
    survey = make_branching_survey("direct", "direct")
    patterns = {b"\x00\x00": 4, b"\x00\x01": 5, b"\x01\x01": 100}
    results = seal(survey, patterns)
    assert results.questions[1].among_asked == ()
    SealedPattern.objects.add(survey, {b"\x00\x01": 1})
    (row,) = get_results(survey).questions[1].among_asked
    assert row.n == 10


def test_no_share_is_shown_if_no_one_seems_to_be_asked():
    survey = make_branching_survey()
    panel = seal_and_show(survey, {b"\x01\x01": 100})
    assert panel.questions[1].bounds == []


@pytest.mark.parametrize(("chosen", "is_shown"), [([1, 2], True), ([2], False)])
def test_a_public_page_does_not_disclose_an_unpublished_question(chosen, is_shown):
    survey = make_branching_survey("direct", "direct")
    results = seal(survey, {b"\0\0": 40, b"\0\1": 40, b"\1\1": 40})
    asked = results.questions[1]
    assert asked.among_asked
    found = withhold_asked_rows(asked, results.design, chosen)
    assert bool(found.among_asked) is is_shown


def test_a_public_page_does_not_show_fewer_than_its_minimum():
    survey = make_branching_survey("direct", "direct")
    results = seal(survey, {b"\0\0": 15, b"\0\1": 14, b"\1\1": 40})
    asked = results.questions[1]
    assert [row.n for row in asked.among_asked] == [29]
    assert withhold_asked_rows(asked, results.design, [1, 2]).among_asked == ()
