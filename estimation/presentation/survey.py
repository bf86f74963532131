"""The results of a whole survey."""

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, groupby

from django.utils.translation import gettext as _
from django.utils.translation import gettext as for_researchers
from django.utils.translation import gettext_noop

from estimation.presentation import cautions
from estimation.presentation.cautions import Caution
from estimation.presentation.charts.intervals import Chart, Group
from estimation.presentation.planned import PlannedPanel
from estimation.presentation.question import QuestionPanel
from estimation.presentation.tick_lists import TickListPanel
from estimation.rows.assumptions import NOTHING_SUPPOSED, Supposed
from estimation.rows.shares import MarginOfMean, SurveyResults, find_widest, shown_from
from estimation.rows.tick_lists import list_tick_lists
from surveys.numbers import (
    FINE_BELOW,
    HALF_THE_SCALE,
    format_epsilon,
    format_percent,
    format_reached_margin,
)
from surveys.text.draws import describe_draws
from surveys.text.tables import format_question_numbers

MODES = {
    "browser": gettext_noop("In the browser"),
    "server": gettext_noop("On the server"),
    "hand": gettext_noop("By hand"),
}


def margin(reached: float | None) -> str:
    """Return a margin such as "± 6.2 points", for home, monitor and results."""
    if reached is None:
        return "\N{EM DASH}"
    if math.isinf(reached):
        return _("does not fit the design")
    if isinstance(reached, MarginOfMean) and reached < HALF_THE_SCALE:
        part = format_percent(reached, 1 if reached >= FINE_BELOW else 2)
        text = for_researchers("± %s of the scale") % part
        return text.replace(" ", "\N{NO-BREAK SPACE}")
    return format_reached_margin(reached)


def group_shares(panel: QuestionPanel) -> Group:
    return Group(
        rows=panel.result.headline_shares,
        heading=f"{panel.result.number}. {panel.result.text}",
        colour=panel.colour,
    )


def group_items(tick_list: str, panels: Iterable[QuestionPanel]) -> Group:
    shares = (
        replace(
            panel.result.headline_shares[0],
            label=f"{panel.result.number}. {panel.result.text}",
        )
        for panel in panels
    )
    return Group(rows=tuple(shares), heading=tick_list)


@dataclass(frozen=True)
class Overview:
    questions: tuple[QuestionPanel, ...]

    @property
    def shown(self) -> list[QuestionPanel]:
        return [each for each in self.questions if each.result.exact_respondents != 0]

    @property
    def links(self) -> list[tuple[QuestionPanel, str]]:
        return [(each, f"#question-{each.result.number}") for each in self.shown]

    @property
    def drawn(self) -> list[QuestionPanel]:
        """Questions in the chart: those with reports and shares."""
        return [panel for panel in self.shown if panel.result.rows]

    @property
    def chart(self) -> Chart:
        lists = groupby(self.drawn, lambda each: each.result.tick_list)
        return Chart(
            tuple(
                chain.from_iterable(
                    [group_items(text, panels)] if text else map(group_shares, panels)
                    for text, panels in lists
                )
            )
        )

    @property
    def interval_name(self) -> str:
        level = format_percent(self.questions[0].result.confidence_level, trimmed=True)
        return _("%(level)s interval") % {"level": level}

    @property
    def has_both_colours(self) -> bool:
        return len({each.colour for each in self.shown}) > 1

    @property
    def not_covered(self) -> str:
        return _(
            "Intervals cover only chance, not refusals, untrue answers or forged "
            "reports."
        )


@dataclass(frozen=True)
class SurveyPanel:
    results: SurveyResults
    supposed: Supposed = NOTHING_SUPPOSED

    @cached_property
    def questions(self) -> list[QuestionPanel]:
        tests = self.planned.tests if self.planned else []
        return [
            QuestionPanel(
                question,
                tuple(
                    each
                    for each in tests
                    if each.outcome.question.number == question.number
                ),
                self.supposed,
                self.results.survey.is_closed,
            )
            for question in self.results.questions
        ]

    @cached_property
    def parts(self) -> list[tuple[TickListPanel | None, QuestionPanel]]:
        lists = {
            found.items[0].number: TickListPanel(found)
            for found in list_tick_lists(self.results)
        }
        return [(lists.get(each.result.number), each) for each in self.questions]

    @cached_property
    def overview(self) -> Overview:
        return Overview(tuple(self.questions))

    @cached_property
    def planned(self) -> PlannedPanel | None:
        return (
            PlannedPanel(self.results)
            if self.results.survey.has_analysis_plan
            else None
        )

    @property
    def cautions(self) -> list[Caution]:
        return cautions.for_survey(self.results)

    @property
    def page_cautions(self) -> list[Caution]:
        """Cautions for a page whose badge marks simulated answers."""
        return cautions.for_survey(self.results, is_marked=True)

    @property
    def mode(self) -> str:
        survey = self.results.survey
        if survey.is_imported:
            return _("As the study says")
        if not self.results.design.composition.scrambled:
            return for_researchers("None of them")
        return _(MODES[survey.mode])

    @property
    def total_epsilon(self) -> str:
        return format_epsilon(self.results.design.composition.ratio)

    @property
    def total_of_scrambled(self) -> str:
        """Sentence on which answers total epsilon includes."""
        composition = self.results.design.composition
        if (
            not (composition.scrambled and composition.unscrambled)
            or composition.ratio is None
        ):
            return ""
        text = _(
            "Epsilon of the scrambled answers together is at most %(epsilon)s, "
            "whatever the direct answers are. Not scrambled: %(named)s."
        )
        return text % {
            "epsilon": format_epsilon(composition.ratio),
            "named": format_question_numbers(composition.unscrambled),
        }

    @property
    def drawn(self) -> list[str]:
        return describe_draws(
            self.results.design.groups,
            ticked=[each.group for each in self.results.design.ticked_lists],
        )

    @property
    def draws(self) -> str:
        if not self.results.design.groups:
            return ""
        texts = self.drawn
        if self.results.design.composition.ratio is not None:  # an epsilon to count
            texts.append(
                _(
                    "Total epsilon counts so many of each group, those that give away "
                    "most."
                )
            )
        texts.append(_("Drawn questions: only respondents who were asked count."))
        return " ".join(texts)

    @property
    def widest(self) -> float | None:
        return find_widest(question.margin for question in self.results.questions)

    @property
    def widest_margin(self) -> str:
        is_known = self.widest is not None and math.isfinite(self.widest)
        return margin(self.widest) if is_known else ""

    @property
    def precision(self) -> str:
        widest = self.widest
        if widest is None or widest >= HALF_THE_SCALE:
            return margin(widest)
        level = format_percent(self.results.questions[0].confidence_level, trimmed=True)
        values = {"margin": margin(widest), "level": level}
        return _("%(margin)s at %(level)s") % values

    @property
    def least_respondents(self) -> str:
        """Sentence on the least number for a margin; empty if there is a margin."""
        respondents, survey = self.results.respondents, self.results.survey
        if self.widest is None and (survey.is_open or respondents):
            least = shown_from(survey, respondents)
            return _("Shown once every question has %s responses.") % least
        return ""
