"""The planner's panel of one question."""

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, lru_cache

from django.utils import translation
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from candor.mechanisms import Mechanism, build, load_families
from candor.mechanisms.draws import compute_chance
from candor.mechanisms.odds import Exposure
from candor.planning.assumptions import assume
from candor.planning.fieldwork import expect_reports
from candor.planning.plan import plan
from candor.planning.results import Plan
from estimation.pages.planner.facts import Fact, list_facts, show_margin_on_scale
from estimation.pages.planner.forms import Assumptions
from surveys.authoring.strengths import STRENGTHS, find_strength
from surveys.kinds import find_declined
from surveys.kinds.scale import format_scale_value
from surveys.models import Survey
from surveys.numbers import (
    HALF_THE_SCALE,
    format_factor,
    format_integer,
    format_margin,
    format_people,
    format_points,
    format_reached_margin,
    say_too_imprecise,
)
from surveys.text import explanations
from surveys.text.explanations import Explanation
from surveys.text.language_cache import cache_by_language
from surveys.text.tables import TableDescription

REMEMBERED = 512
"""Plans, of some 60 ms each, and panels: a keystroke changes one question of many."""

VERDICTS = explanations.VERDICTS | {
    Exposure.NEARLY_SHOWN: gettext_noop("nearly equals the answer"),
    Exposure.RARE_EXCEPTIONS: gettext_noop("almost always equals the answer"),
    Exposure.SHOWN: gettext_noop("not protected"),
}


@dataclass(frozen=True, kw_only=True)
class KeyFigure:
    name: str
    number: str = "\N{EN DASH}"
    unit: str = ""
    note: str = ""
    term: str = ""


@dataclass(frozen=True)
class Read:
    language: str
    sentences: tuple[str, ...]
    conclusion: str = ""


@dataclass(frozen=True)
class QuestionPanel:
    """Questions with the same table that are asked with the same probability.

    Each part is worked out when it is looked at: a plan takes 60 ms.
    """

    table: TableDescription
    assumed: Assumptions

    @cached_property
    def chance(self) -> Fraction:
        return compute_chance(self.table.numbers[0], self.assumed.draws)

    @cached_property
    def asked(self) -> int:
        return expect_reports(self.assumed.planned, self.chance)

    @cached_property
    def plan(self) -> Plan | None:
        """Figures of those who are asked; people needed are all respondents."""
        assumed = replace(self.assumed, draws=())
        return plan_mechanism(self.table.mechanism, assumed, self.chance)

    @cached_property
    def margin(self) -> float:
        """Expected margin of error; 0 where there is none. Of a mean in parts of it."""
        return self.find_margin(self.table.mechanism)

    def find_margin(self, mechanism: Mechanism) -> float:
        try:
            assumed = assume(
                mechanism,
                **self.assumed.estimand_arguments(mechanism),
                confidence_level=self.assumed.confidence_level,
            )
        except ValueError:
            return 0.0
        return assumed.margin(self.asked)

    @property
    def line(self) -> str:
        is_scrambled = self.table.mechanism.is_scrambled
        figures = [f"ε {self.table.epsilon}"] if is_scrambled else []
        if self.table.scale or self.margin:
            figures.append(self.show_margin(self.margin))
        return " · ".join(figures)

    @property
    def outcome(self) -> str:
        margin, _needed = self.precision
        precise = " ".join(filter(None, [margin.number, margin.unit, margin.note]))
        verdict = capfirst(_(VERDICTS[self.table.exposure]))
        return f"{precise}. {verdict}." if margin.note else f"{verdict}."

    @property
    def strength_margins(self) -> list[str]:
        if not self.table.mechanism.is_scrambled:
            return []
        margins = [
            self.find_margin(each.apply(self.table.mechanism)) for each in STRENGTHS
        ]
        return [self.format_margin(each) if each else "" for each in margins]

    def format_margin(self, margin: float) -> str:
        if self.table.scale:
            return show_margin_on_scale(self.table.scale, margin)
        return f"±\N{NO-BREAK SPACE}{format_points(margin)}"

    def show_margin(self, margin: float) -> str:
        if self.table.scale:
            return show_margin_on_scale(self.table.scale, margin)
        return format_reached_margin(margin)

    @property
    def strength(self) -> str | None:
        return find_strength(self.table.mechanism)

    @property
    def caution(self) -> str:
        family = load_families()[self.table.mechanism.family]
        if self.assumed.mode != Survey.Mode.HAND or not family.is_protected:
            return ""
        parameters = family.parse(self.table.mechanism.parameters)
        if family.by_hand(**parameters) is not None:
            return ""
        text = _("“%s” with these parameters does not work by hand.")
        return text % _(family.label)

    @cached_property
    def figures(self) -> tuple[KeyFigure, ...]:
        privacy = KeyFigure(
            name=_("Privacy: epsilon"),
            term="epsilon",
            number=self.table.epsilon,
            note=_(VERDICTS[self.table.exposure]),
        )
        price = KeyFigure(
            name=_("Price of protection"),
            note=_("the people of a direct question"),
            term="price-of-protection",
        )
        if self.plan:
            number = format_factor(self.plan.cost_of_privacy)
            price = replace(price, number=number, unit=_("times"))
        return (privacy, *self.precision, price)

    @cached_property
    def precision(self) -> tuple[KeyFigure, KeyFigure]:
        return make_precision_figures(self.table, self.plan, self.assumed)

    @cached_property
    def read(self) -> Read:
        with translation.override(self.assumed.language):
            return Read(
                self.assumed.language,
                tuple(self.table.sentences),
                self.table.conclusion,
            )

    @cached_property
    def facts(self) -> list[Fact]:
        found = [*self.list_skipping(), *list_facts(self.table, self.plan)]
        if self.chance == 1:
            return found
        text = _("%(part)s of %(whole)s respondents, about %(asked)s") % {
            "part": self.chance.numerator,
            "whole": self.chance.denominator,
            "asked": format_integer(self.asked),
        }
        return [Fact(_("Asked this question"), text), *found]

    def list_skipping(self) -> list[Fact]:
        mechanism, choices = self.table.mechanism, self.table.choices
        declined = find_declined(choices, mechanism, self.assumed.language)
        if declined is None or not mechanism.is_scrambled or not self.margin:
            return []
        family = load_families()[mechanism.family]
        grows = ""
        if family.without_skip:
            fewer = build(family.without_skip, **mechanism.parameters)
            grows = _("wider the more people skip")
        else:
            fewer = family.build(**{**mechanism.parameters, **family.counted(declined)})
        without = _("%s without it") % self.show_margin(self.find_margin(fewer))
        return [Fact(_("Skipping"), "; ".join(filter(None, [without, grows])))]

    @cached_property
    def explanation(self) -> Explanation:
        return Explanation(self.table)


