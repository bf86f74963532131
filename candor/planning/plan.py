"""Everything a researcher should know before opening, of one question."""

from dataclasses import dataclass

from candor.assumptions import Assumed
from candor.binary import DIRECT
from candor.dichotomies import channel_of, one_against_the_rest
from candor.intervals import DEFAULT_CONFIDENCE_LEVEL, DEFAULT_METHOD
from candor.mechanisms import Mechanism
from candor.planning.budget import Kind, shared_out, total_epsilon
from candor.planning.circumstances import Circumstances
from candor.planning.groups import (
    GroupSizes,
    GroupTest,
    group_sizes,
    group_test,
    shared_out_over_groups,
)
from candor.planning.planned import Planned, Size
from candor.planning.power import (
    DEFAULT_ALPHA,
    DEFAULT_POWER,
    ONE_SIDED,
    Claim,
    ExactTest,
    SampleSize,
    alpha_of,
    check_errors,
    check_test,
)
from candor.planning.precision import MAX_EXACT_RESPONDENTS, mean_half_width
from candor.planning.privacy_cost import (
    SmallestEpsilon,
    StandardErrors,
    epsilon_for,
    errors_of,
)
from candor.planning.reading import DEFAULT_PRIOR, of_one_answer, reading_of
from candor.planning.shuffling import ShuffledPrivacy, pile_of
from candor.poisoning import poisoning_by, weight_of_forged
from candor.validation import MARGIN

DEFAULT_SHARE = 0.5
"""No other share needs more respondents under a symmetric table."""


@dataclass(frozen=True, kw_only=True)
class Precision:
    """What a planned number of respondents will bring.

    Attributes
    ----------
    respondents : int
    margin : float
        Half the width of the normal interval.
    expected_half_width : float or None
        Half the mean width of the exact interval that results will show; None above
        10**6 respondents, where it is the margin.
    direct_margin : float
        The margin of as many honest answers to a direct question.
    standard_errors : StandardErrors
    """

    respondents: int
    margin: float
    expected_half_width: float | None
    direct_margin: float
    standard_errors: StandardErrors


@dataclass(frozen=True, kw_only=True)
class Plan(Planned):
    """The figures of one question; parts that were not asked for are None.

    Of several answers, all figures but `mechanism`, `total_epsilon` and `forged_weight`
    are those of one answer against the rest. `reading` is then only of the report that
    speaks for the answer: what another one tells depends on which answers are
    suspected. Its bounds hold for all.

    Attributes
    ----------
    share : float
        Assumed share of the first answer.
    forged_weight : float
        By how many respondents one forged report counts.
    precision, pile : Precision, ShuffledPrivacy or None
        For a number of respondents; the pile only for one question of two answers,
        because the reports of several stay together.
    smallest_epsilon : SmallestEpsilon or None
        For a margin and a number of respondents, where there are two answers.
    sample_size, test : SampleSize, ExactTest or None
        For a bound to be refuted; the test also needs a number of respondents.
    groups, group_test : GroupSizes, GroupTest or None
        For the share of a second group; the test is that of the respondents, shared out
        over both.
    """

    share: float
    forged_weight: float
    precision: Precision | None
    pile: ShuffledPrivacy | None
    smallest_epsilon: SmallestEpsilon | None
    sample_size: SampleSize | None
    test: ExactTest | None
    groups: GroupSizes | None
    group_test: GroupTest | None


