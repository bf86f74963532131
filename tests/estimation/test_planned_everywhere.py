"""Every page, file and command uses the planned level and method."""

import json
from dataclasses import replace
from io import StringIO

import pytest
from django.core.management import call_command
from django.urls import reverse

from estimation.rows.planned import pair_outcomes, planned_interval
from estimation.rows.shares import get_results
from respondents.imports.archives.archive import derive_public_key
from tests.archives import archived, change, run
from tests.estimation.pages import rows_of
from tests.factories import make_survey
from tests.surveys.authoring.posted import text_of

pytestmark = pytest.mark.django_db

PLANNED = {"pinned_level": "0.9", "pinned_method": "pratt"}
PLANNED_QUERY = {"confidence_level": "0.9", "method": "pratt"}
OTHERS = [
    {"confidence_level": "0.95", "method": "pratt"},
    {"confidence_level": "0.9", "method": "feldman-cousins"},
]
EXPLORATORY = "Exploratory: not planned in this form before the survey opened."
# Coin and two direct questions; of 400 people 100 have the first answer to the second.
COUNTS = {
    b"\0\0\0": 30, b"\0\0\1": 20, b"\1\0\0": 25, b"\1\0\1": 25,
    b"\0\1\0": 40, b"\0\1\1": 65, b"\1\1\0": 95, b"\1\1\1": 100,
}  # fmt: skip
QUESTIONS = ("coin", "direct", "direct")


def make_closed(**fields):
    return make_survey(QUESTIONS, counts=COUNTS, closed=True, **fields)


@pytest.fixture
def survey(client):
    survey = make_closed(**PLANNED, pinned_pairs="1-2, 2-3", shares_to_beat="1 > 5")
    client.force_login(survey.owner)
    return survey


@pytest.fixture
def free(client, survey):
    """The same answers in a survey without a plan."""
    return make_closed(slug="free", owner=survey.owner)


def answer(client, survey, name, *arguments, **query):
    address = reverse(f"admin:{name}", args=[survey.pk, *arguments])
    found = client.get(address, query)
    assert found.status_code == 200
    return found


def page(*asked, **query):
    return text_of(answer(*asked, **query))


def rows(*asked, **query):
    return rows_of(answer(*asked, **query))


WEIGHTS = {"known2_1": "50", "known2_2": "50"}
REGRESSION = {"outcome": "1-0", "reference_2": "1"}
FILES = [
    ("estimation_csv", {}, "planned"),
    ("estimation_compare_csv", {"first": 1, "second": 2}, "planned"),
    ("estimation_compare_csv", {"first": 2, "second": 1}, "exploratory"),
    ("estimation_weighted_csv", WEIGHTS, "exploratory"),
    ("estimation_regression_csv", REGRESSION, "exploratory"),
]


@pytest.mark.parametrize(("name", "query", "analysis"), FILES)
def test_a_file_uses_the_planned_level_by_default(
    client, survey, free, name, query, analysis
):
    text = rows(client, survey, name, **query)
    assert {each["confidence_level"] for each in text} == {"0.9"}
    assert {each["analysis"] for each in text} == {analysis}
    if name in {"estimation_csv", "estimation_weighted_csv"}:
        assert {each["method"] for each in text} == {"pratt"}
    chosen = rows(client, survey, name, **query, **OTHERS[0])
    assert {each["confidence_level"] for each in chosen} == {"0.95"}
    assert {each["analysis"] for each in chosen} == {"exploratory"}
    without = rows(client, free, name, **query)
    assert {each["confidence_level"] for each in without} == {"0.95"}
    assert "analysis" not in without[0]


def test_a_comparison_with_another_survey_is_exploratory(client, survey, free):
    """The pair of questions was planned within its survey."""
    asked = {"first": 1, "second": 2, "other": free.pk}
    text = page(client, survey, "estimation_compare", **asked)
    assert "This comparison was planned before the survey opened." not in text
    assert EXPLORATORY in text
    (analysis,) = {
        each["analysis"]
        for each in rows(client, survey, "estimation_compare_csv", **asked)
    }
    assert analysis == "exploratory"


def test_a_method_that_has_no_effect_stays_planned(client, survey):
    """Groups by a randomised question have another kind of interval."""
    scrambled = make_survey(
        ["direct", "coin"],
        slug="hidden",
        owner=survey.owner,
        pinned_pairs="1-2",
        counts={b"\0\0": 90, b"\0\1": 60, b"\1\0": 70, b"\1\1": 80},
        closed=True,
        **PLANNED,
    )
    asked = {"first": 1, "second": 2}
    for method, level, is_planned in (
        ("pratt", "0.9", True),
        ("feldman-cousins", "0.9", True),
        ("pratt", "0.95", False),
    ):
        text = page(
            client,
            scrambled,
            "estimation_compare",
            **asked,
            method=method,
            confidence_level=level,
        )
        assert ("This comparison was planned" in text) is is_planned
        assert (EXPLORATORY in text) is not is_planned


def test_charts_use_the_planned_intervals_by_default(client, survey, free):
    for name, arguments, query in (
        ("estimation_chart", (1, "svg"), {}),
        ("estimation_overview", ("svg",), {}),
        ("estimation_compare_chart", ("svg",), {"first": 1, "second": 2}),
    ):
        drawn = answer(client, survey, name, *arguments, **query).content
        chosen = {**query, **PLANNED_QUERY}
        assert answer(client, survey, name, *arguments, **chosen).content == drawn
        assert answer(client, free, name, *arguments, **query).content != drawn


def to_dict(*arguments):
    return json.loads(run(*arguments))


