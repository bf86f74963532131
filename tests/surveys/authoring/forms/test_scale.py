"""A number or scale, as researchers type it."""

import pytest

from candor.files.table import FileError
from surveys.files.read import read_definition
from surveys.models import Question, Survey
from tests.surveys.authoring.posted import ADD, page_of, posted, text_of

LIKERT = {"low": "1", "high": "5"}


def scale(**given):
    typed = {"low": "0", "high": "10", "step": "1", "first": "", "last": "", **given}
    inputs = {f"scale__{name}": value for name, value in typed.items()}
    return {"family": "one_bit", **inputs}


def test_scale_points_are_counted_and_labelled_by_value(client, researcher):
    asked = scale(low="0", high="5.000", step="500", first="nothing", last="more")
    asked |= {"scale__high": "5000", "one_bit__epsilon": "2"}
    client.post(ADD, posted(asked))
    question = Question.objects.get()
    assert question.parameters == {"epsilon": "2", "points": "11"}
    assert question.scale == {"low": "0", "high": "5000"}
    labels = [choice.label for choice in question.choices.all()]
    assert labels[0] == "0: nothing"
    assert labels[1] == "500"
    assert labels[-1] == "5000: more"
    page = text_of(client.get(page_of(question.survey)))
    for name, value in (("low", "0"), ("high", "5000"), ("step", "500")):
        assert f'name="questions-0-scale__{name}" value="{value}"' in page
    assert 'name="questions-0-scale__first" value="nothing"' in page


def test_scale_labels_use_the_decimal_separator_of_the_language(client, researcher):
    asked = scale(low="0", high="1", step="0,5")
    client.post(ADD, posted(asked, language="de"))
    labels = [choice.label for choice in Question.objects.get().choices.all()]
    assert labels == ["0", "0,5", "1"]


def test_a_scale_can_change_its_mechanism_and_its_kind(client, researcher):
    client.post(ADD, posted(scale(low="1", high="5") | {"family": "grid"}))
    question = Question.objects.get()
    assert (question.family, question.scale) == ("grid", LIKERT)
    client.post(page_of(question.survey), posted({"family": "coin"}, stored=[question]))
    question.refresh_from_db()
    assert (question.family, question.scale) == ("coin", None)


def test_invalid_scales_are_rejected_at_their_input(client, researcher):
    unreached = "Enter a step that reaches"
    cases = [
        ({"low": "many"}, "Not a number: many"),
        ({"low": "5", "high": "5"}, unreached),
        ({"step": "3"}, unreached),
        ({"step": "0"}, unreached),
        ({"step": "1e-9"}, "This mechanism takes at most 101"),
        (
            {"high": "1e12", "step": "1e12"},
            "Enter values from \N{MINUS SIGN}1,000,000,000 to",
        ),
    ]
    response = client.post(ADD, posted(*(scale(**typed) for typed, _text in cases)))
    (inline,) = response.context["inline_admin_formsets"]
    for number, (_typed, message) in enumerate(cases):
        assert message in str(inline.formset.forms[number].errors)
    assert not Survey.objects.exists()


@pytest.mark.parametrize(
    ("question", "message"),
    [
        ('"family": "coin", "scale": {"low": 0, "high": 1}', "left out of a question"),
        ('"family": "one_bit", "scale": 5', "must be an object such as"),
        ('"family": "one_bit", "scale": {"low": 3, "high": 1}', "low below high"),
        ('"family": "one_bit", "scale": {"low": 0, "most": 1}', "known keys are low"),
        ('"family": "one_bit", "scale": {"low": true, "high": 1}', "two numbers"),
    ],
)
def test_invalid_scales_in_files_are_rejected(question, message):
    parameters = '"parameters": {"epsilon": "1", "points": 11}'
    if "coin" in question:
        parameters = '"parameters": {}'
    text = (
        '{"title": "T", "organiser": "O", "questions": '
        f'[{{"text": "Q?", {question}, {parameters}}}]}}'
    )
    with pytest.raises(FileError, match=message):
        read_definition(text)
