"""The planned analysis on results pages and in files."""

import re
from dataclasses import replace

import pytest

from candor.intervals.one_sided import ONE_SIDED_METHODS
from estimation.models import Publication
from estimation.pages.publishing.published import prepare
from estimation.pages.results import LEVEL_CHOICES, METHOD_CHOICES
from estimation.rows.planned import (
    ClaimOutcome,
    adjust_p_values,
    outcomes,
    planned_interval,
)
from estimation.rows.shares import get_results
from respondents.models import SealedPattern, SealedTally
from surveys.models import Survey
from tests.estimation.pages import get, rows_of
from tests.factories import make_survey
from tests.surveys.authoring.posted import text_of


@pytest.fixture
def survey(db):
    """Two coins, 40 yes of 100: the 95 % interval begins at 11.4 %."""
    return make_survey(["coin", "coin"], counts={b"\0\0": 40, b"\1\1": 60}, closed=True)


def page_of(client, survey):
    response = get(client, "results", survey)
    assert response.status_code == 200
    return text_of(response)


NOT_PUBLISHED = "The outcome is not published on this page."


def publish(questions, counts, shown, **plan):
    survey = make_survey(questions, counts=counts, closed=True, **plan)
    publication = Publication.objects.create(
        survey=survey, questions=shown, **planned_interval(survey)
    )
    publication.switch(is_public=True)
    return publication


@pytest.fixture
def published(db):
    """Return three planned tests; the page shows the question of the first."""
    questions, counts = ["coin", "coin", "direct"], {b"\0\0\0": 60, b"\1\1\1": 40}
    return publish(questions, counts, [1], shares_to_beat="1 > 11, 2 > 12, 3 > 1")


def read(client, publication):
    page = client.get(publication.get_absolute_url())
    assert page.status_code == 200
    return text_of(page)


def read_plan(page):
    """Return the text of the section on the planned analysis."""
    section = page.partition("The planned analysis")[2].partition("</section>")[0]
    return " ".join(re.sub("<[^>]+>", " ", section).split())


def file_of(client, publication):
    rows = rows_of(client.get(publication.get_absolute_url() + "estimates.csv"))
    (planned,) = {row.get("planned_tests") for row in rows}
    return planned


@pytest.mark.parametrize("shown", [[1], [2], [1, 3], [3, 2]])
def test_the_public_page_lists_all_planned_tests(client, published, shown):
    """Leaving out a question does not hide a planned test."""
    published.questions = shown
    published.save()
    text, file = read_plan(read(client, published)), file_of(client, published)
    for number, share in enumerate((11, 12, 1), start=1):
        claim = f"more than {share} % answer “Yes”."
        start = f"Sensitive question {number}? Planned: "
        after = text[text.index(start + claim) + len(start + claim) :].strip()
        if number in shown:
            assert after.startswith("Shown: the 95 % interval lies beyond")
            assert f"{number}.1 > {share}: shown, P " in file
        else:
            assert after.startswith(NOT_PUBLISHED)
            assert f"{number}.1 > {share}: not published" in file
    count = len(shown)
    assert f"Tests planned: 3. Outcomes published on this page: {count}." in text
    # The same numbers as on the researcher's page, of all three tests.
    found = outcomes(get_results(published.survey))
    values = adjust_p_values(found, 3)
    assert all(value <= 0.05 for value in values)
    assert "error rate of 5 %: 3." in text
    # Published tests are adjusted; a dash for the others.
    dashes = text.partition("in their order: ")[2].partition(". Shown at")[0]
    assert dashes.count("\N{EN DASH}") == 3 - count


def release(publication, survey_counts, respondents=100, epsilon=1):
    stored = {
        "epsilon": str(epsilon),
        "respondents": respondents,
        "tallies": survey_counts,
    }
    publication.release_epsilon, publication.releases = epsilon, [stored]
    publication.save()


