"""Weighted results, for the page, files and the command."""

from dataclasses import dataclass
from functools import cached_property

from django.utils import translation
from django.utils.formats import number_format
from django.utils.text import get_text_list
from django.utils.translation import gettext as _

from candor.differences import SCORES
from candor.intervals import ROUNDING
from candor.tolerance import is_below
from candor.weighting.sample import EXTREME_WEIGHT
from estimation.presentation.cautions import Caution
from estimation.presentation.clusters import count_left_out
from estimation.presentation.methods import LANGUAGE_OF_FILES, METHODS
from estimation.presentation.sentences import headline_sentences, introduce
from estimation.presentation.table import (
    ESTIMATE,
    INTERVAL,
    RAW,
    STANDARD_ERROR,
    Section,
    Table,
)
from estimation.rows.groups import MIN_GROUP_SIZE
from estimation.rows.row import DisplayStatus, Row
from estimation.rows.shares import MIN_RESPONDENTS
from estimation.rows.weighted import Refused, Trouble, WeightedQuestion, WeightedResults
from respondents.storage.declared_tables import explain_undeclared
from surveys.numbers import format_factor, format_integer, format_percent

RAKED = (
    "raking (iterative proportional fitting, Deming & Stephan 1940), with linearised "
    "standard errors from the residuals on the margins (Deville & Särndal 1992)"
)
STRATIFIED = (
    "post-stratification (Holt & Smith 1979), with standard errors within groups "
    "(Cochran 1977, section 5A.9)"
)


@dataclass(frozen=True)
class WeightedPanel:
    result: WeightedQuestion

    @property
    def is_misfit(self) -> bool:
        return any(
            row.display_status is DisplayStatus.MISFIT for row in self.result.headlines
        )

    @property
    def sentences(self) -> list[str]:
        if self.is_misfit:
            return [_("The reports do not fit the design: no weights help")]
        return headline_sentences(self.result.headlines)

    @property
    def level(self) -> str:
        if self.is_misfit:
            return ""
        # The interval of a mean without a dichotomy has a method of its own.
        found = self.result.unweighted
        method = "" if self.interval_name_of_mean else found.method
        return introduce(found.confidence_level, method, is_approximate=True)

    @property
    def effective(self) -> str:
        return _(
            "Effective sample size: %(effective)s of %(count)s (design effect "
            "%(effect)s). Largest weight: %(largest)s times the mean."
        ) % {
            "count": format_integer(self.result.respondents),
            "effective": format_integer(
                int(self.result.effective_respondents + ROUNDING)
            ),
            "effect": number_format(f"{self.result.design_effect:.2f}"),
            "largest": format_factor(self.result.largest_weight),
        }

    @property
    def interval_name(self) -> str:
        level = format_percent(self.result.unweighted.confidence_level, trimmed=True)
        return _(
            "%(level)s interval. Method: %(method)s of the effective number of reports "
            "(approximate)"
        ) % {"level": level, "method": METHODS[self.result.unweighted.method].label}

    @property
    def interval_name_of_mean(self) -> str:
        if self.result.mean is None or self.result.mean.method != SCORES:
            return ""
        level = format_percent(self.result.unweighted.confidence_level, trimmed=True)
        return _(
            "%(level)s interval of the mean. Method: weighted mean score (approximate)"
        ) % {"level": level}

    @property
    def cautions(self) -> list[Caution]:
        found = []
        if self.result.has_extreme_weight:
            text = _(
                "One respondent counts as much as %(largest)s others, at most %(most)s "
                "is allowed. Use fewer questions."
            )
            values = {
                "largest": format_factor(self.result.largest_weight),
                "most": format_integer(int(EXTREME_WEIGHT)),
            }
            found.append(Caution("warning", text % values))
        if is_below(self.result.effective_respondents, MIN_RESPONDENTS):
            text = _(
                "The effective sample size is below %(least)s: too small to interpret."
            )
            found.append(Caution("warning", text % {"least": MIN_RESPONDENTS}))
        if self.result.left_out:
            found.append(Caution("note", count_left_out(self.result.left_out)))
        return found

    @property
    def table(self) -> Table:
        of_sample = {row.estimand: sample for row, sample in self.result.pairs}

        def find_in_sample(row: Row) -> Row:
            return of_sample[row.estimand]

        return Table(
            name=_("Weighted numbers of question %s") % self.result.unweighted.number,
            columns=[
                ESTIMATE.named(_("Weighted")),
                INTERVAL,
                RAW,
                STANDARD_ERROR,
                ESTIMATE.of(find_in_sample, title=_("In the sample"), style=""),
                INTERVAL.of(find_in_sample, style=""),
            ],
            sections=[Section(rows=self.result.all_rows)],
        )


@dataclass(frozen=True)
class WeightedSurveyPanel:
    results: WeightedResults

    @cached_property
    def questions(self) -> list[WeightedPanel]:
        return [WeightedPanel(question) for question in self.results.questions]

    @property
    def refusals(self) -> list[Caution]:
        return [refusal(each) for each in self.results.refused]

    @property
    def methods_sentence(self) -> str:
        if not self.questions:
            return ""
        with translation.override(LANGUAGE_OF_FILES):
            return methods_sentence(self.results)


def refusal(refused: Refused) -> Caution:
    values = {
        "question": refused.question,
        "answer": refused.answer,
        "least": MIN_GROUP_SIZE,
    }
    texts = {
        Trouble.NOBODY: _("No respondent has a report to all of these questions."),
        Trouble.SMALL: _(
            "Fewer than %(least)s respondents answered “%(answer)s” to "
            "“%(question)s”: too few to weight."
        ),
        Trouble.EMPTY: _(
            "No respondent answered “%(answer)s” to “%(question)s”: weights cannot "
            "correct that."
        ),
        Trouble.ABSENT: _(
            "Respondents answered “%(answer)s” to “%(question)s”: enter a share above "
            "0."
        ),
        Trouble.CROSSED: _(
            "Together, these questions form groups of fewer than %(least)s people."
        ),
        Trouble.UNDECLARED: explain_undeclared(),
        Trouble.NOT_RAKED: _("No weights fit all these shares. Use fewer questions."),
    }
    return Caution("warning", texts[refused.trouble] % values)


def methods_sentence(results: WeightedResults) -> str:
    named = [
        f"question {number} (“{text}”: "
        + ", ".join(
            f"{label} {format_percent(share, trimmed=True)}"
            for label, share in zip(
                results.unweighted.design.questions[number - 1].choices,
                results.margins[number],
                strict=True,
            )
        )
        + ")"
        for number, text in results.weighted_by
    ]
    by = RAKED if len(named) > 1 else STRATIFIED
    effects = [each.design_effect for each in results.questions]
    largest = max(each.largest_weight for each in results.questions)
    least = min(each.effective_respondents for each in results.questions)
    return (
        "Shares of the population are weighted means of the scores; weights make the "
        f"shares of the sample those known of the population for "
        f"{get_text_list(named, 'and')}, by {by}. The effective number of respondents "
        f"is {int(least + ROUNDING):,} (design effect {max(effects):.2f}; Kish 1965), "
        f"the largest weight {largest:.1f} times the mean. Intervals are those of the "
        "effective number of reports that the variance stands for, rounded down "
        "(Korn & Graubard 1998), and approximate."
    )
