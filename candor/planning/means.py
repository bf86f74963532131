"""Everything a researcher should know before opening, of the mean of a scale.

It is what `plan` has of a share; every difference is in points of the scale, 0 to K.
"""

from dataclasses import dataclass

from candor.assumptions import Assumed
from candor.intervals import DEFAULT_CONFIDENCE_LEVEL
from candor.mechanisms import Mechanism
from candor.planning.assumed_mean import AssumedMean
from candor.planning.budget import Kind, shared_out, total_epsilon
from candor.planning.circumstances import Circumstances
from candor.planning.groups import shared_out_over_groups
from candor.planning.mean_groups import (
    MeanGroupSizes,
    MeanGroupTest,
    mean_group_sizes,
    mean_group_test,
    suppose_means,
)
from candor.planning.planned import Planned, Size
from candor.planning.power import DEFAULT_POWER, alpha_of
from candor.planning.reading import DEFAULT_PRIOR, of_no_report
from candor.planning.scales import plan_scale
from candor.poisoning import poisoning_by, weight_of_forged
from candor.validation import MARGIN, Range


@dataclass(frozen=True, kw_only=True)
class MeanPrecision:
    """What a planned number of respondents will bring.

    Attributes
    ----------
    respondents : int
    margin, direct_margin : float
        Half the width of the normal interval of the mean, and that of as many honest
        answers to a direct question; in points.
    """

    respondents: int
    margin: float
    direct_margin: float


@dataclass(frozen=True, kw_only=True)
class Way:
    """One of the ways to scramble these points at this epsilon.

    Attributes
    ----------
    family : str
    variance : float
        n times that of the mean, in points.
    margin : float or None
        Of the planned respondents.
    respondents : int or None
        Needed for the wanted margin; None too where it takes more than 10**9.
    """

    family: str
    variance: float
    margin: float | None
    respondents: int | None


@dataclass(frozen=True, kw_only=True)
class MeanPlan(Planned):
    """The figures of the mean of a scale; parts that were not asked for are None.

    `reading` is of no report by itself, so that only its bounds are known; variances of
    `questions` are in parts of the scale, the radius of `poisoning` and the margin of
    `size` in points. That has no size too where it takes more than 10**9 respondents.

    Attributes
    ----------
    points : int
        K + 1.
    mean, sd : float
        Supposed mean and standard deviation of the answers, in points.
    ways : tuple of Way
        That of the mechanism among them.
    best : str
        The family of the most precise way.
    precision : MeanPrecision or None
        For a number of respondents.
    margin : float or None
        The wanted one, in points.
    groups, group_test : MeanGroupSizes, MeanGroupTest or None
        For a difference between the means of two groups; the test is that of the
        respondents, shared out over both.
    """

    points: int
    mean: float
    sd: float
    ways: tuple[Way, ...]
    best: str
    precision: MeanPrecision | None
    margin: float | None
    groups: MeanGroupSizes | None
    group_test: MeanGroupTest | None

    @property
    def is_usual(self) -> bool:
        """Whether nothing is supposed but that all points are equally common."""
        of = AssumedMean(points=self.points, mean=self.mean, sd=self.sd)
        return of.is_usual


