"""Instructions for respondents who randomise with a coin, a die or cards."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction

DIE_SIDES = 6

MAX_CARDS = 100
"""Respondents cannot be expected to shuffle more cards properly."""


def gettext_noop(text: str) -> str:
    """Mark `text` for translation, without a dependency on Django."""
    return text


for_researchers = gettext_noop
"""Marks texts that only researchers read."""


class Device(Enum):
    """The randomising device of a respondent; the value names its picture."""

    COIN = "coin"
    DIE = "die"
    CARDS = "cards"
    QUESTION = "question"
    ANY = "any"


class Face(Enum):
    """The appearance of an outcome; the value names its picture."""

    HEADS = "heads"
    TAILS = "tails"
    DIE = "die"
    CARD = "card"


@dataclass(frozen=True)
class Outcome:
    """An outcome of the device, and what the respondent then does."""

    when: str
    then: str
    face: Face | None = None


KEEP_IT = gettext_noop("Keep it to yourself.")


@dataclass(frozen=True)
class Instruction:
    """Instruction to randomise with a device before entering a report.

    Texts have %-placeholders. Their values are in `values`, and in the labels of the
    question: `yes`, `no` (choices) and `innocuous_question`.
    """

    device: Device
    start: str
    outcomes: tuple[Outcome, ...]
    values: Mapping[str, object] = field(default_factory=dict)
    note: str = KEEP_IT


@dataclass(frozen=True)
class SidedDevice:
    """A device with the numbers 1 to `sides`, all equally likely."""

    kind: Device
    start: str
    sides: int
    face: Face

    def share(self, chance: Fraction) -> int:
        return int(chance * self.sides)

    def outcome(self, when: str, then: str) -> Outcome:
        return Outcome(when, then, self.face)


def find_device(*chances: Fraction) -> SidedDevice | None:
    """Return a die or a pack of cards that can produce these probabilities.

    None if that needs more than `MAX_CARDS` cards.
    """
    sides = math.lcm(*(chance.denominator for chance in chances))
    if DIE_SIDES % sides == 0:
        start = gettext_noop("Roll a die. What does it say?")
        return SidedDevice(Device.DIE, start, DIE_SIDES, Face.DIE)
    if sides <= MAX_CARDS:
        return SidedDevice(
            Device.CARDS,
            gettext_noop(
                "Shuffle cards numbered 1 to %(sides)s and draw one. What does it say?"
            ),
            sides,
            Face.CARD,
        )
    return None


def span(first: int, last: int) -> str:
    """Return a range of numbers, such as "1" and "4" joined by a dash, or "4"."""
    return str(first) if first == last else f"{first}\u2013{last}"


ANSWER_TRULY = gettext_noop("answer truthfully.")

ENTER_YES = gettext_noop("enter %(yes)s, whatever is true.")
ENTER_NO = gettext_noop("enter %(no)s, whatever is true.")
ENTER_OPPOSITE = gettext_noop(
    "enter the opposite (%(no)s if your true answer is %(yes)s, %(yes)s if it is "
    "%(no)s)."
)


def compare_answers(*outcomes: Outcome) -> Instruction:
    """Return the instruction for one report on the answers to two questions."""
    return Instruction(
        Device.QUESTION,
        gettext_noop("Answer two questions in your head."),
        outcomes,
        note=gettext_noop(
            "The survey's question, and this one: %(innocuous_question)s"
        ),
    )


def answer_truly_or(then: str, *, p_truth: Fraction) -> Instruction | None:
    """Return the instruction to answer truthfully or to do what `then` says.

    `p_truth`, in (0, 1), is the probability of the true answer. None if neither a die
    nor a pack of cards can produce it.
    """
    if (device := find_device(p_truth)) is None:
        return None
    truth = device.share(p_truth)
    return Instruction(
        device.kind,
        device.start,
        (
            device.outcome(span(1, truth), ANSWER_TRULY),
            device.outcome(span(truth + 1, device.sides), then),
        ),
        {"sides": device.sides},
    )


def force_one_way(forced: Fraction, then: str) -> Instruction | None:
    """Return the instruction for a forced report or the true answer.

    `forced` is the probability, in (0, 1), of the forced report, the text `then`.
    """
    if forced == Fraction(1, 2):
        return Instruction(
            Device.COIN,
            gettext_noop("Toss a coin. What does it say?"),
            (
                Outcome(gettext_noop("Heads"), then, Face.HEADS),
                Outcome(gettext_noop("Tails"), ANSWER_TRULY, Face.TAILS),
            ),
        )
    return answer_truly_or(then, p_truth=1 - forced)
