"""Who is asked, who answers and who is invited."""

import math
from dataclasses import dataclass
from fractions import Fraction

from candor.validation import Range

DESIGN_EFFECT = Range(low=1, high=100, example="1.5")
RESPONSE_RATE = Range(low=0, high=1, open_low=True, example="0.4")


def reports_from(respondents: int, chance: Fraction) -> int:
    """Return the expected number of reports to a question, rounded down, at least 1.

    Parameters
    ----------
    respondents : int
        All respondents of the survey, whether or not they are asked the question.
    chance : Fraction
        The probability that a respondent is asked the question, in (0, 1].
    """
    return max(1, math.floor(respondents * chance))


def respondents_for(reports: int, chance: Fraction) -> int:
    """Return how many respondents a survey needs for so many reports to a question.

    Rounded up; `chance` is that of `reports_from`.

    Examples
    --------
    One of two questions is drawn for each respondent:

    >>> respondents_for(385, Fraction(1, 2))
    770
    """
    return math.ceil(reports / chance)


@dataclass(frozen=True, kw_only=True)
class Draw:
    """A random subset of the questions for each respondent.

    Attributes
    ----------
    questions, asked : int
        Of how many questions each respondent is asked how many.
    respondents : int or None
        The planned number of all respondents.
    """

    questions: int
    asked: int
    respondents: int | None = None

    @property
    def chance(self) -> Fraction:
        """The probability that a respondent is asked one of the questions."""
        return Fraction(self.asked, self.questions)

    @property
    def reports(self) -> int | None:
        """Expected reports to each question; None without planned respondents."""
        if self.respondents is None:
            return None
        return reports_from(self.respondents, self.chance)

    def respondents_for(self, reports: int) -> int:
        """Return how many respondents a survey needs for so many reports."""
        return respondents_for(reports, self.chance)


@dataclass(frozen=True, kw_only=True)
class Invited:
    """How many people must answer, and how many must be invited for that.

    Attributes
    ----------
    respondents, invited : int
    """

    respondents: int
    invited: int


@dataclass(frozen=True, kw_only=True)
class Fieldwork:
    """A plan with weights and nonresponse.

    Attributes
    ----------
    design_effect : float
        In [1, 100]: n weighted respondents are as precise as n / design_effect without
        weights (Kish 1965, Survey Sampling, section 8.2).
    response_rate : float
        Share of the invited people who answer, in (0, 1].
    margin : float or None
        Margin of error of the planned respondents, weighted.
    planned, size, sample_size : Invited or None
        For the planned respondents, the wanted margin, and the test of a bound; None
        where the plan has none.
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
    """Return how many people to invite.

    Parameters
    ----------
    design_effect, response_rate : float
        As in `Fieldwork`, checked.
    respondents, margin : int, float or None
        The planned number, and its margin of error without weights.
    size, sample_size : int or None
        Respondents needed without weights for a margin, and for a test.
    """

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
