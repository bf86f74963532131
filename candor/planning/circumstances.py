"""What a plan takes beside its target: who is asked, who answers, and who forges."""

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Self

from candor.mechanisms.composition import MAX_QUESTIONS
from candor.planning.fieldwork import (
    DESIGN_EFFECT,
    RESPONSE_RATE,
    Fieldwork,
    fieldwork_of,
)
from candor.validation import (
    MAX_RESPONDENTS,
    SHARE,
    check_respondents,
    check_whole,
)


def reports_from(respondents: int, chance: Fraction) -> int:
    """Return how many reports to a question to expect, rounded down, at least 1.

    Parameters
    ----------
    respondents : int
        All respondents of the survey, whether or not they are asked the question.
    chance : Fraction
        The probability that a respondent is asked the question, in (0, 1].
    """
    return max(1, math.floor(respondents * chance))


def respondents_for(reports: int, chance: Fraction) -> int:
    """Return how many respondents in all give so many reports to a question.

    Rounded up. `chance` is that of `reports_from`; of several questions the survey
    needs the largest of their results.

    Examples
    --------
    One of two questions is drawn for each respondent:

    >>> respondents_for(385, Fraction(1, 2))
    770
    """
    return math.ceil(reports / chance)


@dataclass(frozen=True, kw_only=True)
class Draw:
    """Of how many questions each respondent is asked how many, drawn by chance.

    Attributes
    ----------
    questions, asked : int
        All of them, where `asked` is as large.
    respondents : int or None
        The planned number of all.
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

    def of_all(self, reports: int) -> int:
        """Return how many respondents it takes for so many to be asked a question."""
        return respondents_for(reports, self.chance)

    @property
    def is_of_some(self) -> bool:
        """Whether somebody is not asked everything."""
        return self.asked < self.questions


@dataclass(frozen=True, kw_only=True)
class Circumstances:
    """The same for a share and for a mean, checked.

    Attributes
    ----------
    draw : Draw
    prior : float
        What somebody suspects of a respondent, in [0, 1].
    forged : int
        Forged reports among those to this question, of which there may be as many.
    design_effect, response_rate : float
        As in `Fieldwork`.
    """

    draw: Draw
    prior: float
    forged: int
    design_effect: float
    response_rate: float

    @classmethod
    def of(
        cls,
        *,
        respondents: int | None,
        questions: int,
        asked: int | None,
        prior: float,
        forged: int,
        design_effect: float,
        response_rate: float,
    ) -> Self:
        """Return them once they are checked; parameters are those of `make_plan`."""
        n = None if respondents is None else check_respondents(respondents)
        count = check_whole("questions", questions, low=1, high=MAX_QUESTIONS)
        draw = Draw(
            questions=count,
            asked=count
            if asked is None
            else check_whole("asked", asked, low=1, high=count),
            respondents=n,
        )
        most = draw.reports or MAX_RESPONDENTS
        return cls(
            draw=draw,
            prior=SHARE.check("prior", prior),
            forged=check_whole("forged", forged, low=0, high=most),
            design_effect=DESIGN_EFFECT.check("design_effect", design_effect),
            response_rate=RESPONSE_RATE.check("response_rate", response_rate),
        )

    def fieldwork(
        self, *, margin: float | None, size: int | None, sample_size: int | None = None
    ) -> Fieldwork:
        """Return how many to invite; parameters are those of `fieldwork_of`."""
        return fieldwork_of(
            design_effect=self.design_effect,
            response_rate=self.response_rate,
            respondents=self.draw.respondents,
            margin=margin,
            size=size,
            sample_size=sample_size,
        )
