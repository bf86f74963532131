"""What researchers type into a question with several answers."""

import pytest
from django.core.exceptions import ValidationError

from surveys.authoring.forms.question import QuestionForm
from surveys.models import Question, Survey
from tests.factories import make_survey
from tests.surveys.authoring.posted import (
    ADD,
    page_of,
    posted,
    question_fields,
    text_of,
)


def errors_of(response, number=0):
    (inline,) = response.context["inline_admin_formsets"]
    return inline.formset.forms[number].errors


def test_several_answers_are_entered_one_per_line(client, researcher):
    lines = "  Never \r\n\r\nOnce\r\nSometimes\nOften"
    client.post(ADD, posted({"family": "k_ary", "k_ary__choices": lines}))
    question = Question.objects.get()
    labels = [choice.label for choice in question.choices.all()]
    assert labels == ["Never", "Once", "Sometimes", "Often"]
    assert question.parameters == {"epsilon": "1", "choices": "4"}
    assert len(question.mechanism.weights) == 4
    page = text_of(client.get(page_of(question.survey)))
    assert "Never Once Sometimes Often</textarea>" in page


def test_invalid_answer_lists_are_rejected(client, researcher):
    allowed = "Number of answers must be a whole number from 2 to 20, such as 3"
    cases = {
        "Never": f"{allowed}; got 1",
        "\r\n".join(map(str, range(21))): f"{allowed}; got 21",
        "Often\r\nOften ": "The answers need different wordings.",
        "Yes\r\n" + 101 * "N": "An answer has at most 100 characters.",
    }
    questions = [{"family": "k_ary", "k_ary__choices": lines} for lines in cases]
    response = client.post(ADD, posted(*questions))
    for number, message in enumerate(cases.values()):
        assert errors_of(response, number) == {"k_ary__choices": [message]}
    assert not Survey.objects.exists()


def test_answers_can_be_removed_down_to_yes_and_no(client, researcher):
    survey = make_survey([], opened=False)
    question = survey.add_question(
        "Which?", family="k_ary", parameters={"epsilon": 1}, choices=list("abcd")
    )
    for change, labels in [
        ({"family": "k_ary", "k_ary__choices": "a\r\nb\r\nc"}, ["a", "b", "c"]),
        ({"family": "coin"}, ["Yes", "No"]),
    ]:
        client.post(page_of(survey), posted(change, stored=[question]))
        question = Question.objects.get()
        assert [choice.label for choice in question.choices.all()] == labels
        assert question.problems() == []


def test_an_untouched_question_is_not_changed(client, researcher):
    """Browsers end lines with CRLF: that alone is no change."""
    stored = ["Never", "Once", "Often", "Prefer not to answer"]
    survey = make_survey([], opened=False)
    parameters = {"epsilon": 1, "choices": 4}
    question = survey.add_question(
        "How often?", family="k_ary", parameters=parameters, choices=stored
    )
    shown = {
        "text": question.text,
        "family": "k_ary",
        "position": "1",
        "yes_label": stored[0],
        "no_label": stored[1],
        "k_ary__choices": "\r\n".join(stored[:-1]),
        "skip": "on",
    }
    blank = {"text": ""}
    page = client.post(page_of(survey), posted(shown, blank, stored=[question]))
    assert page.status_code == 302
    assert Question.objects.count() == 1
    form = QuestionForm(
        {f"q-{k}": v for k, v in question_fields(**shown).items()},
        instance=question,
        prefix="q",
    )
    assert not form.has_changed()


@pytest.mark.parametrize(
    ("asked", "labels"),
    [
        ({"family": "coin"}, ["Ja", "Nein"]),
        ({"family": "k_ary", "skip": "on"}, ["Ja", "Nein", "Keine Angabe"]),
    ],
)
def test_a_default_label_is_in_the_language_of_the_survey(
    client, researcher, asked, labels
):
    client.post(ADD, posted(asked, language="de"))
    question = Question.objects.get()
    assert [choice.label for choice in question.choices.all()] == labels
    page = client.get(page_of(question.survey)).content.decode()
    assert 'placeholder="Nein"' in page
    assert 'placeholder="Ja\nNein"' in page


def test_default_labels_follow_the_language_of_a_saved_draft(client, researcher):
    often = {"family": "k_ary", "k_ary__choices": "Nie\nOft"}
    asked = [{}, {"skip": "on"}, {**often, "skip": "on"}, {"no_label": "Never"}]
    client.post(ADD, posted(*asked))
    survey = Survey.objects.get()
    for language, yes, no, declined in (
        ("de", "Ja", "Nein", "Keine Angabe"),
        ("fr", "Oui", "Non", "Je préfère ne pas répondre"),
    ):
        page = client.get(page_of(survey))
        (inline,) = page.context["inline_admin_formsets"]
        stored = list(survey.questions.all())
        names = ["family", "position", "yes_label", "no_label", "k_ary__choices"]
        shown = [
            {name: form[name].value() for name in names}
            | ({"skip": "on"} if form["skip"].value() else {})
            for form in inline.formset.initial_forms
        ]
        client.post(page_of(survey), posted(*shown, stored=stored, language=language))
        labels = [
            [choice.label for choice in question.choices.all()]
            for question in survey.questions.all()
        ]
        assert labels == [
            [yes, no], [yes, no, declined], ["Nie", "Oft", declined], [yes, "Never"]
        ]  # fmt: skip


def test_a_typed_label_must_differ_from_the_default_label(client, researcher):
    refused = client.post(ADD, posted({"yes_label": "Nein"}, language="de"))
    assert errors_of(refused) == {"no_label": ["The answers need different wordings."]}


def test_a_survey_in_a_removed_language_cannot_be_opened(db):
    survey = make_survey(language="tlh", opened=False)
    with pytest.raises(ValidationError, match="no translation into “tlh”"):
        survey.open()
