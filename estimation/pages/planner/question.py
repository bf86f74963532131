"""The panel of one question that is being written."""

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, lru_cache

from django.utils import translation
from django.utils.translation import gettext as _

from candor.mechanisms import Mechanism, load_families
from candor.mechanisms.draws import compute_chance
from candor.planning.assumptions import assume
from candor.planning.fieldwork import reports_from
from candor.planning.plan import plan
from candor.planning.results import Plan
from estimation.pages.planner import facts, figures, scales
from estimation.pages.planner.draws import drawn
from estimation.pages.planner.figures import Figure
from estimation.pages.planner.forms import Assumptions
from surveys.authoring.strengths import find_strength
from surveys.models import Survey
from surveys.text.explanations import Explanation
from surveys.text.language_cache import cache_by_language
from surveys.text.numbers import format_reached_margin
from surveys.text.tables import TableDescription

REMEMBERED = 512
"""Plans, of some 60 ms each, and panels: a keystroke changes one question of many."""


@dataclass(frozen=True)
class Read:
    """What respondents will read, in the language of the survey."""

    language: str
    sentences: tuple[str, ...]
    conclusion: str = ""


@dataclass(frozen=True)
class QuestionPanel:
    """What is said of questions that are alike; no plan where the maths has none.

    Alike are questions with the same table that are asked with the same probability.

    Each part is worked out when it is looked at: of many questions one is open, and a
    plan takes 60 ms.
    """

    table: TableDescription
    assumed: Assumptions

    @cached_property
    def chance(self) -> Fraction:
        """With which chance each respondent is asked it."""
        return compute_chance(self.table.numbers[0], self.assumed.draws)

    @cached_property
    def asked(self) -> int:
        """How many are asked it, of the planned number of respondents."""
        return reports_from(self.assumed.planned, self.chance)

    @cached_property
    def plan(self) -> Plan | None:
        """Figures of those who are asked; people needed are all respondents."""
        assumed = replace(self.assumed, draws=())
        return plan_mechanism(self.table.mechanism, assumed, self.chance)

    @cached_property
    def margin(self) -> float:
        """Expected margin of error; 0 where there is none. Of a mean in parts of it."""
        mechanism = self.table.mechanism
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
        """The two figures that are told of a folded question; a margin of 0 is none."""
        told = _("epsilon %s") % self.table.epsilon
        if self.table.scale:
            return f"{told} · {scales.plus_or_minus(self.table, self.margin)}"
        if not self.table.mechanism.is_scrambled:
            told = _("not scrambled")
        return f"{told} · {format_reached_margin(self.margin)}" if self.margin else told

    @property
    def strength(self) -> str | None:
        return find_strength(self.table.mechanism)

    @property
    def caution(self) -> str:
        """That nobody could carry it out with a coin, a die or cards, if so."""
        family = load_families()[self.table.mechanism.family]
        if self.assumed.mode != Survey.Mode.HAND or not family.is_protected:
            return ""
        parameters = family.parse(self.table.mechanism.parameters)
        if family.by_hand(**parameters) is not None:
            return ""
        told = _("“%s” with these parameters cannot be carried out by hand.")
        return told % _(family.label)

    @cached_property
    def figures(self) -> tuple[Figure, ...]:
        price = figures.price(self.plan.cost_of_privacy if self.plan else None)
        return (figures.privacy(self.table), *self.precision, price)

    @cached_property
    def precision(self) -> tuple[Figure, Figure]:
        """What the planned number brings, and what the wanted margin needs."""
        if self.table.scale and self.plan:
            return scales.precision_of_mean(self.table, self.plan, self.assumed)
        return precision_figures(self.plan, self.assumed)

    @cached_property
    def read(self) -> Read:
        with translation.override(self.assumed.language):
            return Read(
                self.assumed.language,
                tuple(self.table.sentences),
                self.table.conclusion,
            )

    @cached_property
    def facts(self) -> tuple[facts.Fact, ...]:
        if self.table.scale and self.plan:
            told = scales.facts_of_scale(self.table, self.plan)
        else:
            told = facts.facts(self.table, self.plan)
        return (*drawn(self.chance, self.asked), *told)

    @cached_property
    def explanation(self) -> Explanation:
        return Explanation(self.table)


@cache_by_language(maxsize=REMEMBERED)
def question_panel(table: TableDescription, assumed: Assumptions) -> QuestionPanel:
    """Return what is said of one question."""
    return QuestionPanel(table, assumed)


@lru_cache(maxsize=REMEMBERED)
def plan_mechanism(
    mechanism: Mechanism, assumed: Assumptions, chance: Fraction
) -> Plan | None:
    """Return the plan of one table; None where its shape allows none.

    `chance` is that of a respondent to be asked.
    """
    given = assumed.estimand_arguments(mechanism)
    if load_families()[mechanism.family].is_scale:
        length = len(mechanism.answers) - 1
        if assumed.difference is not None:
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
            ratio=assumed.ratio,
            power=assumed.power,
            confidence_level=assumed.confidence_level,
            method=assumed.tested_by,
            prior=assumed.prior,
            # All that counts of a draw is its chance.
            questions=chance.denominator,
            asked=chance.numerator,
            design_effect=assumed.design_effect,
            response_rate=assumed.response_rate,
            with_shuffling=False,
        )
    except ValueError:
        # The assumptions are checked: the table has a shape that nobody planned for.
        return None


def precision_figures(plan: Plan | None, assumed: Assumptions) -> tuple[Figure, Figure]:
    """Return the same of a share."""
    return (
        figures.margin_of_error(plan, is_example=assumed.respondents is None),
        figures.people_needed(plan, is_example=assumed.margin is None),
    )
