"""Inputs of a plan, shared by `candor.plan`, the command and the planner page."""

from dataclasses import dataclass, replace
from typing import Any

from candor.mechanisms.composition import MAX_QUESTIONS
from candor.validation import MARGIN, MAX_RESPONDENTS, SHARE, Range, check_whole

DEFAULT_SHARE = 0.5
"""No other share needs more respondents under a symmetric table."""

DEFAULT_PRIOR = 0.1

DEFAULT_POWER = 0.8
"""The convention of Cohen 1988, Statistical Power Analysis for the Behavioral Sciences.
"""


@dataclass(frozen=True, kw_only=True)
class Input:
    """An argument of `candor.plan`.

    Attributes
    ----------
    name : str
    help : str
        Help text of the command.
    within : Range
        Allowed range; for a mean, as parts of the scale.
    default : float, optional
        Value that is assumed if the argument is omitted.
    is_whole : bool
    estimand : str, optional
        "share" or "mean", if the argument applies to that estimand only.
    """

    name: str
    help: str
    within: Range
    default: float | None = None
    is_whole: bool = False
    estimand: str | None = None

    def check(self, value: float | None, *, length: float = 1, **limits: Any) -> Any:
        """Return the value as a float or int, or raise an error that names its range.

        `length` is the length of the scale, for values in points. `limits` replace
        attributes of the range that depend on other inputs.
        """
        scaled: dict[str, Any] = {
            "low": self.within.low * length,
            "high": self.within.high * length,
            "example": f"{float(self.within.example) * length:g}",
        }
        within = replace(self.within, **(scaled | limits))
        if self.is_whole:
            low, high = int(within.low), int(within.high)
            return check_whole(self.name, value, low=low, high=high)
        return within.check(self.name, value)

    @property
    def option(self) -> str:
        return f"--{self.name.replace('_', '-')}"

    @property
    def help_with_default(self) -> str:
        known = "" if self.default is None else f" (default {self.default:g})"
        return f"{self.help}{known}"


INPUTS = {
    each.name: each
    for each in (
        Input(
            name="share",
            within=SHARE,
            default=DEFAULT_SHARE,
            estimand="share",
            help="assumed share of the first answer",
        ),
        Input(
            name="margin",
            within=MARGIN,
            help="wanted margin of error, half the interval, such as 0.05; of a scale "
            "in its points, such as 0.5",
        ),
        Input(
            name="against",
            within=SHARE,
            estimand="share",
            help="a share that the survey is to reject, so that the true one lies "
            "beyond",
        ),
        Input(
            name="other_share",
            within=SHARE,
            estimand="share",
            help="assumed share of a second group, to be distinguished from the first",
        ),
        Input(
            name="difference",
            within=Range(low=MARGIN.low, high=1, example="0.1"),
            estimand="mean",
            help="between the means of two groups on a scale, in its points",
        ),
        Input(
            name="mean",
            within=Range(low=0, high=1, example="0.5"),
            estimand="mean",
            help="assumed mean, in points; two means lie around it (default: the "
            "middle of the scale)",
        ),
        Input(
            name="sd",
            # The largest possible: half of the answers at each end.
            within=Range(low=0, high=0.5, example="0.3"),
            estimand="mean",
            help="standard deviation of the answers, in each group, in points "
            "(default: that of all points equally common, as far as the mean allows)",
        ),
        Input(
            name="ratio",
            within=Range(low=0.01, high=100, example="2"),
            default=1,
            help="respondents in the second group for each in the first",
        ),
        Input(
            name="power",
            within=Range(low=0, high=1, open_low=True, open_high=True, example="0.8"),
            default=DEFAULT_POWER,
            help="probability of detecting either",
        ),
        Input(
            name="alpha",
            within=Range(low=1e-9, high=0.5, example="0.05"),
            help="level of the exact one-sided test, such as 0.05, which is then "
            "planned in place of the interval",
        ),
        Input(
            name="prior",
            within=SHARE,
            default=DEFAULT_PRIOR,
            help="prior probability of the first answer for an observer",
        ),
        Input(
            name="design_effect",
            within=Range(low=1, high=100, example="1.5"),
            default=1,
            help="of weights: so many times the respondents are needed",
        ),
        Input(
            name="intra_class",
            within=Range(low=0, high=1, example="0.1"),
            default=0,
            help="correlation of the answers within a cluster, such as a class",
        ),
        Input(
            name="cluster_size",
            within=Range(low=1, high=10_000, example="25"),
            default=1,
            help="respondents per cluster",
        ),
        Input(
            name="response_rate",
            within=Range(low=0, high=1, open_low=True, example="0.4"),
            default=1,
            help="part of the people invited that will answer, such as 0.4",
        ),
        Input(
            name="respondents",
            within=Range(low=1, high=MAX_RESPONDENTS, example="1000"),
            is_whole=True,
            help="the planned number",
        ),
        Input(
            name="questions",
            within=Range(low=1, high=MAX_QUESTIONS, example="10"),
            is_whole=True,
            default=1,
            help="how many such questions there are",
        ),
        Input(
            name="asked",
            within=Range(low=1, high=MAX_QUESTIONS, example="3"),
            is_whole=True,
            help="how many of them, drawn at random, each respondent is asked "
            "(default all)",
        ),
        Input(
            name="forged",
            within=Range(low=0, high=MAX_RESPONDENTS, example="1"),
            is_whole=True,
            default=1,
            help="forged reports to allow for",
        ),
    )
}
