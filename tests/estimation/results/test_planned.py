"""The planned analysis on the pages of results and in files."""

import pytest
from django.urls import reverse

from estimation.maths.intervals.refuting import REFUTING
from estimation.models import Publication
from estimation.publishing.published import prepare
from estimation.results.forms import LEVEL_CHOICES, METHOD_CHOICES
from estimation.results.planned.outcome import (
    adjusted_for_each_other,
    outcomes,
    planned_interval,
)
from estimation.results.result import get_results
from respondents.models import Response, SealedPattern
from surveys.models import Survey
from tests.factories import make_survey, make_user

EXPLORATORY = (
    "Exploratory: what is shown here was not planned in this form before the survey "
    "opened."
)


@pytest.fixture
def survey(client, db):
    """Two coins, 40 yes of 100: the 95 % interval begins at 11.4 %."""
    client.force_login(make_user())
    survey = make_survey(
        ["coin", "coin"], shares_to_beat="1 > 11, 1 > 12", pinned_pairs="1-2"
    )
    patterns = [b"\x00\x00"] * 40 + [b"\x01\x01"] * 60
    for number, pattern in enumerate(patterns):
        Response.objects.store(survey, f"{number:032x}", pattern)
    return survey


def close(survey):
    survey.state = Survey.State.CLOSED
    survey.save()
    Response.objects.seal(survey)


def page_of(client, survey, name="estimation_results", **query):
    response = client.get(reverse(f"admin:{name}", args=[survey.pk]), query)
    assert response.status_code == 200
    return " ".join(
        response.content.decode().replace("\N{NO-BREAK SPACE}", " ").split()
    )


def test_an_interval_on_the_other_side_speaks_against_the_claim(client, db):
    client.force_login(make_user())
    survey = make_survey(shares_to_beat="1 > 51, 1 < 11")
    SealedPattern.objects.add(survey, {b"\0": 40, b"\1": 60})
    close(survey)
    page = page_of(client, survey)
    for share in (51, 11):
        told = f"lies on the other side of {share} % (P = "
        assert f"Not shown: the 95 % interval {told}" in page
    assert page.count("It speaks against the claim.") == 2 * 2  # above, and below
    assert "It may be true all the same" not in page


def test_a_closed_survey_shows_its_planned_tests_first(client, survey):
    close(survey)
    page = page_of(client, survey)
    shown = "Shown: the 95 % interval lies beyond 11 % (P = 0.04)."
    assert page.index(shown) < page.index("Design digest")
    assert "Not shown: the 95 % interval does not lie beyond 12 % (P = 0.053)." in page
    assert "at least one of them errs in up to 15 %." in page
    # 100 pairs of reports that are all equal: P is tiny, and comes first.
    told = "(Holm), in their order: P = 0.08; P = 0.08; P &lt; 0.0001. Shown so,"
    assert told in page
    assert "err anywhere: 1 of 3." in page
    assert EXPLORATORY not in page
    other = page_of(client, survey, confidence_level="0.99")
    assert EXPLORATORY in other
    # The planned test stays what it was.
    assert shown in other


def test_nothing_is_tested_while_reports_come(client, survey):
    page = page_of(client, survey)
    assert page.count("The outcome is shown when the survey has closed") == 5
    assert "P = " not in page


def test_a_survey_without_a_plan_reads_as_before(client, survey):
    page = page_of(client, make_survey(slug="other"))
    assert "The planned analysis" not in page
    assert "exploration" not in page.lower()


def test_results_begin_with_the_planned_intervals(client, survey):
    planned = make_survey(slug="other", pinned_level="0.9", pinned_method="pratt")
    page = page_of(client, planned)
    assert '<option value="0.9" selected>' in page
    assert '<option value="pratt" selected>' in page
    assert planned_interval(planned) == {"confidence_level": 0.9, "method": "pratt"}


def test_comparisons_say_whether_they_were_planned(client, survey):
    close(survey)
    first = page_of(client, survey, "estimation_compare", first=1, second=2)
    assert "This comparison was planned before the survey opened." in first
    other = page_of(client, survey, "estimation_compare", first=2, second=1)
    assert EXPLORATORY in other


def test_the_public_page_tells_the_planned_tests(client, survey):
    close(survey)
    publication = Publication.objects.create(
        survey=survey, questions=[1], **planned_interval(survey)
    )
    publication.switch(is_public=True)
    page = client.get(publication.get_absolute_url()).content.decode()
    page = page.replace("\N{NO-BREAK SPACE}", " ")
    assert "Shown: the 95 % interval lies beyond 11 % (P = 0.04)." in page
    assert "All else is exploration" in page
    # A question that is not shown has no test on the page.
    publication.questions = [2]
    assert prepare(publication).panel.planned.tests == []


def test_a_test_of_the_other_answer_and_side_is_the_same_test(survey):
    close(survey)
    survey.shares_to_beat = "1 > 11, 1.2 < 89, 1 < 51, 1.2 > 49"
    more, mirrored, fewer, mirrored_fewer = outcomes(get_results(survey))
    assert more.p_value == pytest.approx(mirrored.p_value, rel=1e-9)
    assert fewer.p_value == pytest.approx(mirrored_fewer.p_value, rel=1e-9)
    assert more.is_shown
    assert fewer.is_shown


def test_several_tests_are_adjusted_for_each_other(survey):
    close(survey)
    survey.shares_to_beat = "1 > 11, 2 > 0, 1 > 12"
    found = outcomes(get_results(survey))
    first, smallest, last = (each.p_value for each in found)
    assert smallest < first < last
    both = 2 * first
    adjusted = adjusted_for_each_other(found, 3)
    assert adjusted == pytest.approx([both, 3 * smallest, max(both, last)])
    # The second question is not shown: it can but make the other values larger.
    kept = [found[0], found[2]]
    assert adjusted_for_each_other(kept, 3) == pytest.approx([3 * first] * 2)


def test_levels_and_methods_that_can_be_planned_are_those_of_results():
    levels = [float(level) for level in Survey.Level.values]
    assert levels == [level for level, _label in LEVEL_CHOICES]
    assert set(Survey.Method.choices) <= set(METHOD_CHOICES)
    assert set(REFUTING) < set(Survey.Method.values)
