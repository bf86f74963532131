"""Design effects, response rates and numbers of invitations."""

import math
from dataclasses import dataclass
from fractions import Fraction


def expect_reports(respondents: int, chance: Fraction) -> int:
    """Return the expected number of reports, at least 1.

    `chance` is the probability that a respondent is asked the question.
    """
    return max(1, math.floor(respondents * chance))


def find_needed_respondents(reports: int, chance: Fraction) -> int:
    """Return how many respondents a survey needs for a number of reports."""
    return math.ceil(reports / chance)


@dataclass(frozen=True, kw_only=True)
class Draw:
    """How many of the questions each respondent is asked, drawn at random."""

    questions: int
    asked: int
    respondents: int | None = None
    """The planned number of all respondents."""

    @property
    def chance(self) -> Fraction:
        return Fraction(self.asked, self.questions)

    @property
    def reports(self) -> int | None:
        return self.respondents and expect_reports(self.respondents, self.chance)


@dataclass(frozen=True, kw_only=True)
class Invited:
    """How many people must answer, and how many must be invited for that."""

    respondents: int
    invited: int


@dataclass(frozen=True, kw_only=True)
class Fieldwork:
    """How many people to invite for the planned respondents, a margin and a test.

    n weighted respondents are as precise as n / design_effect without weights (Kish
    1965, Survey Sampling, section 8.2). `margin` is the margin of the planned
    respondents with weights. `response_rate` is the part of the invited people who
    respond.
    """

    design_effect: float
    response_rate: float
    margin: float | None
    planned: Invited | None
    size: Invited | None
    sample_size: Invited | None

    @property
    def is_plain(self) -> bool:
        """Whether everyone responds and no weights are needed."""
        return self.design_effect == self.response_rate == 1


def plan_fieldwork(
    *,
    design_effect: float,
    response_rate: float,
    respondents: int | None,
    margin: float | None,
    size: int | None,
    sample_size: int | None,
) -> Fieldwork:
    """Return how many people to invite.

    `margin`, `size` and `sample_size` are those without weights; arguments are checked.
    """

    def invite(answering: int | None, *, effect: float = 1.0) -> Invited | None:
        if answering is None:
            return None
        # Rounding errors must not add an invitation: 40 / 0.4 is 100.
        weighted = math.ceil(round(answering * effect, 6))
        invited = math.ceil(round(weighted / response_rate, 6))
        return Invited(respondents=weighted, invited=invited)

    return Fieldwork(
        design_effect=design_effect,
        response_rate=response_rate,
        # z sqrt[deff lam (1 - lam) / n] / (a - b)
        margin=None if margin is None else margin * math.sqrt(design_effect),
        planned=invite(respondents),
        size=invite(size, effect=design_effect),
        sample_size=invite(sample_size, effect=design_effect),
    )


def plan_clusters(
    *, intra_class: float, cluster_size: float, chance: float, answered: float
) -> float:
    """Return the design effect of clusters; arguments are checked.

    For direct answers it is 1 + (m - 1) rho (Kish 1965, section 5.4). Randomisation is
    independent within a cluster: only the answers are correlated, and they make up the
    part `answered` of the variance of a score. A question that is asked with
    probability `chance` has fewer reports in each cluster.
    """
    return 1 + (cluster_size - 1) * chance * intra_class * answered