class TestCommands:
    def test_analyse_uses_the_plan_by_default(self, survey, free, tmp_path):
        folder = archived(survey, tmp_path / "planned")
        found = to_dict("analyse", folder, "--questions", 1, 2)
        assert found["analysis"] == found["compared"]["analysis"] == "planned"
        assert found["questions"][0]["method"] == "pratt"
        assert found["compared"]["rows"][0]["confidence_level"] == 0.9
        turned = to_dict("analyse", folder, "--questions", 2, 1)
        assert turned["analysis"] == "planned"
        assert turned["compared"]["analysis"] == "exploratory"
        other = to_dict(
            "analyse", folder, "--questions", 1, 2, "--confidence-level", 0.95
        )
        assert other["analysis"] == other["compared"]["analysis"] == "exploratory"
        without = archived(free, tmp_path / "free")
        assert "xplorat" not in run("analyse", without, "--questions", 1, 2)

    def test_an_unattested_plan_is_ignored(self, survey, tmp_path):
        """The author of a file can invent a plan and compute its digest."""
        folder, warned = archived(survey, tmp_path / "site"), StringIO()
        change(folder)
        asked = ("analyse", str(folder), "--questions", "1", "2")
        call_command(*asked, stdout=StringIO(), stderr=warned)
        assert "The planned analysis was left out" in warned.getvalue()
        found = to_dict(*asked)
        assert "analysis" not in found
        assert found["questions"][0]["confidence_level"] == 0.95

    def test_a_server_that_is_trusted_attests_a_plan(self, survey, tmp_path, settings):
        settings.SECRET_KEY, usual = "x" * 60, settings.SECRET_KEY
        folder, key = archived(survey, tmp_path / "site"), derive_public_key()
        settings.SECRET_KEY = usual
        asked = ("analyse", folder, "--questions", "1", "2")
        assert "analysis" not in to_dict(*asked)
        assert to_dict(*asked, "--trusted-key", key)["analysis"] == "planned"


class TestPairs:
    def test_a_planned_pair_is_adjusted_within_all_planned_tests(self, client, survey):
        results = get_results(survey, **planned_interval(survey))
        first, second = pair_outcomes(results)
        # scipy.stats.fisher_exact([[50, 50], [105, 195]]), and [[55, 45], [135, 165]]
        assert first.p_value == pytest.approx(0.00910744, rel=1e-5)
        assert second.p_value == pytest.approx(0.08463843, rel=1e-5)
        text = page(client, survey, "estimation_results")
        for line in (
            "Shown: the answers to the two questions are related (P = 0.0091).",
            "Shown: the answers to the two questions are related (P = 0.085).",
        ):
            assert line in text
        assert "Each of the 3 planned tests" in text
        assert "P adjusted for all 3 planned tests (Holm)" in text

    @pytest.mark.parametrize(
        ("questions", "counts"),
        [
            # All reports to one question are the same; no one was asked both; a misfit.
            (("coin", "direct"), {b"\0\0": 40, b"\1\0": 60}),
            (("coin", "direct"), {b"\0\xff": 40, b"\xff\1": 60}),
            (("coin", "direct"), {b"\0\0": 5, b"\1\0": 95, b"\0\1": 4, b"\1\1": 96}),
        ],
    )
    def test_untestable_pairs_have_p_value_1(self, questions, counts, survey):
        other = make_survey(
            questions,
            slug="other",
            owner=survey.owner,
            pinned_pairs="1-2",
            draws="",
            counts=counts,
            closed=True,
        )
        (outcome,) = pair_outcomes(get_results(other))
        assert not outcome.can_be_tested
        assert outcome.p_value == 1
        assert not outcome.is_shown

    @pytest.mark.parametrize(
        ("both", "fields", "is_tested"),
        [(9, {}, False), (10, {}, True), (9, {"is_imported": True}, True)],
    )
    def test_a_pair_of_too_few_cannot_be_tested(
        self, client, survey, both, fields, is_tested
    ):
        counts = {b"\0\0": 5, b"\1\1": both - 5, b"\0\xff": 50, b"\xff\1": 50}
        other = make_survey(
            ("direct", "direct"),
            slug="other",
            owner=survey.owner,
            pinned_pairs="1-2",
            shares_to_beat="1 > 1",
            counts=counts,
            closed=True,
            **fields,
        )
        text = page(client, other, "estimation_results")
        assert ("are related" in text) is is_tested
        few = "It cannot be tested: the reports are too few"
        assert (few in text) is not is_tested
        assert f"error rate of 5 %: {1 + is_tested}." in text

    def test_counts_with_noise_have_no_pair_tests(self, survey):
        """Exact joint counts were not released."""
        noisy = replace(get_results(survey), survey_counts=None)
        found = pair_outcomes(noisy)
        assert [each.numbers for each in found] == survey.pairs
        assert not any(each.is_published or each.can_be_tested for each in found)


ATTESTED = "survey.example attests that the plan is older than the reports."


class TestAttested:
    @pytest.fixture
    def attested(self, survey):
        return make_closed(
            slug="attested",
            owner=survey.owner,
            pinned_pairs="1-2",
            is_imported=True,
            plan_attested_by="survey.example",
            **PLANNED,
        )

    def test_a_planned_comparison_names_its_attestation(self, client, survey, attested):
        asked = {"first": 1, "second": 2}
        text = page(client, attested, "estimation_compare", **asked)
        assert "This comparison was planned before the survey opened." in text
        assert ATTESTED in text
        turned = page(client, attested, "estimation_compare", first=2, second=1)
        assert ATTESTED not in turned
        assert "attests" not in page(client, survey, "estimation_compare", **asked)
