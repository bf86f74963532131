"""Devices with which respondents scramble by hand."""

from collections.abc import Iterable

from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from candor.mechanisms import load_families
from candor.mechanisms.by_hand import Device
from surveys.design import DesignQuestion

# Epsilon is that of the table only as far as this holds: "ε = 1.10, with a fair coin".
FAIR = {
    Device.COIN: gettext_noop("a fair coin"),
    Device.DIE: gettext_noop("a fair die"),
    Device.CARDS: gettext_noop("well shuffled cards"),
    Device.QUESTION: gettext_noop("a harmless question whose answer nobody else knows"),
    Device.ANY: gettext_noop("a fair coin, die or pack of cards"),
}


def find_devices(question: DesignQuestion) -> list[Device]:
    """Return the devices that the question needs by hand."""
    family = load_families()[question.mechanism.family]
    instruction = family.instruction(question.mechanism.parameters)
    if instruction is None:
        return []
    asked = [Device.QUESTION] if family.needs_innocuous_question else []
    return list(dict.fromkeys([instruction.device, *asked]))


def list_fair_devices(questions: Iterable[DesignQuestion]) -> str:
    """Return "a fair coin and a fair die": on what the stated epsilon depends."""
    used = [device for question in questions for device in find_devices(question)]
    return get_text_list([_(FAIR[device]) for device in dict.fromkeys(used)], _("and"))
