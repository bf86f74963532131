"""How many people to invite: not all answer, and weights make some count for less."""

import math
from dataclasses import dataclass, replace

from candor.validation import Range

DESIGN_EFFECT = Range(low=1, high=100, example="1.5")
RESPONSE_RATE = Range(low=0, high=1, open_low=True, example="0.4")


@dataclass(frozen=True, kw_only=True)
class Invited:
    """How many have to answer, and how many have to be invited for that.

    Attributes
    ----------
    respondents, invited : int
    """

    respondents: int
    invited: int


@dataclass(frozen=True, kw_only=True)
class Fieldwork:
    """What becomes of a plan where weights are needed and not all respond.

    Attributes
    ----------
    design_effect : float
        In [1, 100]: n weighted respondents tell as much as n / design_effect that count
        alike (Kish 1965, Survey Sampling, section 8.2).
    response_rate : float
        In (0, 1]: which part of those who are invited will answer.
    margin : float or None
        Margin of error of the planned respondents, weighted; None without any.
    planned, size, sample_size : Invited or None
        For the planned respondents, for the wanted margin, and for the number from
        which on the bound is refuted; None where the plan has none.
    """

    design_effect: float = 1.0
    response_rate: float = 1.0
    margin: float | None = None
    planned: Invited | None = None
    size: Invited | None = None
    sample_size: Invited | None = None

    @property
    def is_plain(self) -> bool:
        """Whether everybody answers and counts alike."""
        return self.design_effect == self.response_rate == 1

    def invited(self, respondents: int | None) -> Invited | None:
        """Return how many to invite for so many to answer."""
        if respondents is None:
            return None
        # Rounding must not invite one more: 40 / 0.4 is 100.
        wanted = round(respondents / self.response_rate, 6)
        return Invited(respondents=respondents, invited=math.ceil(wanted))

    def weighted(self, respondents: int | None) -> Invited | None:
        """Return the same for so many who would do if all counted alike."""
        if respondents is None:
            return None
        return self.invited(math.ceil(round(respondents * self.design_effect, 6)))


def fieldwork_of(
    *,
    design_effect: float,
    response_rate: float,
    respondents: int | None,
    margin: float | None,
    size: int | None,
    sample_size: int | None,
) -> Fieldwork:
    """Return how many to invite; every number is of respondents who count alike.

    Parameters
    ----------
    design_effect, response_rate : float
        As in `Fieldwork`, checked.
    respondents, margin : int, float, optional
        The planned number, and its margin of error.
    size, sample_size : int, optional
        Needed for a margin, and for a test.
    """
    known = Fieldwork(design_effect=design_effect, response_rate=response_rate)
    return replace(
        known,
        # z sqrt[deff lam (1 - lam) / n] / (a - b)
        margin=None if margin is None else margin * math.sqrt(design_effect),
        planned=known.invited(respondents),
        size=known.weighted(size),
        sample_size=known.weighted(sample_size),
    )
