"""German sentences are made from the same tables: here they are read back."""

import pytest
from django.utils import translation

from candor.mechanisms import build, load_families
from surveys.text.by_hand import list_instruction_steps
from surveys.text.protection import Protection
from surveys.text.tables import (
    TableDescription,
    label_reports,
)
from tests.surveys.tables import (
    build_example,
    make_design,
    table_of,
)

LABELS = (
    "Ja",
    "Nein",
    "Keine Angabe",
    "Weiß nicht",
    "Vielleicht",
    "Nie",
    "Oft",
    "Immer",
)

pytestmark = pytest.mark.usefixtures("german")


def describe(mechanism):
    choices = LABELS[: len(mechanism.answers)]
    return TableDescription(numbers=(1,), mechanism=mechanism, choices=choices)


@pytest.fixture
def german():
    with translation.override("de"):
        yield


def test_thousands_and_halves_are_written_the_german_way():
    words = describe(table_of([[999, 1], [1, 999]]))
    assert words.sentences[0].startswith("Von 1.000 „Ja“-Antworten")
    design = make_design(build("custom", p_yes_given_yes="5/7", p_yes_given_no="2/7"))
    assert Protection(design).total_epsilon == "0,92"  # ln 2.5 = 0.9162...


@pytest.mark.parametrize("name", load_families())
def test_steps_by_hand_are_filled_in_and_ask_for_what_the_form_offers(name):
    question = make_design(build_example(name)).questions[0]
    steps = " ".join(list_instruction_steps(question))
    assert "%(" not in steps
    offered = label_reports(question.mechanism, question.choices)
    if offered == question.choices or not steps:
        return
    assert offered in {
        ("Gleich", "Verschieden"),
        ("Rot", "Schwarz"),
        ("Mindestens eins", "Keins von beiden"),
    }
    assert all(label in steps for label in offered)
