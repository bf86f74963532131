"""What chance rests on where people scramble by hand."""

from collections.abc import Iterable
from enum import Enum

from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from surveys.design import DesignQuestion
from surveys.mechanisms import families


class Device(Enum):
    """What is in the respondent's hand; the value names its picture."""

    COIN = "coin"
    DIE = "die"
    CARDS = "cards"
    QUESTION = "question"
    ANY = "any"


# Epsilon is that of the table only as far as this holds: "ε = 1.10, with a fair coin".
FAIR = {
    Device.COIN: gettext_noop("a fair coin"),
    Device.DIE: gettext_noop("a fair die"),
    Device.CARDS: gettext_noop("well shuffled cards"),
    Device.QUESTION: gettext_noop("a harmless question whose answer nobody else knows"),
    Device.ANY: gettext_noop("a fair coin, die or pack of cards"),
}

# A family says in its first step what to take; surveys/mechanisms/by_hand.py.
FIRST_WORDS = {"Toss": Device.COIN, "Roll": Device.DIE, "Shuffle": Device.CARDS}


def devices_of(question: DesignQuestion) -> list[Device]:
    """Return what this question is carried out with, by hand."""
    family = families()[question.mechanism.family]
    instruction = family.by_hand(**family.parse(question.mechanism.parameters))
    if instruction is None:
        return []
    word = instruction.steps[0].partition(" ")[0]
    found = [FIRST_WORDS[word]] if word in FIRST_WORDS else []
    if family.needs_innocuous_question:
        found.append(Device.QUESTION)
    return found or [Device.ANY]


def what_must_be_fair(questions: Iterable[DesignQuestion]) -> str:
    """Return "a fair coin and a fair die": on what the stated epsilon depends."""
    used = [device for question in questions for device in devices_of(question)]
    return get_text_list([_(FAIR[device]) for device in dict.fromkeys(used)], _("and"))
