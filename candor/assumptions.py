"""What is supposed of a question before anybody answers: the door of planning."""

import math
from dataclasses import dataclass
from typing import Self

from candor.binary import DIRECT, BinaryChannel
from candor.dichotomies import channel_of
from candor.intervals import DEFAULT_CONFIDENCE_LEVEL
from candor.intervals.closed_form import two_sided_z
from candor.mechanisms import Mechanism
from candor.validation import CONFIDENCE_LEVEL, SHARE, check_two_by_two


@dataclass(frozen=True, kw_only=True)
class NormalMargins:
    """Margins of an estimate whose variance falls with the respondents.

    Attributes
    ----------
    variance : float
        n times that of the estimate.
    confidence_level : float
        In (0, 1).
    """

    variance: float
    confidence_level: float

    @property
    def z(self) -> float:
        """The normal quantile of the level."""
        return two_sided_z(self.confidence_level)

    def margin(self, respondents: int) -> float:
        """Return half the width of the normal interval of so many respondents."""
        # z sqrt(variance / n)
        return self.z * math.sqrt(self.variance / respondents)

    def needed(self, margin: float) -> int:
        """Return the smallest number of respondents for a margin."""
        # z^2 variance / M^2, rounded up
        return max(1, math.ceil((self.z / margin) ** 2 * self.variance))


@dataclass(frozen=True, kw_only=True)
class Assumed:
    """A table, the share behind it, and how sure a margin shall be; checks itself.

    Its methods take checked numbers, and another law in place of its own: `DIRECT` for
    honest answers to a direct question.

    Attributes
    ----------
    law : BinaryChannel
    share : float
        Of yes, pi, in [0, 1].
    confidence_level : float
        In (0, 1).
    """

    law: BinaryChannel = DIRECT
    share: float
    confidence_level: float = DEFAULT_CONFIDENCE_LEVEL

    def __post_init__(self) -> None:
        level = CONFIDENCE_LEVEL.check("confidence_level", self.confidence_level)
        object.__setattr__(self, "share", SHARE.check("share", self.share))
        object.__setattr__(self, "confidence_level", level)

    @classmethod
    def of(
        cls,
        mechanism: Mechanism,
        *,
        share: float,
        confidence_level: float = DEFAULT_CONFIDENCE_LEVEL,
    ) -> Self:
        """Return the same of a table of two answers and two reports, once checked."""
        check_two_by_two(mechanism)
        law = channel_of(mechanism)
        return cls(law=law, share=share, confidence_level=confidence_level)

    @property
    def z(self) -> float:
        """The normal quantile of the level."""
        return two_sided_z(self.confidence_level)

    def variance(self, law: BinaryChannel | None = None) -> float:
        """Return the variance of the raw share, times the number of respondents."""
        # As lam (1 - lam) / (a - b)^2
        return (law or self.law).variance(self.share)

    def margins(self, law: BinaryChannel | None = None) -> NormalMargins:
        """Return the margins of the share."""
        return NormalMargins(
            variance=self.variance(law), confidence_level=self.confidence_level
        )

    def margin(self, respondents: int, law: BinaryChannel | None = None) -> float:
        """Return half the width of the normal interval of so many respondents."""
        return self.margins(law).margin(respondents)

    def needed(self, margin: float, law: BinaryChannel | None = None) -> int:
        """Return the smallest number of respondents for a margin."""
        return self.margins(law).needed(margin)

    @property
    def cost_of_privacy(self) -> float:
        """How many times the respondents of a direct question are needed, 1 or more.

        Infinite at shares 0 and 1, where a direct question has no spread; 1 there if
        the table has none either.
        """
        # lam (1 - lam) / [(a - b)^2 pi (1 - pi)]
        ours, direct = self.variance(), self.variance(DIRECT)
        if direct == 0:
            return math.inf if ours > 0 else 1.0
        return ours / direct
