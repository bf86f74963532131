"""Results on respondents who do not follow the instructions."""

import csv
import math
from fractions import Fraction
from io import StringIO

import numpy as np
import pytest
from django.urls import reverse

import candor
from estimation.presentation.what_if import supposed_lines
from estimation.rows.assumptions import Supposed, find_non_compliance
from estimation.rows.counts import read_contingency_table
from estimation.rows.regression import Chosen, Erring, fit_regression
from estimation.rows.released import CountRelease
from surveys.design import get_design
from tests.estimation.results.test_scales import panel_of as scale_panel
from tests.estimation.results_of import result_of, seal
from tests.factories import make_survey

SPACE = "\N{NO-BREAK SPACE}"
TEN = Supposed(ignoring=10)


def lines(result, supposed=TEN):
    return [each.replace(SPACE, " ") for each in supposed_lines(result, supposed)]


def test_the_non_compliance_line_matches_the_library():
    found = candor.sensitivity(candor.mechanism("coin"), {"yes": 400, "no": 600})
    band = found.band(0.1)
    assert (band.lowest, band.highest) == pytest.approx((0.3, 0.45))
    assert found.tipping_point(0.5) == pytest.approx(0.0922)
    assert lines(result_of(400, 600)) == [
        "If up to 10 % always report “No”: 30 % to 45 % answered “Yes”, "
        "between 23 % and 52 %, with 95 % confidence. From 9.3 % on, the interval "
        "contains 50 %."
    ]


@pytest.mark.parametrize(
    ("counts", "options"),
    [
        ((0, 0), {}),
        ((1, 0), {}),
        ((3, 5), {}),
        ((13, 87), {}),
        ((0, 100), {"family": "direct"}),
        ((50, 50), {"family": "epsilon", "epsilon": "0.01"}),
    ],
)
def test_results_without_an_estimate_have_no_non_compliance_line(counts, options):
    result = result_of(*counts, **options)
    assert lines(result) == []
    assert find_non_compliance(result, result.rows) == []


def test_any_report_may_be_safe_if_there_are_several_answers():
    result = result_of(
        285, 467, 248, family="k_ary", epsilon="1", choices="3", labels="abc"
    )
    first = lines(result)[0]
    assert first.startswith("If up to 10 % send the same report: ")
    one, *_others = find_non_compliance(result, result.rows)
    bands = [
        candor.sensitivity(
            result.mechanism, dict(result.report_counts), safe_report=report
        ).band(0.1)
        for report in result.mechanism.reports
    ]
    assert one.band(10).low == min(band.low for band in bands)
    assert one.band(10).highest == max(band.highest for band in bands)


def test_the_mean_of_a_scale_has_a_band_in_its_units():
    result = scale_panel(600, 400, low=0, high=5000).result
    (line,) = lines(result)
    assert line.startswith("If up to 10 % send the same report: mean 2,")
    assert line.endswith("From 9.5 % on, the interval contains 2,500.")
    (found,) = find_non_compliance(result, result.headlines)
    assert found.band(0).lowest == found.band(0).highest == result.mean.estimate
    assert (found.band(0).low, found.band(0).high) == pytest.approx(
        (result.mean.low, result.mean.high)
    )
    assert 2700 < found.band(10).lowest < 3582 < found.band(10).highest < 4400


@pytest.mark.django_db
@pytest.mark.parametrize("mode", ["hand", "browser"])
def test_ten_percent_are_assumed_only_in_mode_hand(client, mode):
    survey = make_survey(["coin"], mode=mode)
    seal(survey, {b"\0": 40, b"\1": 60})
    client.force_login(survey.owner)
    page = reverse("admin:estimation_results", args=[survey.pk])
    asked = client.get(page).content.decode()
    assert ("If up to 10" in asked) is (mode == "hand")
    assert "If up to 20" in client.get(page, {"ignoring": "20"}).content.decode()
    none = client.get(page, {"ignoring": "0"})
    assert "If up to" not in none.content.decode()
    assert client.get(page, {"ignoring": "51"}).status_code == 400


def test_the_limit_of_a_planned_claim_replaces_half():
    result = result_of(400, 600)
    (line,) = supposed_lines(result, TEN, {"yes": 0.4})
    found = candor.sensitivity(candor.mechanism("coin"), {"yes": 400, "no": 600})
    # Rounded up.
    assert found.tipping_point(0.4) == pytest.approx(0.025, abs=0.0009)
    assert line.replace(SPACE, " ").endswith(
        "From 2.6 % on, the interval contains 40 %."
    )


@pytest.mark.django_db
def test_files_use_the_non_compliance_chosen_on_the_page(client):
    survey = make_survey(["coin"])
    seal(survey, {b"\0": 400, b"\1": 600})
    client.force_login(survey.owner)

    def read(name, **chosen):
        page = reverse("admin:estimation_export_file", args=[survey.pk, name])
        return client.get(page, chosen).content.decode().replace(SPACE, " ")

    assert "non_compliance" not in read("estimates.csv")
    (yes, _no) = csv.DictReader(StringIO(read("estimates.csv", ignoring=20)))
    assert yes["non_compliance_assumed"] == "0.2"
    assert "If up to 20 % always report" in read("methods.txt", ignoring=20)
    assert "If up to" not in read("methods.txt")
    for name in ("estimation_export", "estimation_results"):
        page = client.get(reverse(f"admin:{name}", args=[survey.pk]), {"ignoring": 20})
        assert "&amp;ignoring=20" in page.content.decode()


@pytest.mark.django_db
def test_released_counts_have_no_non_compliance_band():
    """The band does not include the noise."""
    survey = make_survey(["coin"], mode="hand")
    seal(survey, {b"\0": 400, b"\1": 600})
    release = CountRelease(
        epsilon=Fraction(2), respondents=1000, noisy_counts={1: (400, 600)}
    )
    (noisy,) = release.results(
        survey, get_design(survey), shown=[1], level=0.95
    ).questions
    assert lines(noisy) == []


@pytest.mark.django_db
def test_the_odds_ratio_band_covers_that_of_compliant_respondents():
    """120 surveys of two groups of 400, in which a tenth always say no."""
    survey = make_survey(["coin", "direct"])
    seal(survey, {b"\0\0": 60, b"\1\0": 40, b"\0\1": 40, b"\1\1": 60})
    chosen = Chosen(outcome=1, answer=0, references={2: 1})
    survey_counts = read_contingency_table(survey, chosen.numbers, seals=False)
    erring = Erring(0.1, is_yes=False)
    draws = np.random.default_rng(20261127)  # noqa: TID251 - a fixed seed
    sent = [erring.mix(1 / 4 + share / 2) for share in (0.7, 0.4)]
    wanted = math.log(0.7 / 0.3) - math.log(0.4 / 0.6)
    covered = 0
    for yes in draws.binomial(400, sent, size=(120, 2)).tolist():
        counts = {(row,): [n, 400 - n] for row, n in enumerate(yes)}
        fit = fit_regression(
            survey_counts,
            chosen,
            counts,
            [(0, 0)],
            confidence_level=0.95,
            erring=erring,
        )
        row = fit.coefficients[1]
        covered += row.low <= wanted <= row.high
    # It is a part of the band. 91 %: two standard errors below 95 %.
    assert covered >= 110
