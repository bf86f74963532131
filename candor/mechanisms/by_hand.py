"""Instructions for respondents who randomise with a coin, a die or cards."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction

DIE_SIDES = 6

MAX_CARDS = 100
"""Respondents do not shuffle more cards properly."""


def gettext_noop(text: str) -> str:
    """Mark `text` for translation, without a dependency on Django."""
    return text


for_researchers = gettext_noop
"""Marks texts that only researchers read."""


class Device(Enum):
    """The respondent's device; the value names its picture."""

    COIN = "coin"
    DIE = "die"
    CARDS = "cards"
    QUESTION = "question"
    ANY = "any"


@dataclass(frozen=True)
class Instruction:
    """The steps of a respondent, and the device that randomises.

    Each step is a text with %-placeholders. `values` fills them, together with the
    labels of the question: `yes`, `no` (choices) and `innocuous_question`.
    """

    device: Device
    steps: tuple[str, ...]
    values: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True)
class SidedDevice:
    """A device with the numbers 1 to `sides`, all equally likely."""

    kind: Device
    step: str
    sides: int

    def share(self, chance: Fraction) -> int:
        return int(chance * self.sides)


def device_for(*chances: Fraction) -> SidedDevice | None:
    """Return a die or a pack of cards that can have these probabilities.

    None where that needs more than `MAX_CARDS` cards.
    """
    sides = math.lcm(*(chance.denominator for chance in chances))
    if DIE_SIDES % sides == 0:
        step = gettext_noop("Roll a die where nobody else can see it.")
        return SidedDevice(Device.DIE, step, DIE_SIDES)
    if sides <= MAX_CARDS:
        return SidedDevice(
            Device.CARDS,
            gettext_noop(
                "Shuffle %(sides)s cards numbered 1 to %(sides)s and draw one where "
                "nobody else can see it."
            ),
            sides,
        )
    return None


def span(first: int, last: int) -> str:
    """Return "4", or "1" and "4" joined by a dash."""
    return str(first) if first == last else f"{first}\u2013{last}"


def answer_both(*enter: str) -> Instruction:
    """Return the steps of a report on the answers to two questions."""
    return Instruction(
        Device.QUESTION,
        (
            gettext_noop("Think of your true answer to the question above."),
            gettext_noop(
                "Think of your answer to this question too: %(innocuous_question)s"
            ),
            *enter,
        ),
    )


def forced_one_way(
    forced: Fraction, *, heads: str, otherwise: str
) -> Instruction | None:
    """Return the steps where chance forces one report, or else the truth is reported.

    `forced` is the probability, in (0, 1), that it dictates the report; `heads` is the
    step that dictates it with a coin, `otherwise` with `%(forced)s` of a die or cards.
    """
    if forced == Fraction(1, 2):
        toss = gettext_noop("Toss a coin where nobody else can see it.")
        tails = gettext_noop("Tails: enter your true answer.")
        return Instruction(Device.COIN, (toss, heads, tails))
    if (device := device_for(forced)) is None:
        return None
    truth = device.share(1 - forced)
    return Instruction(
        device.kind,
        (device.step, gettext_noop("%(truth)s: enter your true answer."), otherwise),
        {
            "sides": device.sides,
            "truth": span(1, truth),
            "forced": span(truth + 1, device.sides),
        },
    )