@cache_by_language(maxsize=REMEMBERED)
def question_panel(table: TableDescription, assumed: Assumptions) -> QuestionPanel:
    return QuestionPanel(table, assumed)


@lru_cache(maxsize=REMEMBERED)
def plan_mechanism(
    mechanism: Mechanism, assumed: Assumptions, chance: Fraction
) -> Plan | None:
    given = assumed.estimand_arguments(mechanism)
    if load_families()[mechanism.family].is_scale:
        length = mechanism.points - 1
        # No test compares two means among those who answered.
        if assumed.difference is not None and not mechanism.can_be_skipped:
            given["difference"] = assumed.difference * length
    else:
        length = 1
        given |= {"against": assumed.against, "other_share": assumed.other}
    try:
        return plan(
            mechanism,
            **given,
            respondents=assumed.planned,
            margin=assumed.wanted * length,
            confidence_level=assumed.confidence_level,
            method=assumed.tested_by,
            # All that counts of a draw is its chance.
            questions=chance.denominator,
            asked=chance.numerator,
            ratio=assumed.ratio,
            power=assumed.power,
            prior=assumed.prior,
            design_effect=assumed.design_effect,
            intra_class=assumed.intra_class,
            cluster_size=assumed.cluster_size,
            response_rate=assumed.response_rate,
            with_shuffling=False,
        )
    except ValueError:
        # The assumptions are checked: the table has a shape that was not planned for.
        return None


def make_precision_figures(
    table: TableDescription | None, plan: Plan | None, assumed: Assumptions
) -> tuple[KeyFigure, KeyFigure]:
    margin = KeyFigure(name=_("Margin of error"), term="margin-of-error")
    needed = KeyFigure(name=_("People needed"))
    if table is None or plan is None or plan.precision is None:
        return margin, needed
    scale, reached = table.scale, plan.precision.margin / plan.assumed.length
    note = _("with %s") % format_people(plan.precision.respondents)
    if assumed.respondents is None:
        note = f"{note}, {_('an example')}"
    if scale:
        of_mean = _("of the mean on %(low)s to %(high)s") % {
            "low": format_scale_value(scale.low),
            "high": format_scale_value(scale.high),
        }
        note = f"{of_mean}, {note}"
        margin = replace(margin, number=show_margin_on_scale(scale, reached), note=note)
    elif reached >= HALF_THE_SCALE:
        margin = replace(margin, number=say_too_imprecise(), note=note)
    else:
        number = f"±\N{NO-BREAK SPACE}{format_points(reached)}"
        margin = replace(margin, number=number, unit=_("points"), note=note)
    if plan.size or scale:
        wanted = (
            show_margin_on_scale(scale, assumed.wanted)
            if scale
            else format_margin(assumed.wanted, trimmed=True)
        )
        note = _("for %s") % wanted
        if assumed.margin is None:
            note = f"{note}, {_('an example')}"
        number = format_integer(plan.size.respondents) if plan.size else "∞"
        needed = replace(needed, number=number, note=note)
    return margin, needed
