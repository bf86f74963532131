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
    """The precision of a planned number of respondents.

    Attributes
    ----------
    respondents : int
    margin : float
        Half the width of the normal interval; of a mean in points.
    direct_margin : float
        The margin of as many honest answers to a direct question.
    expected_half_width : float or None
        Half the expected width of the exact interval of a share; None above 10**6
        respondents, where it is the margin.
    standard_errors : StandardErrors or None
        Of a share.
    """

    respondents: int
    margin: float
    direct_margin: float
    expected_half_width: float | None = None
    standard_errors: StandardErrors | None = None


@dataclass(frozen=True, kw_only=True)
class Size:
    """How many respondents a wanted margin of error needs.

    Attributes
    ----------
    margin : float
    respondents, direct_respondents : int
        With the mechanism, and with honest answers to a direct question.
    """

    margin: float
    respondents: int
    direct_respondents: int


@dataclass(frozen=True, kw_only=True)
class Alternative:
    """The mean of a scale by one of the families that protect it, at one epsilon.

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


@dataclass(frozen=True)
class Figure:
    """A number of a plan.

    Attributes
    ----------
    name : str
    value : float or None
        None where it has no bound.
    unit : str
        "share", "points", "respondents", "people", "times", or empty.
    """

    name: str
    value: float | None
    unit: str = ""


@dataclass(frozen=True, kw_only=True)
class Plan:
    """The figures of one question; those that were not asked for are None.

    Of several answers, all figures but `mechanism`, `total_epsilon` and `forged_weight`
    are those of one answer against the rest. Of a scale they are those of the mean, in
    points from 0 to K; parts that only a share has are then None.

    Attributes
    ----------
    mechanism : Mechanism
    assumed : AssumedShare or AssumedMean
        The estimand, what is assumed of it, and the confidence level of all margins.
    posterior : Posterior
        What one report makes of a suspicion; of a scale only its bounds.
    total_epsilon : float
        Of all that one respondent is asked.
    draw : Draw or None
        Where each respondent is asked some of the questions. Precision, test and groups
        are then of those who are asked this one; size and fieldwork of all.
    questions : QuestionAdvice or None
        How to divide the epsilon; None where it has no bound, and for one question of
        several answers.
    forged_weight : float
        For how many respondents one forged report counts, as a part of the range of the
        estimand.
    precision, poisoning, shuffling : Precision, Poisoning, ShuffledPrivacy or None
        For a number of respondents; the last only for one question of two answers,
        because the reports of several questions stay together.
    margin : float or None
        The wanted one.
    size : Size or None
        For a margin; None too for a mean that takes more than 10**9 respondents.
    smallest_epsilon : SmallestEpsilon or None
        For a margin and a number of respondents, where there are two answers.
    sample_size, test : SampleSize, ExactTest or None
        For a bound; the test also needs a number of respondents.
    fieldwork : Fieldwork
        How many people to invite for each of these numbers.
    groups, group_test : GroupSizes, GroupTest or None
        For a second group; the test is that of the respondents, split into both.
    alternatives : tuple of Alternative
        The families that protect a scale; empty for a share.
    """

    mechanism: Mechanism
    assumed: AssumedShare | AssumedMean
    posterior: Posterior
    total_epsilon: float
    draw: Draw | None
    questions: QuestionAdvice | None
    forged_weight: float
    precision: Precision | None
    poisoning: Poisoning | None
    shuffling: ShuffledPrivacy | None
    margin: float | None
    size: Size | None
    smallest_epsilon: SmallestEpsilon | None
    sample_size: SampleSize | None
    test: ExactTest | None
    fieldwork: Fieldwork
    groups: GroupSizes | None
    group_test: GroupTest | None
    alternatives: tuple[Alternative, ...]

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

    def figures(self) -> tuple[Figure, ...]:
        """Return the most important numbers, with their names and units."""
        unit = "points" if isinstance(self.assumed, AssumedMean) else "share"
        rows: list[tuple[str, float | None, str]] = [
            ("epsilon", self.total_epsilon, ""),
            ("cost of privacy", self.cost_of_privacy, "times"),
            ("highest posterior", self.posterior.highest, "share"),
        ]
        if self.precision:
            rows += [
                ("margin of error", self.precision.margin, unit),
                ("margin of a direct question", self.precision.direct_margin, unit),
            ]
        if self.size:
            rows += [
                ("respondents for the margin", self.size.respondents, "respondents"),
                ("invited for the margin", _invited(self.fieldwork.size), "people"),
            ]
        if self.sample_size:
            rows.append(("sample size", self.sample_size.safe, "respondents"))
        if self.test:
            rows.append(("power", self.test.power, ""))
        if self.groups:
            rows += [
                ("size of the first group", self.groups.respondents, "respondents"),
                ("size of the second group", self.groups.others, "respondents"),
            ]
        if self.group_test:
            rows.append(("power between the groups", self.group_test.power, ""))
        return tuple(Figure(name, _plain(value), of) for name, value, of in rows)

    def to_dict(self) -> dict[str, Any]:
        """Return the plan fit for JSON: None for infinity."""
        mechanism, assumed = self.mechanism, self.assumed
        of_all = {
            **mechanism.as_dict(),
            "epsilon": mechanism.epsilon,
            "confidence_level": self.confidence_level,
            "cost_of_privacy": self.cost_of_privacy,
            "reading": self.posterior,
            "total_epsilon": self.total_epsilon,
            "draw": self.draw,
            "questions": self.questions,
            "poisoning": self.poisoning,
            "size": self.size,
            "fieldwork": self.fieldwork,
        }
        if isinstance(assumed, AssumedMean):
            return _plain(of_all | self._of_mean(assumed))
        return _plain(of_all | self._of_share(assumed))

    def _of_share(self, assumed: AssumedShare) -> dict[str, Any]:
        shares = {}
        if self.groups:
            shares = dict(
                zip(("share", "other_share"), self.groups.values, strict=True)
            )
        return {
            "share": assumed.share,
            "forged_weight": self.forged_weight,
            "precision": _chosen(
                self.precision,
                "respondents margin expected_half_width direct_margin standard_errors",
            ),
            "pile": self.shuffling,
            "smallest_epsilon": self.smallest_epsilon,
            "sample_size": self.sample_size,
            "test": self.test,
            "groups": _chosen(
                self.groups,
                "share other_share alpha power ratio respondents others is_exact",
                **shares,
            ),
            "group_test": _chosen(
                self.group_test,
                "respondents others share other_share alpha power is_exact",
                **shares,
                alpha=self.groups and self.groups.alpha,
            ),
        }

    def _of_mean(self, assumed: AssumedMean) -> dict[str, Any]:
        of_groups: dict[str, Any] = {}
        if self.groups:
            (mean, other), sds = self.groups.values, self.groups.sds or (None, None)
            of_groups = {
                "difference": mean - other, "mean": mean, "other_mean": other,
                "sd": sds[0], "other_sd": sds[1],
            }  # fmt: skip
        return {
            "points": assumed.answers.points,
            "mean": assumed.answers.mean,
            "sd": assumed.answers.sd,
            "ways": self.alternatives,
            "best": assumed.most_precise,
            "precision": _chosen(self.precision, "respondents margin direct_margin"),
            "margin": self.margin,
            "groups": _chosen(
                self.groups,
                "difference mean other_mean sd other_sd alpha test power ratio "
                "respondents others is_exact",
                **of_groups,
            ),
            "group_test": self.group_test,
        }


def _invited(each: Any) -> int | None:
    return each and each.invited


def _chosen(part: Any, names: str, **others: Any) -> dict[str, Any] | None:
    """Return some attributes of a part of a plan in this order, and others."""
    if part is None:
        return None
    return {
        name: others[name] if name in others else getattr(part, name)
        for name in names.split()
    }


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
