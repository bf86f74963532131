"""Results of scales that can be skipped: the mean among those who answered."""

import json

import pytest
from django.urls import reverse

from estimation.files.codebook import list_variables
from estimation.files.estimates import serialize
from estimation.presentation.question import QuestionPanel
from estimation.presentation.table import label_row
from estimation.rows.shares import get_results
from respondents.models import close
from surveys.design import get_design
from tests.factories import make_responses, make_survey

pytestmark = pytest.mark.django_db

SPACE = "\N{NO-BREAK SPACE}"
BOTH = pytest.mark.parametrize("family", ["one_bit_skip", "grid_skip"])

COUNTS = {"one_bit_skip": (70, 50, 30), "grid_skip": (15, 12, 40, 20, 30, 33)}
"""Counts of 150 reports on a scale of five points."""


def make_filled(family, *, counts=None):
    """Return a closed survey; half report Yes to the next question."""
    asked = {
        "family": family,
        "parameters": {"epsilon": "2", "points": "5"},
        "scale": {"low": "1", "high": "5"},
    }
    counts = {
        bytes([report, other]): count // 2 + (count % 2) * (1 - other)
        for report, count in enumerate(counts or COUNTS[family])
        for other in (0, 1)
    }
    return make_survey([asked, "direct"], counts=counts, closed=True)


def first_of(survey, **chosen):
    return get_results(survey, **chosen).questions[0]


@BOTH
def test_the_headline_shows_the_mean_and_the_share_who_skipped(family):
    result = first_of(make_filled(family))
    panel = QuestionPanel(result)
    mean, skipped = panel.sentences
    assert mean.startswith("Among those who answered: mean ")
    assert "% answered “Prefer not to answer”, between" in skipped
    assert panel.level == f"with 95{SPACE}% confidence, each by itself"
    assert label_row(result.mean) == "Mean of those who answered"
    assert 1 <= result.mean.low < result.mean.estimate < result.mean.high <= 5
    (bounds,) = panel.bounds
    assert bounds.startswith("Whatever those who skipped would answer: mean ")
    least, most = result.bounds[0].estimate, result.bounds[0].upper_estimate
    skipping = result.rows[-1].estimate
    assert least == pytest.approx(
        1 * skipping + (1 - skipping) * result.mean.estimate, abs=1e-4
    )
    assert most - least == pytest.approx(4 * skipping, abs=1e-4)


def test_exported_scores_give_the_mean_among_those_who_answered():
    survey = make_filled("one_bit_skip")
    (question, *_rest) = list_variables(survey).questions
    sums = [
        sum(
            float(row[place]) * count
            for row, count in zip(question.scores, COUNTS["one_bit_skip"], strict=True)
        )
        for place in range(3)
    ]
    high, low, _skipped = sums
    mean = first_of(survey).mean.raw
    assert 1 + 4 * high / (high + low) == pytest.approx(mean)


@pytest.mark.parametrize("counts", [(0, 0, 150), (150, 0, 0), (0, 150, 0)])
def test_pages_handle_identical_reports_of_a_skippable_scale(client, counts):
    survey = make_filled("one_bit_skip", counts=counts)
    client.force_login(survey.owner)
    page = client.get(reverse("admin:estimation_results", args=[survey.pk]))
    assert "The reports do not fit the design" in page.content.decode()
    json.dumps(serialize(first_of(survey)))


def test_a_hidden_scale_counts_with_its_declared_answer():
    scale = {
        "family": "one_bit_skip",
        "parameters": {"epsilon": "2", "points": "5"},
        "show_if": "1 is Yes",
        "answer_if_hidden": "3",
    }
    survey = make_survey(["direct", scale])
    make_responses(survey, [bytes([place % 2, place % 3]) for place in range(90)])
    close(survey)
    assert get_design(survey).questions[1].hidden_answer == 3
    result = get_results(survey).questions[1]
    assert result.hidden_answer == "3"
    assert result.among_asked == ()
