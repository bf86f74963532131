"""A regression as sentences, tables and cautions."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN
from operator import attrgetter

from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from candor.intervals import Interval
from candor.regression.fit import HELD_AT_LEAST
from candor.regression.patterns import Obstacle
from candor.regression.regress import Regression
from candor.table import Estimate
from estimation.presentation.cautions import Caution, make_misfit_caution
from estimation.presentation.clusters import (
    count_left_out,
    describe_clusters,
    explain_small_clusters,
)
from estimation.presentation.figures import MIN_P_SHOWN, show_range
from estimation.presentation.sentences import introduce
from estimation.presentation.table import Column, Section, Table
from estimation.rows.groups import MIN_GROUP_SIZE
from estimation.rows.regression import (
    AnswerRow,
    PredictorResult,
    SurveyRegression,
    name_answer,
)
from surveys.lists import join_texts
from surveys.numbers import (
    format_integer,
    format_p_value,
    format_percent,
    format_points,
    isolate_sign,
)

WHOLE_ODDS_FROM = 100
"""Larger odds ratios have no decimals."""


def odds_ratio(log_odds: float) -> str:
    if log_odds == math.inf:
        return "∞"
    ratio = math.exp(min(log_odds, math.log(10**12)))
    if ratio >= WHOLE_ODDS_FROM:
        return format_integer(round(ratio))
    return number_format(f"{ratio:.2f}")


def plain(number: float) -> str:
    """Return a number with four decimals, as in tables of regressions."""
    if math.isinf(number):
        return "∞" if number > 0 else isolate_sign("\N{MINUS SIGN}∞")
    shown = number_format(f"{abs(number):.4f}")
    return shown if number >= 0 else isolate_sign(f"\N{MINUS SIGN}{shown}")


def show_interval(row: Estimate | Interval, show: Callable[[float], str]) -> str:
    return show_range(show(row.low), show(row.high))


def show_signed_points(difference: float, *, rounding: str = ROUND_HALF_EVEN) -> str:
    """Return a difference in points, without a minus sign if it rounds to 0."""
    shown = format_points(difference, decimals=1, rounding=rounding)
    size = shown.lstrip("-")
    if size == shown or not size.strip("0.,"):
        return size
    return isolate_sign(f"\N{MINUS SIGN}{size}")


def show_interval_in_points(row: Estimate) -> str:
    return show_range(
        show_signed_points(row.low, rounding=ROUND_FLOOR),
        show_signed_points(row.high, rounding=ROUND_CEILING),
    )


def sentence(predictor: PredictorResult, row: AnswerRow) -> str:
    effect = row.effect
    near, far = sorted([abs(effect.low), abs(effect.high)])
    values = {
        "question": predictor.question.full_text,
        "answer": row.label,
        "reference": predictor.reference,
        "points": format_points(abs(effect.estimate), decimals=1),
        "low": format_points(near, decimals=1, rounding=ROUND_FLOOR),
        "high": format_points(far, decimals=1, rounding=ROUND_CEILING),
    }
    if effect.low > 0:
        text = _(
            "%(question)s With “%(answer)s” the share is %(points)s points higher than "
            "with “%(reference)s”: between %(low)s and %(high)s points"
        )
    elif effect.high < 0:
        text = _(
            "%(question)s With “%(answer)s” the share is %(points)s points lower than "
            "with “%(reference)s”: between %(low)s and %(high)s points"
        )
    else:
        values["low"] = format_points(
            abs(effect.low), decimals=1, rounding=ROUND_CEILING
        )
        values["high"] = format_points(
            abs(effect.high), decimals=1, rounding=ROUND_CEILING
        )
        text = _(
            "%(question)s With “%(answer)s” the share is between %(low)s points lower "
            "and %(high)s points higher than with “%(reference)s”"
        )
    return text % values


P_VALUE = Column(
    title=gettext_lazy("P-value"),
    show=lambda row: format_p_value(
        row.p_value or 0.0, smallest=MIN_P_SHOWN, digits=".3f"
    ),
    figures=attrgetter("p_value"),
)
ODDS_RATIO = Column(
    title=gettext_lazy("Odds ratio"),
    show=lambda row: odds_ratio(row.estimate),
    figures=attrgetter("estimate"),
    style="adjusted",
)
ODDS_RATIO_INTERVAL = Column(
    title=gettext_lazy("Interval"),
    show=lambda row: show_interval(row, odds_ratio),
    figures=attrgetter("low", "high"),
)
EFFECT = Column(
    title=gettext_lazy("Difference in points"),
    show=lambda row: show_signed_points(row.estimate),
    figures=attrgetter("estimate"),
    style="adjusted",
)
EFFECT_INTERVAL = Column(
    title=gettext_lazy("Interval"),
    show=show_interval_in_points,
    figures=attrgetter("low", "high"),
)


@dataclass(frozen=True)
class RegressionPanel:
    result: SurveyRegression

    @property
    def sentences(self) -> list[str]:
        return [sentence(predictor, row) for predictor, row in self.result.rows]

    @property
    def table(self) -> Table:
        coefficient, effect = attrgetter("coefficient"), attrgetter("effect")
        return Table(
            name=_("Odds ratios and average differences"),
            columns=[
                ODDS_RATIO.of(coefficient),
                ODDS_RATIO_INTERVAL.of(coefficient),
                P_VALUE.of(coefficient),
                EFFECT.of(effect),
                EFFECT_INTERVAL.of(effect),
            ],
            sections=self._sections,
            label=attrgetter("label"),
        )

    @property
    def bands(self) -> Table | None:
        if not any(row.band for _predictor, row in self.result.rows):
            return None
        percent = format_percent(self.result.ignoring / 100, 0)
        return Table(
            name=_("If up to %s do not follow the instructions") % percent,
            columns=[
                Column(
                    title=_("Interval of the odds ratio"),
                    show=lambda row: show_interval(row.band, odds_ratio),
                    figures=attrgetter("band"),
                ),
                Column(
                    title=_("Excludes 1 up to"),
                    show=lambda row: (
                        format_percent(row.holds_to / 100, 0)
                        if row.holds_to is not None
                        else "\N{EN DASH}"
                    ),
                    figures=attrgetter("holds_to"),
                ),
            ],
            sections=self._sections,
            label=attrgetter("label"),
        )

    @property
    def _sections(self) -> list[Section]:
        return [
            Section(
                rows=predictor.rows,
                heading=predictor.question.full_text,
                note=_("compared with “%s”") % predictor.reference,
            )
            for predictor in self.result.predictors
        ]

    @property
    def hidden(self) -> list[str]:
        return [label for each in self.result.predictors for label in each.hidden]

    @property
    def level(self) -> str:
        return introduce(self.result.confidence_level, is_approximate=True)

    @property
    def interval_name(self) -> str:
        found = self.result.regression
        return interval_name(found) if found else ""

    @property
    def people(self) -> str:
        text = _("Respondents: %(shown)s.") % {
            "shown": format_integer(self.result.respondents)
        }
        if self.result.missing:
            text += f" {count_left_out(self.result.missing)}"
        return text

    @property
    def cautions(self) -> list[Caution]:
        result = self.result
        found = [make_misfit_caution(each.text) for each in result.misfits]
        if result.obstacle is not None:
            message = explain_obstacle(result.obstacle, result.obstacle_names)
            if result.obstacle is Obstacle.CLUSTERS:
                message = f"{explain_small_clusters()} {message}"
            found.append(Caution("warning", message))
        unusable = [each for each in result.predictors if not each.is_usable]
        if result.obstacle is None:
            found += [Caution("warning", explain_too_small(each)) for each in unusable]
        regression = result.regression
        if regression is None:
            return found
        is_alone = len(result.predictors) == 1
        named = {
            name_answer(
                predictor.question, row.label, is_alone=is_alone
            ): row.coefficient
            for predictor, row in result.rows
        }
        found += about_numbers(regression, named)
        return [*found, Caution("note", _("Association does not show a cause."))]


@dataclass(frozen=True)
class FilePanel:
    regression: Regression

    @property
    def coefficients(self) -> Table:
        return Table(
            name=_("Odds ratios and average differences"),
            columns=[
                Column(
                    title=_("Coefficient"),
                    show=lambda row: plain(row.estimate),
                    figures=attrgetter("estimate"),
                ),
                Column(
                    title=_("Standard error"),
                    show=lambda row: plain(row.standard_error),
                    figures=attrgetter("standard_error"),
                ),
                Column(
                    title=_("Interval"),
                    show=lambda row: show_interval(row, plain),
                ),
                P_VALUE,
                Column(
                    title=_("Odds ratio"),
                    show=lambda row: odds_ratio(row.estimate),
                ),
            ],
            sections=[Section(rows=self.regression.coefficients)],
            heading=_("Predictor"),
            label=attrgetter("estimand"),
        )

    @property
    def effects(self) -> Table | None:
        if not self.regression.effects:
            return None
        return Table(
            name=_("By how many points the share differs"),
            columns=[
                Column(
                    title=_("Compared with"),
                    show=lambda row: row.group or _("one unit less"),
                ),
                EFFECT,
                EFFECT_INTERVAL,
            ],
            sections=[Section(rows=self.regression.effects)],
            heading=_("Predictor"),
            label=attrgetter("estimand"),
        )

    @property
    def people(self) -> str:
        regression = self.regression
        text = _("Rows: %s.") % format_integer(regression.fit.respondents)
        if regression.left_out:
            text += f" {count_left_out(regression.left_out)}"
        return text

    @property
    def log_likelihood(self) -> str:
        return plain(self.regression.fit.log_likelihood)

    @property
    def interval_name(self) -> str:
        return interval_name(self.regression)

    @property
    def cautions(self) -> list[Caution]:
        rows = {row.estimand: row for row in self.regression.coefficients}
        return about_numbers(self.regression, rows)


def interval_name(result: Regression) -> str:
    level, fit = format_percent(result.confidence_level, trimmed=True), result.fit
    if fit.clusters:
        text = _(
            "Approximate %(level)s intervals and P by cluster-robust standard errors, "
            "t with %(freedom)s degrees of freedom."
        ) % {"level": level, "freedom": fit.clusters - 1}
        effects = fit.design_effects[1:].tolist()
        return f"{text} {describe_clusters(effects, fit.clusters)}"
    if fit.is_weighted:
        return _(
            "Approximate %(level)s intervals and P by sandwich standard errors, since "
            "rows have weights."
        ) % {"level": level}
    text = _(
        "Approximate %(level)s intervals: of odds ratios by the profile likelihood, of "
        "differences by the delta method. P by the likelihood ratio."
    ) % {"level": level}
    found = _("Coverage of 95 %% intervals in simulations: at least %(least)s %%.")
    return f"{text} {found % {'least': round(100 * min(HELD_AT_LEAST.values()))}}"


def about_numbers(
    regression: Regression, coefficients: Mapping[str, Estimate]
) -> list[Caution]:
    found = []
    if regression.fit.is_uninformative:
        text = _("Too few responses for so many predictors: all numbers are rough.")
        found.append(Caution("warning", text))
    unbounded = [
        label
        for label, row in coefficients.items()
        if math.isinf(row.low) or math.isinf(row.high)
    ]
    if unbounded:
        text = _("The interval for %s reaches 0 or infinity.")
        found.append(Caution("warning", text % in_quotes(unbounded)))
    return found


def explain_obstacle(why: Obstacle, columns: Sequence[str]) -> str:
    names = in_quotes(columns)
    if why is Obstacle.SEPARATED and names:
        text = _("Odds ratios for %s cannot be estimated: too few responses.")
        return text % names
    if why is Obstacle.COLLINEAR:
        return _("Odds ratios cannot be estimated: the same people have %s.") % names
    texts = {
        Obstacle.NOT_CONVERGED: _(
            "Odds ratios cannot be estimated: the maximum-likelihood search did not "
            "converge."
        ),
        Obstacle.CLUSTERS: _(
            "A regression needs 2 more clusters than odds ratios, and each answer in 2 "
            "clusters or more."
        ),
        Obstacle.TOO_FEW: _(
            "Too few responses for a regression with this much scrambling."
        ),
    }
    return texts.get(why) or _(
        "Odds ratios cannot be estimated: a maximum-likelihood share lies at its limit."
    )


def explain_too_small(predictor: PredictorResult) -> str:
    return _(
        "“%(question)s” cannot be used: “%(reference)s” and another answer need "
        "%(least)s people each."
    ) % {
        "question": predictor.question.full_text,
        "reference": predictor.reference,
        "least": MIN_GROUP_SIZE,
    }


def in_quotes(labels: Sequence[str]) -> str:
    return join_texts([_("“%s”") % label for label in labels], _("and"))