def test_a_planned_test_of_noisy_counts_accounts_for_the_noise(client, published):
    published.questions = [1, 2, 3]
    # The true counts show each claim, and so would these if exact.
    release(published, {"1": [50, 50], "2": [52, 48], "3": [61, 38]}, epsilon=1)
    page = read(client, published)
    text = read_plan(page)
    assert "Planned tests use the numbers with noise;" in text
    exact = outcomes(get_results(published.survey))
    for outcome in exact:
        assert f"P = {outcome.p_value:.2g}" not in page
    # The interval of the page and the verdict agree.
    for question in prepare(published).panel.questions:
        (row, test) = question.result.rows[0], question.planned[0].outcome
        assert test.is_shown == (row.low > test.share)
    assert "Not shown, but possible: the 95 % interval contains 11 %" in text
    assert "Shown: the 95 % interval lies beyond 1 %" in text
    assert "count as not shown" not in text
    assert "other intervals" not in text


def test_planned_tests_on_a_noisy_page_hide_the_true_counts(client, published):
    """Neither for published questions nor for those left out."""
    exact = read(client, published), file_of(client, published)
    release(published, {"1": [70, 30], "2": [71, 30]}, epsilon=4)
    before = read(client, published), file_of(client, published)
    SealedPattern.objects.filter(survey=published.survey).update(count=777)
    SealedTally.objects.filter(survey=published.survey).update(
        respondents=1554, counts=[[1, 1553], [1553, 1], [2, 1552]]
    )
    assert (read(client, published), file_of(client, published)) == before
    # Without noise both are shown.
    published.release_epsilon = None
    published.save()
    after = read(client, published), file_of(client, published)
    assert after[0] != exact[0]
    assert after[1] != exact[1]


@pytest.fixture
def compared(db):
    """A confirmed claim and a confirmed comparison."""
    counts = {b"\0\0": 80, b"\0\1": 20, b"\1\0": 20, b"\1\1": 80}
    plan = {"shares_to_beat": "1 > 11", "pinned_pairs": "1-2"}
    return publish(["direct", "direct"], counts, [1, 2], **plan)


def test_the_public_page_lists_planned_comparisons(client, compared):
    text = read_plan(read(client, compared))
    assert (
        "Shown: the answers to the two questions are related (P &lt; 0.0001)." in text
    )
    assert "error rate of 5 %: 2." in text
    assert NOT_PUBLISHED not in text
    assert re.search(
        r"1\.1 > 11: shown, P \S+; 1-2: shown, P ", file_of(client, compared)
    )


def test_planned_comparisons_are_not_published_with_noise(client, compared):
    """No joint counts are released."""
    release(compared, {"1": [100, 100], "2": [100, 100]}, respondents=200, epsilon=4)
    text = read_plan(read(client, compared))
    assert text.count(NOT_PUBLISHED) == 1
    assert "are related" not in text
    assert "error rate of 5 %: 1." in text
    assert "Tests with too few reports to be published count as not shown." in text
    assert file_of(client, compared).endswith("1-2: not published")


def test_a_planned_comparison_with_a_misfit_in_a_group_has_no_outcome(client, db):
    """All 90 reports fit a coin; 30 of 30 in one group do not."""
    counts = {b"\0\0": 30, b"\1\1": 60}
    page = page_of(
        client,
        make_survey(["coin", "direct"], pinned_pairs="1-2", counts=counts, closed=True),
    )
    assert "are related" not in page
    assert "It cannot be tested" in page


