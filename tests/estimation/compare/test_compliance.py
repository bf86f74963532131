"""Cheaters by two mechanisms, and attentive respondents by an anchor question."""

import re

import pytest

import candor
from estimation.rows.compliance import estimate_compliance
from estimation.rows.independent_samples import compare_surveys
from respondents.models import SealedPattern
from surveys.versions import SameQuestion
from tests.estimation.pages import get, rows_of
from tests.factories import give_reason, make_survey, open_survey

pytestmark = pytest.mark.django_db

FEW_YES = ("forced_response", {"forced_yes": "2/8", "forced_no": "1/8"})
MANY_YES = ("forced_response", {"forced_yes": "6/8", "forced_no": "1/8"})
# The report "yes" is half as likely as with FEW_YES for either answer.
PROPORTIONAL = ("forced_response", {"forced_yes": "2/16", "forced_no": "9/16"})
CROSSWISE = ("crosswise", {"prevalence": "0.15"})
# The example of the R package cWise.
PAIRS = {b"\0\0": 1160, b"\0\1": 267, b"\1\0": 381, b"\1\1": 192}


def make(questions, counts, **fields):
    survey = make_survey(questions, opened=False, **{"mode": "hand", **fields})
    survey.questions.filter(family="crosswise").update(
        innocuous_question="Is your birthday in January or February?"
    )
    give_reason(survey)
    open_survey(survey)
    SealedPattern.objects.add(survey, counts)
    return survey


def make_two(first=FEW_YES, second=MANY_YES, counts=((450, 550), (650, 350)), **fields):
    return [
        make([question], {b"\0": yes, b"\1": no}, slug=slug, title=slug, **fields)
        for question, (yes, no), slug in zip(
            (first, second), counts, ("one", "two"), strict=True
        )
    ]


def get_two(client, first, other):
    return get(client, "compare", first, first=1, second=1, other=other.pk)


def of(question):
    family, parameters = question
    return candor.mechanism(family, **parameters)


def estimate(counts=((450, 550), (650, 350))):
    first, second = (dict(zip(("yes", "no"), each, strict=True)) for each in counts)
    return candor.estimate_cheating(of(FEW_YES), first, of(MANY_YES), second)


def section_of(page):
    """Return the text on non-compliance, on one line."""
    found = page.content.decode().partition('aria-labelledby="compliance"')[2]
    text = re.sub(r"<[^>]+>", " ", found.partition("</section>")[0])
    return " ".join(text.replace("\N{NO-BREAK SPACE}", " ").split())


def figures_of(rows):
    return [
        (row.estimate, row.low, row.high, row.raw, row.standard_error) for row in rows
    ]


class TestCheaters:
    def test_two_surveys_show_the_cheating_estimates_of_the_library(self, client):
        page = get_two(client, *make_two())
        panel = page.context["compliance"]
        assert figures_of(panel.rows) == figures_of(estimate())
        text = section_of(page)
        assert "Cheaters always report “No”" in text
        # .65 less .45 over half; then .45 = 7/8 of yes and 2/8 of no.
        assert re.findall(r"(Honest “Yes”|Honest “No”|Cheaters) ([\d.]+) %", text) == [
            ("Honest “Yes”", "40"), ("Honest “No”", "40"), ("Cheaters", "20.0"),
        ]  # fmt: skip
        assert "95 % interval. Method: profile likelihood" in text

    def test_reports_that_contradict_the_model_are_unreliable(self, client):
        page = get_two(client, *make_two(counts=((800, 200), (200, 800))))
        text = section_of(page)
        assert "The reports do not fit these assumptions" in text
        assert "Cheaters \N{EN DASH} " in text

    def test_proportional_tables_are_rejected_with_a_reason(self, client):
        counts = (450, 550), (225, 775)
        page = get_two(client, *make_two(FEW_YES, PROPORTIONAL, counts))
        assert page.context["compliance"].rows == ()
        assert "These tables do not identify the shares" in section_of(page)

    @pytest.mark.parametrize(
        ("second", "counts", "mode"),
        [
            (MANY_YES, ((450, 550), (650, 350)), "browser"),
            (MANY_YES, ((450, 550), (15, 14)), "hand"),
            (FEW_YES, ((450, 550), (450, 550)), "hand"),
            (CROSSWISE, ((450, 550), (650, 350)), "hand"),
            (("direct", {}), ((450, 550), (650, 350)), "hand"),
        ],
        ids=["browser", "few", "the same table", "other reports", "direct"],
    )
    def test_unsuitable_surveys_have_no_cheating_estimate(
        self, client, second, counts, mode
    ):
        page = get_two(client, *make_two(FEW_YES, second, counts, mode=mode))
        assert page.status_code == 200
        assert page.context["compliance"] is None
        assert section_of(page) == ""

    def test_reordered_answers_have_no_cheating_estimate(self):
        surveys = make_two(CROSSWISE, ("crosswise", {"prevalence": "0.85"}))
        for choices, has_shares in (((1, 2), True), ((2, 1), False)):
            same = SameQuestion(1, 1, choices)
            found = compare_surveys(
                *surveys, same, confidence_level=0.95, method="pratt"
            )
            assert bool(estimate_compliance(found)) == has_shares


