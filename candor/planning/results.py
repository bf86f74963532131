"""What a plan consists of, and how it is written."""

import math
from dataclasses import asdict, dataclass, is_dataclass
from typing import Any

from candor.mechanisms import Mechanism
from candor.planning.assumptions import AssumedMean, AssumedShare
from candor.planning.budget import QuestionAdvice
from candor.planning.fieldwork import Draw, Fieldwork
from candor.planning.groups import GroupSizes, GroupTest
from candor.planning.posterior import Posterior
from candor.planning.power import ExactTest, SampleSize
from candor.planning.privacy_cost import SmallestEpsilon, StandardErrors
from candor.planning.shuffling import ShuffledPrivacy
from candor.poisoning import Poisoning


@dataclass(frozen=True, kw_only=True)
class Precision:
    """Margins of a number of respondents, and of as many direct answers.

    Of a share also half the expected width of the exact interval, which is None above
    10**6 respondents, where it is the margin.
    """

    respondents: int
    margin: float
    direct_margin: float
    expected_half_width: float | None = None
    standard_errors: StandardErrors | None = None


@dataclass(frozen=True, kw_only=True)
class Size:
    """Respondents for a wanted margin, and by a direct question."""

    margin: float
    respondents: int
    direct_respondents: int


@dataclass(frozen=True, kw_only=True)
class Alternative:
    """A scale by one of the families that protect it, at the same epsilon.

    The variance is n times that of the mean, in points. The margin is that of the
    planned respondents; `respondents` are for the wanted margin, None beyond 10**9.
    """

    family: str
    variance: float
    margin: float | None
    respondents: int | None


@dataclass(frozen=True)
class Figure:
    """A number of a plan; None where it has no bound."""

    name: str
    value: float | None
    unit: str = ""

    def __str__(self) -> str:
        if self.value is None:
            return "unbounded"
        is_whole = float(self.value).is_integer()
        number = f"{self.value:,.0f}" if is_whole else f"{self.value:,.4g}"
        return f"{number} {self.unit}".rstrip()