def make_mean_plan(
    mechanism: Mechanism,
    *,
    confidence_level: float = DEFAULT_CONFIDENCE_LEVEL,
    respondents: int | None = None,
    margin: float | None = None,
    difference: float | None = None,
    mean: float | None = None,
    sd: float | None = None,
    ratio: float = 1.0,
    power: float = DEFAULT_POWER,
    alpha: float | None = None,
    prior: float = DEFAULT_PRIOR,
    questions: int = 1,
    asked: int | None = None,
    forged: int = 1,
    design_effect: float = 1.0,
    response_rate: float = 1.0,
) -> MeanPlan:
    """Return the figures of the mean of a scale.

    Parameters
    ----------
    mechanism : Mechanism
        As `plan_scale` takes it.
    margin : float, optional
        Wanted, in points: in [1e-6 K, K).
    mean, sd : float, optional
        Of the answers, in points, as `AssumedMean.of` takes them.
    difference : float, optional
        Between the means of two groups, which lie around this mean, each with this
        standard deviation: as `suppose_means` takes it.
    ratio, power, alpha
        Of the test between these groups, as for `make_plan`.
    confidence_level, respondents, prior, questions, asked, forged, design_effect, \
    response_rate
        As for `make_plan`.

    Examples
    --------
    Epsilon 1 on a scale of 0 to 10: one bit, half a point more or less of 1,000.

    >>> from candor.mechanisms import build
    >>> plan = make_mean_plan(build("one_bit", epsilon=1, points=11), respondents=1000)
    >>> print(plan.best, f"{plan.precision.margin:.2f}")
    one_bit 0.67
    """
    scale = plan_scale(mechanism, confidence_level=confidence_level, mean=mean, sd=sd)
    points = len(mechanism.answers)
    last = points - 1
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
    wanted = None
    if margin is not None:
        allowed = Range(
            low=MARGIN.low * last, high=last, open_high=True, example=f"{last / 20:g}"
        )
        wanted = allowed.check("margin", margin) / last

    direct = scale.direct_margins
    precision = poisoning = size = None
    if n is not None:
        precision = MeanPrecision(
            respondents=n,
            margin=last * scale.margin(n),
            direct_margin=last * direct.margin(n),
        )
        weight = last * weight_of_forged(mechanism, of_mean=True)
        poisoning = poisoning_by(around.forged, weight=weight, respondents=n)
    needed = {
        name: None if wanted is None else scale.needed(wanted, family=name)
        for name in scale.variances
    }
    by_itself = needed[scale.family]
    if margin is not None and wanted is not None and by_itself is not None:
        size = Size(
            margin=float(margin),
            respondents=draw.of_all(by_itself),
            direct_respondents=draw.of_all(direct.needed(wanted)),
        )
    groups = group_test = None
    if difference is not None:
        supposed = suppose_means(
            mechanism,
            difference=difference,
            mean=mean,
            sd=sd,
            alpha=alpha_of(scale.confidence_level) if alpha is None else alpha,
        )
        groups = mean_group_sizes(supposed, power=power, ratio=ratio)
        if n is not None and n > 1:
            first, second = shared_out_over_groups(n, groups.ratio)
            group_test = mean_group_test(supposed, respondents=first, others=second)
    budget = total_epsilon([mechanism] * draw.asked)
    kind = Kind(answers=points, scale=scale.assumed)
    part = Assumed(
        share=scale.assumed.mean / last, confidence_level=scale.confidence_level
    )
    return MeanPlan(
        mechanism=mechanism,
        points=points,
        mean=scale.assumed.mean,
        sd=scale.assumed.sd,
        confidence_level=scale.confidence_level,
        cost_of_privacy=scale.cost_of_privacy,
        reading=of_no_report(mechanism, around.prior),
        total_epsilon=budget,
        draw=draw if draw.is_of_some else None,
        questions=shared_out(part, draw, total_epsilon=budget, kind=kind)
        if draw.questions > 1
        else None,
        ways=tuple(
            Way(
                family=name,
                variance=variance * last**2,
                margin=None if n is None else last * scale.margin(n, family=name),
                respondents=None if each is None else draw.of_all(each),
            )
            for (name, variance), each in zip(
                scale.variances.items(), needed.values(), strict=True
            )
        ),
        best=scale.best,
        precision=precision,
        poisoning=poisoning,
        margin=None if margin is None else float(margin),
        size=size,
        fieldwork=around.fieldwork(
            margin=precision.margin if precision else None,
            size=size.respondents if size else None,
        ),
        groups=groups,
        group_test=group_test,
    )
