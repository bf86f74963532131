from dataclasses import replace

import pytest

from respondents.collecting.forms import Pick, PlainForm
from surveys.design import load_design
from tests.factories import make_survey


@pytest.fixture
def design(db):
    survey = make_survey(["coin", "die"])
    return load_design(survey.pk, survey.design_digest)


def test_a_pick_is_read_by_look_up_only():
    pick = Pick(1, options=2, name="q1", written="01d")
    assert [pick.clean("0"), pick.clean("1")] == [0, 1]


@pytest.mark.parametrize(
    "raw", ["", None, "2", "-1", "00", " 1", "\u0660", "Yes", ["0"], 0]
)
def test_a_pick_refuses_without_repeating_the_value(raw):
    with pytest.raises(Exception, match=r"^\['Choose one\.'\]$") as caught:
        Pick(1, options=2, name="q1", written="01d").clean(raw)
    assert caught.value.__cause__ is None


@pytest.mark.parametrize("mode", ["server", "hand"])
def test_the_plain_form_counts_answers_or_outcomes(design, mode):
    wide = replace(design.questions[0], choices=("Yes", "No", "Prefer not to answer"))
    form = PlainForm(replace(design, mode=mode, questions=(wide,)), {})
    assert len(form.picks[0].positions) == (3 if mode == "server" else 2)
