"""Describe how a survey protects answers: who scrambles, and the risks."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from candor.mechanisms.by_hand import Device
from candor.mechanisms.epsilon import compute_epsilon
from candor.mechanisms.odds import Exposure, classify_odds
from surveys.design import Design
from surveys.models import Survey
from surveys.numbers import format_epsilon
from surveys.text.by_hand import excuse_report, find_devices
from surveys.text.tables import (
    TableDescription,
    describe_tables,
    format_question_numbers,
)

WHO_SCRAMBLES = {
    Survey.Mode.BROWSER: (
        gettext_noop(
            "Your device scrambles %(each)s before sending it: chance may change it."
        ),
        gettext_noop("We receive only the scrambled answer."),
    ),
    Survey.Mode.SERVER: (
        gettext_noop(
            "Our server sees your answers for an instant and stores %(each)s only "
            "scrambled: chance may change it."
        ),
        gettext_noop("So you need to trust the people who run this server."),
    ),
    Survey.Mode.HAND: (
        gettext_noop(
            "You scramble %(each)s yourself: steps that we show you may change it."
        ),
        gettext_noop("We receive only what you enter."),
    ),
}

NEVER_CERTAIN = (
    gettext_noop("Never with certainty."),
    gettext_noop("Your real answer was never there."),
)

FROM_THE_DATA = {
    Exposure.WEAK_HINT: NEVER_CERTAIN,
    Exposure.HINT: NEVER_CERTAIN,
    Exposure.STRONG_HINT: (
        gettext_noop("A clear hint."),
        gettext_noop("What they get can point to your answer, but never proves it."),
    ),
    Exposure.NEAR_PROOF: (
        gettext_noop("Close to proof."),
        gettext_noop("Some scrambled answers come close to proof."),
    ),
    Exposure.SOMETIMES_SHOWN: (
        gettext_noop("Sometimes."),
        gettext_noop("Some scrambled answers show the real one."),
    ),
    Exposure.NEARLY_SHOWN: (
        gettext_noop("In most cases."),
        gettext_noop("What we receive about you is nearly your answer."),
    ),
    Exposure.RARE_EXCEPTIONS: (
        gettext_noop("Nearly always."),
        gettext_noop("What we receive about you is your answer, with rare exceptions."),
    ),
    Exposure.SHOWN: (
        gettext_noop("Yes."),
        gettext_noop("Your real answers are stored there."),
    ),
}
"""Verdict and reason, by what all scrambled answers of one person reveal."""


def describe_scrambling(
    mode: Survey.Mode, unscrambled: Sequence[int] = ()
) -> list[str]:
    """Return two sentences, which always name questions that are not scrambled."""
    # "Each answer" would be false where some are not.
    each = _("each protected answer") if unscrambled else _("each answer")
    who, consequence = WHO_SCRAMBLES[mode]
    more = name_unprotected(unscrambled) if unscrambled else _(consequence)
    return [_(who) % {"each": each}, more]


def name_unprotected(unscrambled: Sequence[int]) -> str:
    """Return sentences that name the questions asked without protection."""
    named = _("Not scrambled: %s.") % format_question_numbers(unscrambled)
    return f"{named} {_('We receive your real answer there.')}"


@dataclass(frozen=True)
class Consequence:
    event: str
    verdict: str
    reason: str


@dataclass(frozen=True)
class Protection:
    """Sentences for the respondents of one survey, derived from its design."""

    design: Design

    @cached_property
    def tables(self) -> list[TableDescription]:
        return describe_tables(self.design.questions)

    @cached_property
    def scrambled(self) -> list[int]:
        return sorted(
            n for t in self.tables if t.mechanism.is_scrambled for n in t.numbers
        )

    @cached_property
    def unscrambled(self) -> list[int]:
        return sorted(
            n for t in self.tables if not t.mechanism.is_scrambled for n in t.numbers
        )

    @property
    def heading(self) -> str:
        if self.scrambled:
            return _("How your answers are protected")
        return _("What happens to your answers")

    @property
    def device_sentences(self) -> list[str]:
        if not self.scrambled:
            unscrambled = _("This survey does not scramble answers.")
            if self.design.holder_key:
                return [unscrambled]
            return [f"{unscrambled} {_('We receive them as is.')}"]
        return describe_scrambling(Survey.Mode(self.design.mode), self.unscrambled)

    @cached_property
    def devices(self) -> list[Device]:
        if self.design.mode != Survey.Mode.HAND:
            return []
        questions = self.design.questions
        # The first is what the steps begin with: a coin, or only another question.
        used = [find_devices(questions[number - 1])[:1] for number in self.scrambled]
        return list(dict.fromkeys(chain.from_iterable(used)))

    @property
    def exception(self) -> list[str]:
        if not (self.scrambled and self.unscrambled):
            return []
        return [name_unprotected(self.unscrambled)]

    @property
    def exception_in_short(self) -> str:
        """Return `exception` without the consequence, which each question repeats."""
        if not (self.scrambled and self.unscrambled):
            return ""
        return _("Not scrambled: %s.") % format_question_numbers(self.unscrambled)

    @cached_property
    def worst(self) -> TableDescription:
        protected = [table for table in self.tables if table.mechanism.is_scrambled]
        return self.least_protected(protected or self.tables)

    @staticmethod
    def least_protected(tables: Sequence[TableDescription]) -> TableDescription:
        """Return the table that reveals most, the first of equals."""
        order = list(Exposure)
        return max(
            tables,
            key=lambda table: (
                order.index(table.exposure),
                compute_epsilon(table.mechanism.worst_ratio),
            ),
        )

    @cached_property
    def exposure(self) -> Exposure:
        """Exposure by all scrambled reports of one respondent.

        Their joint odds assume that all questions concern one secret, since no one can
        know which ones are linked. A single report may reveal more than these odds.
        """
        alone = self.worst.exposure
        if not self.scrambled:
            return alone
        joint = classify_odds(self.design.composition.ratio)
        return max(alone, joint, key=list(Exposure).index)

    @property
    def summary(self) -> list[str]:
        if not self.scrambled:
            return []
        if len(self.tables) == 1:
            return self.worst.sentences
        least = _("Of the scrambled answers, those to %s are protected least.")
        return [
            least % format_question_numbers(self.worst.numbers),
            *self.worst.sentences,
        ]

    @property
    def warning(self) -> list[str]:
        if not self.scrambled or self.exposure.is_hint:
            return []
        if self.worst.exposure.is_hint:
            return self.composition_warning
        which = self.summary[:1] if len(self.tables) > 1 else []
        return [*which, self.worst.conclusion]

    @property
    def composition_warning(self) -> list[str]:
        """Warning about all reports together, where each alone is a hint."""
        if not self.worst.exposure.is_hint or self.exposure.is_hint:
            return []
        return [_("All scrambled answers together can come close to proof.")]

    def reassurance(self, number: int) -> str:
        """Return the note at a question; empty if it would repeat an earlier one.

        The note that reports are hints appears up to the first question that all
        respondents see; by hand at each question, where the report is entered. The note
        that they reveal more appears at each such question, to which earlier notes do
        not apply.
        """
        if number in self.unscrambled:
            return ""
        table = self.find_table(number)
        if self.design.mode == Survey.Mode.HAND and table.exposure.is_hint:
            question = self.design.questions[number - 1]
            return excuse_report(question, table.revealing_report) or table.meaning
        is_stated = table.exposure.is_hint and number not in self.hint_questions
        return "" if is_stated else table.reassurance

    @cached_property
    def hint_questions(self) -> list[int]:
        """Numbers of the questions with the note that reports are hints."""
        hints = [n for n in self.scrambled if self.find_table(n).exposure.is_hint]
        of_all = (n for n in hints if self.is_seen_by_all(n))
        last = next(of_all, hints[-1] if hints else 0)
        return [number for number in hints if number <= last]

    def is_seen_by_all(self, number: int) -> bool:
        is_ticked = self.design.find_tick_list(number) is not None
        return is_ticked or self.design.find_group(number) is None

    def find_table(self, number: int) -> TableDescription:
        return next(table for table in self.tables if number in table.numbers)

    @property
    def always_scrambles(self) -> bool:
        drawn = {number for group in self.design.groups for number in group.questions}
        return not drawn.issuperset(self.scrambled) or any(
            group.asked > len(set(group.questions) - set(self.scrambled))
            for group in self.design.groups
        )

    @property
    def consequences(self) -> list[Consequence]:
        return [
            Consequence(
                _("the researchers, a thief or a court get the data"),
                *self.data_consequence,
            ),
            Consequence(
                _("someone looks at your screen or controls your device"),
                *self.screen_consequence,
            ),
            Consequence(_("someone changes this page"), *self.page_consequence),
        ]

    @property
    def data_consequence(self) -> tuple[str, str]:
        found = FROM_THE_DATA[self.exposure]
        verdict, reason = (_(text) for text in found)
        # Each question calls its one report a hint, which would contradict the verdict.
        reasons = [
            _("All answers count together.") if self.composition_warning else reason
        ]
        if self.design.mode == Survey.Mode.SERVER and self.scrambled:
            if found is NEVER_CERTAIN:
                verdict = _("Never with certainty, once they are stored.")
                reasons = []
            reasons.append(_("Yes, if they control the server while you answer."))
        return verdict, " ".join([*reasons, *self.exception])

    @property
    def screen_consequence(self) -> tuple[str, str]:
        if not (self.design.mode == Survey.Mode.HAND and self.scrambled):
            return _("Yes."), _("Answer where you are alone.")
        reasons = []
        if self.devices != [Device.QUESTION]:
            reasons.append(_("Do the steps where no one can watch."))
        if Device.QUESTION in self.devices:
            reasons.append(_("Tell no one your answer to the harmless question."))
        # The screen shows what is sent.
        verdict, _reason = FROM_THE_DATA[self.exposure]
        return _(verdict), " ".join([*reasons, *self.exception])

    @property
    def page_consequence(self) -> tuple[str, str]:
        is_by_hand = self.design.mode == Survey.Mode.HAND
        if self.design.mode == Survey.Mode.SERVER or (
            is_by_hand and not self.scrambled
        ):
            reason = _("The page cannot show you what the server really does.")
            return _("Yes."), reason
        if is_by_hand:
            verdict, _reason = FROM_THE_DATA[self.exposure]
            reasons = [
                _("You scramble your answers away from this page."),
                _("Stop if the steps always ask for your true answer."),
            ]
            return _(verdict), " ".join([*reasons, *self.exception])
        reason = _("Anyone can check the script, under “The mathematics”.")
        return _("Yes, they could."), reason if self.scrambled else ""

    @property
    def total_epsilon(self) -> str:
        return format_epsilon(self.design.composition.ratio)
