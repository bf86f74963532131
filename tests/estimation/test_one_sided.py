"""Designs with a report that is proof: estimated, bounded, stated, only by hand."""

from fractions import Fraction

import pytest
from django.core.exceptions import ValidationError
from scipy.stats import binom

from candor.mechanisms import build
from candor.sample import Sample
from tests.factories import make_survey

ONE_SIDED = [
    ("forced_yes", {"forced_yes": "1/2"}),
    ("forced_yes", {"forced_yes": "1/6"}),
    ("forced_no", {"forced_no": "1/2"}),
    ("forced_no", {"forced_no": "5/6"}),
    ("triangular", {"prevalence": "1/4"}),
]
EXACT = ("feldman-cousins", "pratt")


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


class TestRefused:
    @pytest.mark.parametrize("mode", ["browser", "server"])
    @pytest.mark.django_db
    def test_browser_and_server_do_not_scramble_with_it(self, mode):
        survey = make_survey([], mode=mode, opened=False)
        survey.add_question("?", family="forced_yes", parameters={"forced_yes": "1/2"})
        with pytest.raises(ValidationError, match="for surveys by hand only"):
            survey.open()