@dataclass(frozen=True, kw_only=True)
class Plan:
    """The figures of one question; those that were not asked for are None.

    Of several answers, all figures but `total_epsilon` and `forged_weight` are those of
    one answer against the rest. Those of a mean are in points from 0 to K.

    Attributes
    ----------
    mechanism : Mechanism
    assumed : AssumedShare or AssumedMean
        The estimand, what is assumed of it, and the confidence level of all margins.
    posterior : Posterior
        What one report makes of a suspicion; of a scale only its bounds.
    total_epsilon : float
        Of all that one respondent is asked.
    forged_weight : float
        For how many respondents one forged report counts.
    fieldwork : Fieldwork
        How many people to invite for each of the numbers below.
    draw : Draw
        Where each respondent is asked some of the questions. Precision, test and groups
        are then of those who are asked this one; size and fieldwork of all.
    questions : QuestionAdvice
        How to divide the epsilon; None where it has no bound, and for one question of
        several answers.
    precision, poisoning, shuffling : Precision, Poisoning, ShuffledPrivacy
        For a number of respondents; the last only for one question of two answers,
        because the reports of several questions stay together.
    margin, size : float, Size
        For a margin; there is no size of a mean beyond 10**9 respondents.
    smallest_epsilon : SmallestEpsilon
        For a margin and a number of respondents, where there are two answers.
    sample_size, test : SampleSize, ExactTest
        For a bound; the test also needs a number of respondents.
    groups, group_test : GroupSizes, GroupTest
        For a second group; the test is that of the respondents, split into both.
    alternatives : tuple of Alternative
        The families that protect a scale; empty for a share.
    """

    mechanism: Mechanism
    assumed: AssumedShare | AssumedMean
    posterior: Posterior
    total_epsilon: float
    forged_weight: float
    fieldwork: Fieldwork
    draw: Draw | None = None
    questions: QuestionAdvice | None = None
    precision: Precision | None = None
    poisoning: Poisoning | None = None
    shuffling: ShuffledPrivacy | None = None
    margin: float | None = None
    size: Size | None = None
    smallest_epsilon: SmallestEpsilon | None = None
    sample_size: SampleSize | None = None
    test: ExactTest | None = None
    groups: GroupSizes | None = None
    group_test: GroupTest | None = None
    alternatives: tuple[Alternative, ...] = ()

    @property
    def confidence_level(self) -> float:
        """That of all margins."""
        return self.assumed.confidence_level

    @property
    def cost_of_privacy(self) -> float:
        """How many times the respondents of a direct question are needed."""
        return self.assumed.cost_of_privacy

    @property
    def assumed_share(self) -> AssumedShare:
        """What is assumed of a share; raises `TypeError` for a mean."""
        if isinstance(self.assumed, AssumedShare):
            return self.assumed
        raise TypeError("plan must be of a share; got one of a mean")

    @property
    def assumed_mean(self) -> AssumedMean:
        """What is assumed of a mean; raises `TypeError` for a share."""
        if isinstance(self.assumed, AssumedMean):
            return self.assumed
        raise TypeError("plan must be of a mean; got one of a share")

    def summary(self) -> str:
        """Return the figures as a table in text, as it is printed in a terminal."""
        figures = self.figures()
        width = max(len(each.name) for each in figures)
        return "\n".join(f"{each.name:<{width}}  {each}" for each in figures)

    def __str__(self) -> str:
        return self.summary()

    def figures(self) -> tuple[Figure, ...]:
        """Return the most important numbers, with their names and units."""
        unit = "points" if isinstance(self.assumed, AssumedMean) else "share"
        invited = self.fieldwork.size
        parts: list[tuple[object, str, str, str]] = [
            (self, "total_epsilon", "epsilon", ""),
            (self, "cost_of_privacy", "cost of privacy", "times"),
            (self.posterior, "highest", "highest posterior", "share"),
            (self.precision, "margin", "margin of error", unit),
            (self.precision, "direct_margin", "margin of a direct question", unit),
            (self.size, "respondents", "respondents for the margin", "respondents"),
            (invited, "invited", "invited for the margin", "people"),
            (self.sample_size, "safe", "sample size", "respondents"),
            (self.test, "power", "power", ""),
            (self.groups, "respondents", "size of the first group", "respondents"),
            (self.groups, "others", "size of the second group", "respondents"),
            (self.group_test, "power", "power between the groups", ""),
        ]
        return tuple(
            Figure(name, _plain(getattr(part, attribute)), of)
            for part, attribute, name, of in parts
            if part is not None
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the plan fit for JSON: None for infinity."""
        of_mean = isinstance(self.assumed, AssumedMean)
        return _plain(
            {
                **self.mechanism.as_dict(),
                "epsilon": self.mechanism.epsilon,
                "confidence_level": self.confidence_level,
                "cost_of_privacy": self.cost_of_privacy,
                "reading": self.posterior,
                **_chosen(
                    self, "total_epsilon draw questions poisoning size fieldwork"
                ),
                **(self._of_mean() if of_mean else self._of_share()),
            }
        )

    def _of_share(self) -> dict[str, Any]:
        precision = "respondents margin expected_half_width direct_margin"
        share, other = self.groups.values if self.groups else (None, None)
        values = {"share": share, "other_share": other}
        sizes = "alpha power ratio respondents others is_exact"
        return {
            "share": self.assumed_share.share,
            "forged_weight": self.forged_weight,
            "precision": _chosen(self.precision, f"{precision} standard_errors"),
            "pile": self.shuffling,
            **_chosen(self, "smallest_epsilon sample_size test"),
            "groups": self.groups and values | _chosen(self.groups, sizes),
            "group_test": self.group_test
            and _chosen(self.group_test, "respondents others")
            | values
            | _chosen(self.groups, "alpha")
            | _chosen(self.group_test, "power is_exact"),
        }

    def _of_mean(self) -> dict[str, Any]:
        assumed, groups = self.assumed_mean, self.groups
        sizes = "alpha test power ratio respondents others is_exact"
        compared = None
        if groups:
            (mean, other), sds = groups.values, groups.sds or (None, None)
            compared = {
                "difference": mean - other, "mean": mean, "other_mean": other,
                "sd": sds[0], "other_sd": sds[1], **_chosen(groups, sizes),
            }  # fmt: skip
        return {
            **_chosen(assumed.answers, "points mean sd"),
            "ways": self.alternatives,
            "best": assumed.most_precise,
            "precision": _chosen(self.precision, "respondents margin direct_margin"),
            "margin": self.margin,
            "groups": compared,
            "group_test": self.group_test,
        }


def _chosen(part: Any, names: str) -> Any:
    """Return some attributes of a part of a plan, in this order."""
    return part and {name: getattr(part, name) for name in names.split()}


def _plain(found: Any) -> Any:
    """Return what JSON can write: it knows no infinity, and no class."""
    if is_dataclass(found) and not isinstance(found, type):
        found = asdict(found)
    if isinstance(found, dict):
        return {name: _plain(value) for name, value in found.items()}
    if isinstance(found, list | tuple):
        return [_plain(value) for value in found]
    is_unbounded = isinstance(found, float) and not math.isfinite(found)
    return None if is_unbounded else found
