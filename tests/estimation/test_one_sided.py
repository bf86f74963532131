"""Designs with a report that is proof: estimated, bounded, stated, only by hand."""

from fractions import Fraction

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse
from scipy.stats import binom

from candor.mechanisms import build
from candor.sample import Sample
from estimation.files.methods import methods_text
from estimation.presentation.cautions import for_question
from estimation.rows.shares import get_results
from respondents.models import SealedPattern
from surveys.authoring.checklist import make_checklist
from surveys.text.protection import Protection
from tests.factories import give_reason, make_survey
from tests.surveys.tables import make_design

ONE_SIDED = [
    ("forced_yes", {"forced_yes": "1/2"}),
    ("forced_yes", {"forced_yes": "1/6"}),
    ("forced_no", {"forced_no": "1/2"}),
    ("forced_no", {"forced_no": "5/6"}),
    ("triangular", {"prevalence": "1/4"}),
]
EXACT = ("feldman-cousins", "pratt")

NO_IS_PROOF = "“No” is proof: it comes only from people whose answer is No."


def make_hand(*questions, **fields):
    survey = make_survey(questions, mode="hand", opened=False, **fields)
    survey.questions.update(innocuous_question="Is it her birthday in spring?")
    give_reason(survey)
    survey.open()
    return survey


class TestEstimate:
    # Worked out by hand from (x/n - P(yes|no)) / (P(yes|yes) - P(yes|no)), and the
    # binomial variance n/(n - 1) x/n (1 - x/n) / n over the square of the same.
    @pytest.mark.parametrize(
        ("family", "parameters", "first", "n", "share", "variance"),
        [
            ("forced_yes", {"forced_yes": "1/2"}, 60, 100, "1/5", "32/3300"),
            ("forced_yes", {"forced_yes": "1/6"}, 50, 100, "2/5", "12/3300"),
            ("forced_no", {"forced_no": "1/2"}, 10, 100, "1/5", "12/3300"),
            ("triangular", {"prevalence": "1/4"}, 40, 100, "1/5", "128/29700"),
            # More of the report that is dictated than chance gives: none, and below.
            ("forced_yes", {"forced_yes": "1/2"}, 40, 100, "-1/5", "32/3300"),
        ],
    )
    def test_share_and_error_are_those_of_the_formula(
        self, family, parameters, first, n, share, variance
    ):
        mechanism = build(family, **parameters)
        tally = dict(zip(mechanism.reports, (first, n - first), strict=True))
        found = Sample.of(mechanism, tally)
        assert found.raw("yes") == pytest.approx(float(Fraction(share)), abs=1e-12)
        assert found.standard_errors["yes"] ** 2 == pytest.approx(
            float(Fraction(variance)), rel=1e-9
        )
        assert found.shares["yes"] == max(found.raw("yes"), 0)

    @pytest.mark.parametrize(("family", "parameters"), ONE_SIDED)
    @pytest.mark.parametrize("method", EXACT)
    def test_exact_intervals_cover_at_every_share_and_at_both_ends(
        self, family, parameters, method
    ):
        mechanism, n, level = build(family, **parameters), 12, 0.9
        a, b = (
            float(mechanism.probability(mechanism.reports[0], given=answer))
            for answer in ("yes", "no")
        )
        intervals = [
            Sample.of(
                mechanism, dict(zip(mechanism.reports, (x, n - x), strict=True))
            ).interval("yes", level, method)
            for x in range(n + 1)
        ]
        for step in range(101):
            share = step / 100
            chance = b + (a - b) * share
            covered = sum(
                binom.pmf(x, n, chance)
                for x, (low, high) in enumerate(intervals)
                if low - 1e-12 <= share <= high + 1e-12
            )
            assert covered >= level - 1e-9

    def test_a_report_that_only_one_answer_sends_bounds_the_share(self):
        # No one sent No: with a forced Yes that is what everyone's Yes looks like.
        found = Sample.of(build("forced_yes", forced_yes="1/2"), {"yes": 40})
        assert found.shares["yes"] == 1
        assert found.interval("yes").high == 1


class TestRefused:
    @pytest.mark.parametrize("mode", ["browser", "server"])
    @pytest.mark.django_db
    def test_browser_and_server_do_not_scramble_with_it(self, mode):
        survey = make_survey([], mode=mode, opened=False)
        survey.add_question("?", family="forced_yes", parameters={"forced_yes": "1/2"})
        with pytest.raises(ValidationError, match="for surveys by hand only"):
            survey.open()


@pytest.mark.django_db
class TestSentences:
    def test_respondents_read_which_answer_is_proof(self, client):
        survey = make_hand(("forced_yes", {"forced_yes": "1/2"}))
        page = client.get(survey.get_absolute_url()).content.decode()
        assert "Toss a coin. What does it say?" in page
        assert NO_IS_PROOF in page
        assert "never proof" not in page

    def test_all_consequences_for_respondents_are_shown(self):
        design = make_design(build("forced_yes", forced_yes="1/2"), mode="hand")
        text = Protection(design)
        assert text.data_consequence[0] == "Sometimes."
        assert NO_IS_PROOF in text.worst.conclusion
        assert NO_IS_PROOF in text.reassurance(1)
        assert text.total_epsilon == "∞"

    def test_researchers_read_it_in_checklist_results_and_methods(self, client):
        survey = make_survey(
            [("forced_yes", {"forced_yes": "1/2"}), "coin"], mode="hand", opened=False
        )
        texts = [check.text for check in make_checklist(survey).advice]
        assert NO_IS_PROOF in texts
        give_reason(survey)
        survey.open()
        SealedPattern.objects.add(survey, {b"\0\0": 30, b"\1\1": 10})
        results = get_results(survey)
        first, second = results.questions
        assert NO_IS_PROOF in [caution.text for caution in for_question(first)]
        assert not any("proof" in caution.text for caution in for_question(second))
        assert not any("as they were given" in c.text for c in for_question(first))
        methods = methods_text(results)
        assert NO_IS_PROOF in methods
        assert "asked directly" not in methods
        assert "Epsilon has no bound" in methods
        client.force_login(survey.owner)
        for page in ("estimation_results", "estimation_export", "estimation_compare"):
            address = reverse(f"admin:{page}", args=[survey.pk])
            assert client.get(address).status_code == 200
