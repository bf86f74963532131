"""What a survey protects, in words: who scrambles, and what follows for whom."""

from dataclasses import dataclass
from functools import cached_property

from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from surveys.design import Design
from surveys.mechanisms.mechanism import total_ratio
from surveys.mechanisms.odds import Exposure, times_rounded_up
from surveys.mechanisms.privacy import epsilon_rounded_up
from surveys.models import Survey
from surveys.words.tables import TableInWords, name_questions, tables_in_words

WHO_SCRAMBLES = {
    Survey.Mode.BROWSER: (
        gettext_noop("Your phone or computer scrambles each answer before sending it."),
        gettext_noop("We receive only the scrambled answer."),
    ),
    Survey.Mode.SERVER: (
        gettext_noop(
            "Our server sees your answers for an instant and stores only the scrambled "
            "ones."
        ),
        gettext_noop("So you need to trust the people who run this server."),
    ),
    Survey.Mode.HAND: (
        gettext_noop(
            "You scramble each answer yourself, with your own coin, die or cards."
        ),
        gettext_noop("We receive only what you enter. No computer sees your answer."),
    ),
}

FROM_THE_DATA = {
    Exposure.WEAK_HINT: (
        gettext_noop("Not for sure."),
        gettext_noop("They hold a weak hint: the odds shift %s times at most."),
    ),
    Exposure.HINT: (
        gettext_noop("Not for sure."),
        gettext_noop("They hold a hint: the odds shift %s times at most."),
    ),
    Exposure.STRONG_HINT: (
        gettext_noop("Not for sure."),
        gettext_noop("They hold a strong hint: the odds shift %s times at most."),
    ),
    Exposure.SOMETIMES_SHOWN: (
        gettext_noop("Sometimes."),
        gettext_noop("Some scrambled answers show the real one."),
    ),
    Exposure.SHOWN: (
        gettext_noop("Yes."),
        gettext_noop("They receive your real answers."),
    ),
}


@dataclass(frozen=True)
class Consequence:
    """What may happen, whether it shows the real answer, and why."""

    event: str
    verdict: str
    reason: str


@dataclass(frozen=True)
class Protection:
    """What the respondents of one survey are told; everything follows from its design.

    The worst table speaks for all of those that protect at all.
    """

    design: Design

    @cached_property
    def tables(self) -> list[TableInWords]:
        return tables_in_words(self.design.questions)

    @cached_property
    def scrambled(self) -> list[int]:
        """Numbers of the questions whose answers are scrambled."""
        return sorted(n for t in self.tables if t.is_protected for n in t.numbers)

    @cached_property
    def unscrambled(self) -> list[int]:
        return sorted(n for t in self.tables if not t.is_protected for n in t.numbers)

    @property
    def who_scrambles(self) -> list[str]:
        if not self.scrambled:
            return [_("This survey does not scramble answers. We receive them as is.")]
        lines = [_(line) for line in WHO_SCRAMBLES[Survey.Mode(self.design.mode)]]
        return [*lines, *self.exception]

    @property
    def exception(self) -> list[str]:
        """The sentence about questions that are asked without protection, if any."""
        if not (self.scrambled and self.unscrambled):
            return []
        return [
            ngettext(
                "But %s is not protected: we receive your real answer.",
                "But %s are not protected: we receive your real answers.",
                len(self.unscrambled),
            )
            % name_questions(self.unscrambled)
        ]

    @cached_property
    def worst(self) -> TableInWords:
        """The table that protects least among those that protect at all."""
        order = list(Exposure)
        tables = [table for table in self.tables if table.is_protected] or self.tables
        return max(
            tables,
            key=lambda table: (
                order.index(table.exposure),
                table.mechanism.worst_ratio or 0,
            ),
        )

    @property
    def reassurance(self) -> str:
        """What to know at the first scrambled question."""
        first = min(self.scrambled)
        return next(t for t in self.tables if first in t.numbers).reassurance

    @property
    def consequences(self) -> list[Consequence]:
        """Who might learn the real answer, and whether."""
        found = [
            Consequence(_("the researchers look at the data"), *self.from_the_data),
            Consequence(
                _("the server is hacked, or a court or an employer demands the data"),
                *self.from_the_server,
            ),
            Consequence(
                _("someone looks at your screen or controls your device"),
                *self.from_the_screen,
            ),
            Consequence(
                _("someone has tampered with this page before you answer"),
                *self.from_the_page,
            ),
        ]
        if self.scrambled:
            linked = Consequence(
                _("you answer many linked questions"), *self.from_linked_questions
            )
            found.append(linked)
        return found

    @property
    def from_the_data(self) -> tuple[str, str]:
        verdict, reason = (_(text) for text in FROM_THE_DATA[self.worst.exposure])
        if (ratio := self.worst.mechanism.worst_ratio) is not None:
            reason %= number_format(times_rounded_up(ratio), force_grouping=True)
        return verdict, " ".join([reason, *self.exception])

    @property
    def from_the_server(self) -> tuple[str, str]:
        if not self.scrambled:
            return _("Yes."), _("Your real answers are stored there.")
        if self.design.mode == Survey.Mode.SERVER:
            verdict = _("Not for sure, once they are stored.")
            reason = _("But yes, if they control the server while you answer.")
        elif self.worst.exposure is Exposure.SOMETIMES_SHOWN:
            verdict, reason = _("Sometimes."), _("They would find the same data.")
        else:
            verdict = _("Not for sure.")
            reason = _("Your real answer was never there.")
        return verdict, " ".join([reason, *self.exception])

    @property
    def from_the_screen(self) -> tuple[str, str]:
        if self.design.mode == Survey.Mode.HAND:
            return _("Not from here."), _("Keep your coin, die or cards out of sight.")
        return _("Yes."), _("Answer where you are alone.")

    @property
    def from_the_page(self) -> tuple[str, str]:
        if self.design.mode == Survey.Mode.HAND:
            reason = _("You scramble your answers away from this page.")
            return _("Not for sure."), reason
        if self.design.mode == Survey.Mode.SERVER:
            reason = _("The page cannot show you what the server really does.")
            return _("Yes."), reason
        reason = _("Anyone can check the script, under “The mathematics”.")
        return _("Yes, they could."), reason

    @property
    def from_linked_questions(self) -> tuple[str, str]:
        reason = ngettext(
            "This survey asks %s scrambled question.",
            "This survey asks %s scrambled questions.",
            len(self.scrambled),
        )
        return _("A little more each time."), reason % len(self.scrambled)

    @property
    def total_epsilon(self) -> str:
        """Epsilon of all reports of one respondent together, rounded up."""
        mechanisms = [question.mechanism for question in self.design.questions]
        return number_format(epsilon_rounded_up(total_ratio(mechanisms)))