@pytest.mark.parametrize("chosen", [[1], [1, 2]])
def test_a_public_page_does_not_depend_on_too_few_answers(client, db, chosen):
    """Five people were asked the second question: all reported Yes, or all No."""
    pages = []
    for number, answer in enumerate((b"\0", b"\1")):
        counts = {b"\0" + answer: 5, b"\0\xff": 60, b"\1\xff": 35}
        plan = {"slug": f"few{number}", "shares_to_beat": "1 > 50, 2 > 1"}
        publication = publish(["direct", "direct"], counts, chosen, **plan)
        text = read_plan(read(client, publication))
        pages.append((text, file_of(client, publication)))
    assert pages[0] == pages[1]
    assert "error rate of 5 %: 1." in text
    assert "Tests with too few reports to be published count as not shown." in text
    # Twice the single value: the other test counts with P = 1.
    (first, second) = outcomes(prepare(publication).results)
    assert adjust_p_values((first, second), 2) == [2 * first.p_value]


@pytest.mark.parametrize(("each", "is_shown"), [(14, False), (15, True)])
@pytest.mark.parametrize("is_imported", [False, True])
def test_a_comparison_of_too_few_is_not_published(
    client, db, each, is_shown, is_imported
):
    """Each question has many reports, but 28 or 30 people have both."""
    counts = {
        b"\0\0": each, b"\1\1": each,
        b"\0\xff": 50, b"\1\xff": 50, b"\xff\0": 50, b"\xff\1": 50,
    }  # fmt: skip
    plan = {"pinned_pairs": "1-2", "shares_to_beat": "1 > 1"}
    publication = publish(
        ["direct", "direct"], counts, [1, 2], **plan, is_imported=is_imported
    )
    text, file = read_plan(read(client, publication)), file_of(client, publication)
    assert (NOT_PUBLISHED not in text) is is_shown
    assert ("are related" in text) is is_shown
    assert ("1-2: not published" not in file) is is_shown
    assert f"error rate of 5 %: {1 + is_shown}." in text
    missing = "Tests with too few reports to be published count as not shown."
    assert (missing not in text) is is_shown
    # Researchers see it: their minimum is lower.
    assert "are related" in page_of(client, publication.survey)


def test_testing_the_other_answer_and_side_is_equivalent(survey):
    survey.shares_to_beat = "1 > 11, 1.2 < 89, 1 < 51, 1.2 > 49"
    more, mirrored, fewer, mirrored_fewer = outcomes(get_results(survey))
    assert more.p_value == pytest.approx(mirrored.p_value, rel=1e-9)
    assert fewer.p_value == pytest.approx(mirrored_fewer.p_value, rel=1e-9)
    assert more.is_shown
    assert fewer.is_shown


@pytest.mark.parametrize("level", [0.8, 0.9, 0.95, 0.99])
def test_a_p_value_equal_to_alpha_supports_the_claim(survey, monkeypatch, level):
    """1 - 0.9 is below 0.1 in floats, and 1 - 0.95 above 0.05."""
    survey.shares_to_beat = "1 > 11"
    found = replace(outcomes(get_results(survey))[0], confidence_level=level)
    for p_value, is_shown in ((round(1 - level, 2), True), (1.001 - level, False)):
        monkeypatch.setattr(ClaimOutcome, "p_value", p_value)
        assert found.is_shown is is_shown


def test_several_tests_are_adjusted_for_each_other(survey):
    survey.shares_to_beat = "1 > 11, 2 > 0, 1 > 12"
    found = outcomes(get_results(survey))
    first, smallest, last = (each.p_value for each in found)
    assert smallest < first < last
    both = 2 * first
    adjusted = adjust_p_values(found, 3)
    assert adjusted == pytest.approx([both, 3 * smallest, max(both, last)])
    # The hidden second question can only increase the other values.
    kept = [found[0], found[2]]
    assert adjust_p_values(kept, 3) == pytest.approx([3 * first] * 2)


def test_plannable_levels_and_methods_match_the_results_page():
    levels = [float(level) for level in Survey.Level.values]
    assert levels == [level for level, _label in LEVEL_CHOICES]
    assert set(Survey.Method.values) <= {name for name, _label in METHOD_CHOICES}
    assert set(ONE_SIDED_METHODS) < set(Survey.Method.values)
