import math

import pytest

from candor.mechanisms import build
from candor.planning import plan as planning

COIN = build("coin")


def plan(**given):
    return planning.plan(COIN, with_shuffling=False, **given)


def test_weights_and_nonresponse_multiply_the_people_to_invite():
    found = plan(
        share=0.1,
        respondents=1000,
        margin=0.05,
        against=0.2,
        design_effect=1.5,
        response_rate=0.4,
    )
    work = found.fieldwork
    assert (work.planned.respondents, work.planned.invited) == (1000, 2500)
    # weights.md: 1,291 for five points; 566 are safe for .1 against .2
    assert found.size.respondents == 1291
    assert (work.size.respondents, work.size.invited) == (1937, 4843)
    needed = found.sample_size.safe
    assert work.sample_size.respondents == math.ceil(1.5 * needed)
    # Kish 1965: the variance is that of n / 1.5 with equal weights
    assert work.margin == pytest.approx(
        plan(share=0.1, respondents=2000).precision.margin * math.sqrt(2 * 1.5)
    )


def test_without_weights_and_nonresponse_no_more_people_are_invited():
    work = plan(respondents=40, margin=0.1).fieldwork
    assert work.is_plain
    assert work.planned.invited == 40
    assert work.sample_size is None


def test_rounding_invites_no_more_people():
    # Not exact in floats: 7 / 0.7 is slightly below 10, 3 / 0.1 slightly above 30
    assert plan(respondents=7, response_rate=0.7).fieldwork.planned.invited == 10
    assert plan(respondents=3, response_rate=0.1).fieldwork.planned.invited == 30


def test_a_clustered_direct_question_has_the_kish_design_effect():
    work = planning.plan(
        build("direct"), share=0.1, margin=0.05, intra_class=0.1, cluster_size=25
    ).fieldwork
    assert work.design_effect == pytest.approx(1 + (25 - 1) * 0.1)


def test_randomisation_dilutes_the_correlation_within_classes():
    # Two coins, a share of .1: answers vary by .09, scores by .3 * .7 / .25 = .84.
    work = plan(share=0.1, margin=0.05, intra_class=0.1, cluster_size=25).fieldwork
    assert work.design_effect == pytest.approx(1 + 2.4 * 0.09 / 0.84)
    assert work.size.respondents == math.ceil(1291 * work.design_effect)


def test_weights_and_clusters_multiply():
    work = plan(design_effect=1.5, intra_class=1, cluster_size=3).fieldwork
    # A share of 1/2 behind two coins: answers cause a quarter of the variance.
    assert work.design_effect == pytest.approx(1.5 * (1 + 2 / 4))


def test_drawn_questions_reduce_the_design_effect_of_clusters():
    work = plan(questions=4, asked=1, intra_class=1, cluster_size=9).fieldwork
    assert work.design_effect == pytest.approx(1 + 8 / 4 / 4)