def make_plan(
    mechanism: Mechanism,
    *,
    share: float = DEFAULT_SHARE,
    confidence_level: float = DEFAULT_CONFIDENCE_LEVEL,
    respondents: int | None = None,
    margin: float | None = None,
    against: float | None = None,
    power: float = DEFAULT_POWER,
    alpha: float | None = None,
    method: str = DEFAULT_METHOD,
    other_share: float | None = None,
    ratio: float = 1.0,
    prior: float = DEFAULT_PRIOR,
    questions: int = 1,
    asked: int | None = None,
    forged: int = 1,
    design_effect: float = 1.0,
    response_rate: float = 1.0,
    with_pile: bool = True,
) -> Plan:
    """Return the figures of a question.

    Parameters
    ----------
    mechanism : Mechanism
        Two answers and two reports, or several answers that are treated alike: then
        of one answer against the rest.
    share : float
        Assumed share of the first answer, in [0, 1].
    confidence_level : float
        In (0, 1).
    respondents : int, optional
        Planned number, in [1, 10**9].
    margin : float, optional
        Wanted margin of error, in [1e-6, 1).
    against : float, optional
        Bound that the survey shall refute, in [0, 1], not `share`.
    power : float
        Of that test, in (alpha, 1).
    alpha : float, optional
        In [1e-9, 0.5], for the exact test of one tail. Without it the test is that of
        the results: whether their interval at `confidence_level` leaves the bound out.
    method : str
        One of `ONE_SIDED_METHODS`: that interval.
    other_share : float, optional
        Assumed share of a second group, in [0, 1], not `share`: the two are compared by
        Fisher's exact test, at alpha or 1 less the confidence level.
    ratio : float
        People in that group for each in the first, in [0.01, 100].
    prior : float
        What somebody suspects of a respondent, in [0, 1].
    questions : int
        How many such questions there are, in [1, 200].
    asked : int, optional
        How many of them, drawn by chance, each respondent is asked, in [1, questions];
        left out, all.
    forged : int
        Forged reports to be reckoned with among those to this question, of which there
        may be as many; without respondents it is not used.
    design_effect, response_rate : float
        Of weights, in [1, 100], and of those who are invited, in (0, 1]: all other
        figures are of respondents who answer and count alike.
    with_pile : bool
        Whether the pile is looked at, which can take a second.
    """
    # Every argument is checked here, and nowhere behind.
    table = one_against_the_rest(mechanism)
    law = channel_of(table)
    assumed = Assumed(law=law, share=share, confidence_level=confidence_level)
    around = Circumstances.of(
        respondents=respondents,
        questions=questions,
        asked=asked,
        prior=prior,
        forged=forged,
        design_effect=design_effect,
        response_rate=response_rate,
    )
    draw, n = around.draw, around.draw.reports
    wanted = None if margin is None else MARGIN.check("margin", margin)
    claim = None if against is None else Claim.of(table, assumed, against=against)
    test_name = check_test(method) if alpha is None else ONE_SIDED
    if alpha is None:
        # Without a test nothing depends on it, and a level may be too low for one.
        is_tested = claim is not None or other_share is not None
        alpha = alpha_of(assumed.confidence_level) if is_tested else DEFAULT_ALPHA
    alpha, power = check_errors(alpha=alpha, power=power)
    has_two, weight = table is mechanism, weight_of_forged(mechanism)
    reading = reading_of(table, around.prior)
    budget = total_epsilon([mechanism] * draw.asked)
    precision = poisoning = pile = size = smallest = sample = test = advice = None
    if n is not None:
        is_exact = n <= MAX_EXACT_RESPONDENTS
        precision = Precision(
            respondents=n,
            margin=assumed.margin(n),
            expected_half_width=mean_half_width(assumed, n) if is_exact else None,
            direct_margin=assumed.margin(n, DIRECT),
            standard_errors=errors_of(assumed, respondents=n, epsilon=table.epsilon),
        )
        poisoning = poisoning_by(around.forged, weight=weight, respondents=n)
        if draw.questions == 1 and has_two and with_pile:
            pile = pile_of(law, respondents=n, most=table.epsilon)
    if wanted is not None:
        size = Size(
            margin=wanted,
            respondents=draw.of_all(assumed.needed(wanted)),
            direct_respondents=draw.of_all(assumed.needed(wanted, DIRECT)),
        )
        if n is not None and has_two:
            smallest = epsilon_for(assumed, respondents=n, margin=wanted)
    if claim is not None:
        sample = claim.sampled(alpha=alpha, power=power, method=test_name)
        if n is not None:
            test = claim.tested(n, alpha=alpha, method=test_name)
    groups = group = None
    if other_share is not None:
        supposed = {"share": assumed.share, "other_share": other_share, "alpha": alpha}
        groups = group_sizes(table, **supposed, ratio=ratio, power=power)
        if n is not None and n > 1:
            first, second = shared_out_over_groups(n, groups.ratio)
            group = group_test(table, **supposed, respondents=first, others=second)
    # One of several answers alone has nothing to share out.
    if mechanism.is_protected and (has_two or draw.questions > 1):
        kind = Kind(answers=len(mechanism.answers))
        advice = shared_out(assumed, draw, total_epsilon=budget, kind=kind)
    return Plan(
        mechanism=mechanism,
        share=assumed.share,
        confidence_level=assumed.confidence_level,
        cost_of_privacy=assumed.cost_of_privacy,
        reading=reading if has_two else of_one_answer(reading),
        total_epsilon=budget,
        draw=draw if draw.is_of_some else None,
        questions=advice,
        forged_weight=float(weight),
        precision=precision,
        poisoning=poisoning,
        pile=pile,
        size=size,
        smallest_epsilon=smallest,
        sample_size=sample,
        test=test,
        fieldwork=around.fieldwork(
            margin=precision.margin if precision else None,
            size=size.respondents if size else None,
            sample_size=draw.of_all(sample.safe)
            if sample and sample.safe is not None
            else None,
        ),
        groups=groups,
        group_test=group,
    )
