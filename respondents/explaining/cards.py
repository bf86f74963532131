"""Cards for mode hand on paper: one per instruction, to print and cut out."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django.utils import translation
from django.utils.translation import gettext_lazy

from candor.mechanisms.by_hand import Device
from respondents.collecting.pages import Page, render_survey
from respondents.explaining.address import shorten_address, split_address
from surveys.design import CACHED_DESIGNS, Design, DesignQuestion, load_design
from surveys.models import Survey
from surveys.text.by_hand import (
    Steps,
    describe_steps,
    find_devices,
    list_fair_devices,
)
from surveys.text.tables import TableDescription

PAPERS = {"a4": "A4", "letter": gettext_lazy("US Letter"), "a6": "A6"}
"""Sheets have four cards to cut out, except A6, which has one."""


@dataclass(frozen=True)
class Card:
    """The instructions for one respondent to answer these questions."""

    table: TableDescription
    text: str
    steps: Steps
    devices: list[Device]
    fair: str


@lru_cache(maxsize=CACHED_DESIGNS)
def render_cached_sheet(
    survey_id: int, digest: str, is_simulated: bool, paper: str, address: str
) -> Page | None:
    """Return the cards of a survey, or None if its questions need none."""
    design = load_design(survey_id, digest)
    if not has_cards(design):
        return None
    page = render_sheet(design, paper, address=address, is_simulated=is_simulated)
    return Page(page.encode())


def render_sheet(
    design: Design, paper: str, *, address: str, is_simulated: bool = False
) -> str:
    """Return the page of all cards; respondents enter the outcomes at `address`."""
    with translation.override(design.language):
        cards = make_cards(design)
    about: dict[str, Any] = {
        "cards": cards,
        "paper": paper,
        "paper_name": PAPERS[paper],
        "papers": PAPERS,
        "sheet_style": f"css/explaining/{paper}.css",
        "address": split_address(shorten_address(address)),
    }
    return render_survey("explaining/cards", design, is_simulated=is_simulated, **about)


def has_cards(design: Design) -> bool:
    """Return whether the survey has steps to do by hand, which a card explains."""
    return design.mode == Survey.Mode.HAND and any(
        map(describe_steps, design.questions)
    )


def has_one_address(design: Design) -> bool:
    """Return whether a card can show the address at which to enter outcomes."""
    return has_cards(design) and not design.is_by_invitation


def make_cards(design: Design) -> list[Card]:
    """Return one card for each group of questions with the same steps.

    Questions that are asked directly need no card.
    """
    groups: dict[tuple[object, ...], tuple[Steps, list[int]]] = {}
    for number, question in enumerate(design.questions, start=1):
        if steps := describe_steps(question):
            key = make_key(number, question, steps)
            groups.setdefault(key, (steps, []))[1].append(number)
    return [make_card(design, *group) for group in groups.values()]


def make_key(number: int, question: DesignQuestion, steps: Steps) -> tuple[object, ...]:
    # Steps with a harmless question mention "the survey's question", so such a card is
    # for one question only.
    alone = number if Device.QUESTION in find_devices(question) else 0
    table = question.mechanism
    return alone, steps, table.weights, question.choices


def make_card(design: Design, steps: Steps, numbers: list[int]) -> Card:
    questions = [design.questions[number - 1] for number in numbers]
    first = questions[0]
    return Card(
        table=TableDescription(tuple(numbers), first.mechanism, first.choices),
        # A card for several questions does not show them to people who find it.
        text=first.full_text if len(questions) == 1 else "",
        steps=steps,
        devices=find_devices(first),
        fair=list_fair_devices(questions),
    )
