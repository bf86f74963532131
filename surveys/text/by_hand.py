"""Describe the steps by hand, and what a report then reveals."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from candor.mechanisms import load_families
from candor.mechanisms.by_hand import Device, Instruction, Outcome
from surveys.design import DesignQuestion
from surveys.lists import join_texts

MAY_BE_ONLY = {
    Device.COIN: gettext_noop("“%s” may be only the coin."),
    Device.DIE: gettext_noop("“%s” may be only the die."),
    Device.CARDS: gettext_noop("“%s” may be only the card."),
    Device.QUESTION: gettext_noop("“%s” may be about the other question."),
}

ENTERED = {
    Device.COIN: gettext_noop("Entered as the coin decided"),
    Device.DIE: gettext_noop("Entered as the die decided"),
    Device.CARDS: gettext_noop("Entered as the cards decided"),
}

# Assumptions of the stated epsilon, as in "ε = 1.10, with a fair coin".
FAIR = {
    Device.COIN: gettext_noop("a fair coin"),
    Device.DIE: gettext_noop("a fair die"),
    Device.CARDS: gettext_noop("well shuffled cards"),
    Device.QUESTION: gettext_noop("a harmless question whose answer no one else knows"),
    Device.ANY: gettext_noop("a fair coin, die or pack of cards"),
}


@dataclass(frozen=True)
class Steps:
    """An instruction in the active language, with the labels of its question."""

    device: Device
    start: str
    note: str
    outcomes: tuple[Outcome, ...]

    @property
    def sentences(self) -> list[str]:
        return [
            f"{self.start} {self.note}",
            *(
                _("%(when)s: %(then)s") % {"when": each.when, "then": each.then}
                for each in self.outcomes
            ),
        ]

    @property
    def entered(self) -> str:
        return _(ENTERED.get(self.device, gettext_noop("Entered as the steps say")))


def find_instruction(question: DesignQuestion) -> Instruction | None:
    family = load_families()[question.mechanism.family]
    return family.instruction(question.mechanism.parameters)


def describe_steps(question: DesignQuestion) -> Steps | None:
    """Return the steps at a question; None if it is answered directly."""
    if (instruction := find_instruction(question)) is None:
        return None
    values = {
        **instruction.values,
        "yes": question.choices[0],
        "no": question.choices[1],
        "innocuous_question": question.innocuous_question,
    }

    def fill(text: str) -> str:
        # Some texts are numbers, and gettext returns its header for an empty one.
        return _(text) % values if text else ""

    return Steps(
        instruction.device,
        fill(instruction.start),
        fill(instruction.note),
        tuple(
            Outcome(fill(each.when), fill(each.then), each.face)
            for each in instruction.outcomes
        ),
    )


def list_instruction_steps(question: DesignQuestion) -> list[str]:
    steps = describe_steps(question)
    return steps.sentences if steps else []


def find_devices(question: DesignQuestion) -> list[Device]:
    if (instruction := find_instruction(question)) is None:
        return []
    family = load_families()[question.mechanism.family]
    asked = [Device.QUESTION] if family.needs_innocuous_question else []
    return list(dict.fromkeys([instruction.device, *asked]))


def list_fair_devices(questions: Iterable[DesignQuestion]) -> str:
    """Return the assumptions of the stated epsilon: "a fair coin and a fair die"."""
    used = [device for question in questions for device in find_devices(question)]
    return join_texts([_(FAIR[device]) for device in dict.fromkeys(used)], _("and"))


def excuse_report(question: DesignQuestion, label: str) -> str:
    """Return a sentence that a report may come from the device; empty without one."""
    devices = find_devices(question)
    if not devices or question.mechanism.reports != question.mechanism.answers:
        return ""
    return _(MAY_BE_ONLY[devices[-1]]) % label if devices[-1] in MAY_BE_ONLY else ""
