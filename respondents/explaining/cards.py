"""Mode hand on paper: one card for each instruction, to print and to cut out."""

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
"""Four cards on a sheet to cut, or, on the last one, one on a sheet of its own."""


@dataclass(frozen=True)
class Card:
    """What one respondent holds in the hand while answering these questions."""

    words: TableDescription
    text: str
    steps: Steps
    devices: list[Device]
    fair: str


@lru_cache(maxsize=CACHED_DESIGNS)
def render_cached_sheet(
    survey_id: int, digest: str, is_simulated: bool, paper: str, address: str
) -> Page | None:
    """Return the cards of a survey in mode hand; without steps it needs none."""
    design = load_design(survey_id, digest)
    if not has_cards(design):
        return None
    page = render_sheet(design, paper, address=address, is_simulated=is_simulated)
    return Page(page.encode())


def render_sheet(
    design: Design, paper: str, *, address: str, is_simulated: bool = False
) -> str:
    """Return the page of all cards; their outcomes are entered at `address`."""
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
    """Whether people do anything by hand, which a card explains."""
    return design.mode == Survey.Mode.HAND and any(
        map(describe_steps, design.questions)
    )


def has_one_address(design: Design) -> bool:
    """Whether a card can say where to enter what it says to do."""
    return has_cards(design) and not design.is_by_invitation


def make_cards(design: Design) -> list[Card]:
    """Return one card for all questions that are carried out in the same way.

    What is asked directly is answered without one.
    """
    groups: dict[tuple[object, ...], tuple[Steps, list[int]]] = {}
    for number, question in enumerate(design.questions, start=1):
        if steps := describe_steps(question):
            key = make_key(number, question, steps)
            groups.setdefault(key, (steps, []))[1].append(number)
    return [make_card(design, *group) for group in groups.values()]


def make_key(number: int, question: DesignQuestion, steps: Steps) -> tuple[object, ...]:
    # Steps with a harmless question speak of "the survey's question": one only.
    alone = number if Device.QUESTION in find_devices(question) else 0
    table = question.mechanism
    return alone, steps, table.weights, question.choices


def make_card(design: Design, steps: Steps, numbers: list[int]) -> Card:
    questions = [design.questions[number - 1] for number in numbers]
    first = questions[0]
    return Card(
        words=TableDescription(tuple(numbers), first.mechanism, first.choices),
        # Who finds a card for several questions need not read what was asked.
        text=first.full_text if len(questions) == 1 else "",
        steps=steps,
        devices=find_devices(first),
        fair=list_fair_devices(questions),
    )
