"""Design effects, response rates and numbers of invitations."""

import math
from dataclasses import dataclass
from fractions import Fraction


def reports_from(respondents: int, chance: Fraction) -> int:
    """Return the expected reports to a question asked with this chance, at least 1."""
    return max(1, math.floor(respondents * chance))


def respondents_for(reports: int, chance: Fraction) -> int:
    """Return how many respondents a survey needs for so many reports to a question."""
    return math.ceil(reports / chance)


@dataclass(frozen=True, kw_only=True)
class Draw:
    """Of how many questions each respondent is asked how many, drawn at random."""

    questions: int
    asked: int
    respondents: int | None = None
    """The planned number of all respondents."""

    @property
    def chance(self) -> Fraction:
        return Fraction(self.asked, self.questions)

    @property
    def reports(self) -> int | None:
        return self.respondents and reports_from(self.respondents, self.chance)


@dataclass(frozen=True, kw_only=True)
class Invited:
    """How many people must answer, and how many must be invited for that."""

    respondents: int
    invited: int


@dataclass(frozen=True, kw_only=True)
class Fieldwork:
    """How many people to invite for the planned respondents, a margin and a test.

    n weighted respondents are as precise as n / design_effect without weights (Kish
    1965, Survey Sampling, section 8.2); `margin` is that of the planned respondents,
    weighted. A part of `response_rate` of the invited people answers.
    """

    design_effect: float
    response_rate: float
    margin: float | None
    planned: Invited | None
    size: Invited | None
    sample_size: Invited | None

    @property
    def is_plain(self) -> bool:
        """Whether everybody answers and no weights are needed."""
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
    """Return how many people to invite, given a plan without weights, checked."""

    def invite(answering: int | None, *, effect: float = 1.0) -> Invited | None:
        if answering is None:
            return None
        # Rounding must not invite one more: 40 / 0.4 is 100.
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

    1 + (m - 1) rho for answers that are stored as they are (Kish 1965, section 5.4).
    Randomisation is independent within a cluster. Only the answers are correlated,
    which make up the part `answered` of the variance of a score. A
    question that is asked with this `chance` has fewer reports in each cluster.
    """
    return 1 + (cluster_size - 1) * chance * intra_class * answered
