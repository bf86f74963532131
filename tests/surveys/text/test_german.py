"""German sentences are made from the same tables: here they are read back."""

import pytest
from django.utils import translation

from candor.mechanisms import load_families
from surveys.text.by_hand import list_instruction_steps
from surveys.text.tables import label_reports
from tests.surveys.tables import build_example, make_design

pytestmark = pytest.mark.usefixtures("german")


@pytest.fixture
def german():
    with translation.override("de"):
        yield


@pytest.mark.parametrize("name", load_families())
def test_german_steps_by_hand_name_the_reports_of_the_form(name):
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
