"""What a plan takes beside its target: who is asked, who answers, and who forges."""

from dataclasses import dataclass
from typing import Self

from estimation.maths.checked import (
    MAX_RESPONDENTS,
    SHARE,
    check_respondents,
    check_whole,
)
from estimation.maths.planning.fieldwork import (
    DESIGN_EFFECT,
    RESPONSE_RATE,
    Fieldwork,
    fieldwork_of,
)
from surveys.mechanisms.together import MAX_QUESTIONS


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
    def reports(self) -> int | None:
        """How many of the respondents are asked one of the questions, at least 1."""
        if self.respondents is None:
            return None
        return max(1, self.respondents * self.asked // self.questions)

    def of_all(self, reports: int) -> int:
        """Return how many respondents it takes for so many to be asked a question."""
        return -(-reports * self.questions // self.asked)

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