class TestAnchor:
    def test_the_attentive_estimates_match_the_library(self, client):
        survey = make([CROSSWISE, CROSSWISE], PAIRS)
        page = get(client, "compare", survey, first=1, second=2, anchor="No")
        names = "same", "different"
        pairs = {
            (names[pattern[0]], names[pattern[1]]): count
            for pattern, count in PAIRS.items()
        }
        mechanism = of(CROSSWISE)
        expected = candor.estimate_attentive(mechanism, mechanism, pairs)
        rows = page.context["compliance"].rows
        assert figures_of(rows) == figures_of(expected)
        assert page.context["comparison"].shown == ()
        text = section_of(page)
        assert "Assumes that inattentive respondents choose each report" in text
        # The raw figures are those of cWise.
        assert re.search(r"“Yes” among attentive respondents .* 10\.5 % ", text)
        assert re.search(r"Attentive respondents .* 77\.3 % ", text)

    def test_the_file_contains_the_attentive_estimates(self, client):
        survey = make([CROSSWISE, CROSSWISE], PAIRS)
        query = {"first": 1, "second": 2, "anchor": "No"}
        share, attentive = rows_of(get(client, "compare_csv", survey, **query))
        assert (share["first_answer"], share["second_answer"]) == ("Yes", "attentive")
        assert float(share["joint_raw"]) == pytest.approx(0.1054, abs=5e-5)
        assert attentive["first_answer"] == "attentive"
        assert float(attentive["joint_raw"]) == pytest.approx(0.7729, abs=5e-5)
        assert attentive["method_joint"] == "profile-likelihood"

    def test_an_anchor_answer_that_looks_like_guessing_is_rejected(self, client):
        half = ("forced_response", {"forced_yes": "1/2", "forced_no": "1/4"})
        survey = make([CROSSWISE, half], PAIRS)
        page = get(client, "compare", survey, first=1, second=2, anchor="No")
        assert "These tables do not identify the shares" in section_of(page)

    @pytest.mark.parametrize("counts", [{b"\0\0": 1}, {b"\0\0": 20, b"\1\1": 9}])
    def test_too_few_respondents_have_no_attentive_estimate(self, client, counts):
        survey = make([CROSSWISE, CROSSWISE], counts, is_simulated=True)
        query = {"first": 1, "second": 2, "anchor": "No"}
        page = get(client, "compare", survey, **query)
        assert section_of(page) == ""
        assert "Groups of fewer than 30 people are hidden" in page.content.decode()
        assert get(client, "compare_csv", survey, **query).status_code == 404

    @pytest.mark.parametrize(
        ("questions", "fields"),
        [
            ([CROSSWISE, CROSSWISE], {"mode": "browser"}),
            ([CROSSWISE, "direct"], {}),
            ([CROSSWISE, CROSSWISE], {"draws": "1 of 1, 2"}),
        ],
        ids=["browser", "direct", "arms"],
    )
    def test_unsuitable_questions_are_not_offered_as_anchors(
        self, client, questions, fields
    ):
        mask = b"\xff" if "draws" in fields else b"\0"
        survey = make(questions, {b"\0" + mask: 500, mask + b"\1": 500}, **fields)
        page = get(client, "compare", survey, first=1, second=2, anchor="No")
        assert page.status_code == 200
        assert "anchor" not in page.context["form"].fields
        assert page.context["compliance"] is None

    def test_an_anchor_makes_a_planned_comparison_exploratory(self, client):
        survey = make([CROSSWISE, CROSSWISE], PAIRS, pinned_pairs="1-2")
        for anchor, analysis in (("", "planned"), ("No", "exploratory")):
            page = get(client, "compare", survey, first=1, second=2, anchor=anchor)
            assert analysis in page.context["planned"].lower()
