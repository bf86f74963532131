import math
from fractions import Fraction

import numpy as np
import pytest

from candor.dichotomies import make_channel
from candor.mechanisms import Mechanism, build
from candor.planning.plan import plan
from candor.planning.privacy import compute_posterior, compute_shuffled_privacy
from candor.poisoning import forged_weight
from candor.sample import Sample

TABLES = {
    "coin": build("coin"),
    "die": build("die"),
    "two dice": build("custom", p_yes_given_yes="11/12", p_yes_given_no="1/6"),
    "crosswise": build("crosswise", prevalence="1/5"),
    "forced yes": build("forced_response", forced_yes="1/2", forced_no="1/50"),
    "direct": build("direct"),
}
PROTECTED = [name for name in TABLES if name != "direct"]

EVERY_TABLE = [
    *TABLES.values(),
    build("k_ary", epsilon=1, choices=3),
    build("k_ary", epsilon=2.5, choices=7),
    # Here forgers shift a share most by lowering it.
    Mechanism(
        family="custom",
        parameters={},
        answers=("1", "2", "3"),
        reports=("1", "2", "3"),
        weights=((3, 1, 2), (2, 3, 1), (1, 4, 1)),
    ),
]


def shuffled_epsilon(mechanism, *, respondents, **given):
    return compute_shuffled_privacy(
        make_channel(mechanism),
        respondents=respondents,
        epsilon=mechanism.epsilon,
        **given,
    ).epsilon


def distribution_of(chances):
    """Return the distribution of a sum of independent 0/1 draws."""
    found = np.ones(1)
    for chance in chances:
        found = np.append(found * (1 - chance), 0) + np.append(0, found * chance)
    return found


def delta_of(one, other, epsilon):
    return max(
        np.clip(one - math.exp(epsilon) * other, 0, None).sum(),
        np.clip(other - math.exp(epsilon) * one, 0, None).sum(),
    )


@pytest.mark.parametrize("respondents", [1, 2, 12, 60])
@pytest.mark.parametrize("name", PROTECTED)
def test_the_shuffled_epsilon_holds_for_any_other_answers(name, respondents):
    """Try every number of yes among the others with its exact distribution."""
    mechanism = TABLES[name]
    first = mechanism.reports[0]
    yes, no = (
        float(mechanism.probability(first, given=answer))
        for answer in mechanism.answers
    )
    found = shuffled_epsilon(mechanism, respondents=respondents, delta=1e-3)

    def worst_delta(epsilon):
        return max(
            delta_of(
                distribution_of([yes, *others]), distribution_of([no, *others]), epsilon
            )
            for among in range(respondents)
            for others in [[yes] * among + [no] * (respondents - 1 - among)]
        )

    assert worst_delta(found) <= 1e-3 + 1e-12
    # It is the smallest such epsilon.
    assert worst_delta(found - 1e-6) > 1e-3 or found == 0


@pytest.mark.parametrize("name", PROTECTED)
def test_the_shuffled_epsilon_never_exceeds_that_of_a_report(name):
    for respondents in (1, 5, 3000):
        found = shuffled_epsilon(TABLES[name], respondents=respondents)
        assert 0 < found <= TABLES[name].epsilon


def test_blocks_of_many_respondents_are_bounded_from_above(monkeypatch):
    mechanism, respondents = TABLES["coin"], 900
    found = shuffled_epsilon(mechanism, respondents=respondents)
    monkeypatch.setattr("candor.planning.privacy.MAX_PARTS", respondents)
    exact = shuffled_epsilon(mechanism, respondents=respondents)
    assert exact < found < 1.002 * exact


@pytest.mark.parametrize("prior", [0.01, 0.2, 0.5, 0.99])
@pytest.mark.parametrize("name", TABLES)
def test_the_posterior_follows_from_bayes_theorem(name, prior):
    mechanism = TABLES[name]
    reading = compute_posterior(mechanism, prior)
    believed = dict(zip(mechanism.answers, (prior, 1 - prior), strict=True))
    joint = {
        (answer, report): believed[answer]
        * float(mechanism.probability(report, given=answer))
        for answer in mechanism.answers
        for report in mechanism.reports
    }
    for found in reading.reports:
        yes, no = (joint[answer, found.report] for answer in mechanism.answers)
        assert found.chance == pytest.approx(yes + no)
        assert found.posterior == pytest.approx(yes / (yes + no))
        assert found.deniability == pytest.approx(no / (yes + no))
        assert reading.lowest - 1e-12 <= found.posterior <= reading.highest + 1e-12
    assert reading.guess == pytest.approx(
        sum(
            max(joint[answer, report] for answer in mechanism.answers)
            for report in mechanism.reports
        )
    )
    assert reading.blind_guess == max(prior, 1 - prior)


@pytest.mark.parametrize("name", ["coin", "die", "crosswise"])
def test_a_symmetric_table_reaches_the_bounds_of_its_epsilon(name):
    reading = compute_posterior(TABLES[name], 0.2)
    posteriors = sorted(report.posterior for report in reading.reports)
    assert posteriors == pytest.approx([reading.lowest, reading.highest])
    # Even odds: right with probability e^eps / (1 + e^eps).
    factor = reading.factor
    assert factor == pytest.approx(math.exp(TABLES[name].epsilon))
    assert reading.even_guess == pytest.approx(factor / (1 + factor))


@pytest.mark.parametrize("prior", [0, 1])
def test_no_report_changes_a_certainty(prior):
    for name in ("coin", "direct"):
        reading = compute_posterior(TABLES[name], prior)
        assert (reading.lowest, reading.highest) == (prior, prior)
        assert reading.guess == 1
        posteriors = [found.posterior for found in reading.reports if found.chance]
        assert set(posteriors) == {prior}
    # Reports that an observer who is certain never sees.
    never = [found for found in reading.reports if found.chance == 0]
    assert len(never) == 1
    assert never[0].posterior is never[0].deniability is None


@pytest.mark.parametrize("mechanism", EVERY_TABLE, ids=lambda each: str(each.weights))
def test_the_forged_weight_is_the_largest_shift_of_a_share(mechanism):
    """Return the largest shift by one forged report, using the estimator itself."""
    shifts = []
    for report in mechanism.reports:
        forged = Sample.of(mechanism, {report: 1}).raw_shares
        for truth in mechanism.answers:
            # Honest reports are unbiased: 1 for the true answer, 0 elsewhere.
            shifts += [
                abs(forged[each] - (each == truth)) for each in mechanism.answers
            ]
    assert float(forged_weight(mechanism)) == pytest.approx(max(shifts))


def test_more_answers_are_easier_to_poison():
    # 1 + (k - 1) / (e^eps - 1) for k answers: 5.5 at ten and ln 3.
    ten = build("k_ary", epsilon=math.log(3), choices=10)
    assert float(forged_weight(ten)) == pytest.approx(5.5, rel=1e-5)
    assert forged_weight(build("coin")) == Fraction(3, 2)
    assert forged_weight(build("direct")) == 1
    # Unlike two answers of one table: 1 - s(no) = 1 + (1/6)/(3/4), not 1 + 1/(E - 1)
    two_dice = build("custom", p_yes_given_yes="11/12", p_yes_given_no="1/6")
    assert forged_weight(two_dice) == Fraction(11, 9)


def test_the_poisoning_radius_depends_on_the_forged_proportion():
    found = plan(build("coin"), forged=20, respondents=1000, with_shuffling=False)
    assert found.poisoning.radius == pytest.approx(0.03)
    assert plan(build("coin"), forged=0, respondents=1).poisoning.radius == 0
