"""The switch "Let respondents skip it"."""

import pytest

from candor.mechanisms import build
from surveys.kinds import SCALE, YES_OR_NO
from surveys.models import Question
from tests.factories import make_survey
from tests.surveys.authoring.posted import ADD, page_of, posted

DECLINE = "Prefer not to answer"


def labels_of(question):
    return [choice.label for choice in question.choices.all()]


def forms_of(response):
    (inline,) = response.context["inline_admin_formsets"]
    return inline.formset.forms


def first_form(response):
    return forms_of(response)[0]


SKIPPED = [
    ({"family": "coin"}, "k_ary", "1.0986", ["Yes", "No"]),
    (
        {"family": "epsilon", "epsilon__epsilon": "0.5", "no_label": "Never"},
        "k_ary",
        "0.5",
        ["Yes", "Never"],
    ),
    (
        {"family": "k_ary", "k_ary__choices": f"A\nB\nC\n{DECLINE}"},
        "k_ary",
        "1",
        ["A", "B", "C"],
    ),
    ({"family": "direct"}, "direct_choice", None, ["Yes", "No"]),
    (
        {"family": "direct_choice", "direct_choice__choices": "A\nB"},
        "direct_choice",
        None,
        ["A", "B"],
    ),
]


def test_skipping_adds_an_answer_at_the_same_epsilon(client, researcher):
    client.post(ADD, posted(*(asked | {"skip": "on"} for asked, *_expected in SKIPPED)))
    questions = list(Question.objects.all())
    # They come back as they were, and without the switch the answer is gone.
    forms = forms_of(client.get(page_of(questions[0].survey)))
    assert (forms[0]["family"].value(), forms[0].kind) == ("coin", YES_OR_NO)
    sent = []
    for question, form, case in zip(questions, forms, SKIPPED, strict=False):
        _asked, family, epsilon, answers = case
        labels = [*answers, DECLINE]
        given = {"epsilon": epsilon} if epsilon else {}
        assert question.mechanism == build(family, **given, choices=len(labels))
        assert labels_of(question) == labels
        assert question.problems() == []
        assert form["skip"].value() is True
        assert DECLINE not in str(form[f"{family}__choices"].value())
        shown = {name: form[name].value() or "" for name in form.fields}
        del shown["skip"], shown["DELETE"]
        sent.append(shown)
    client.post(page_of(questions[0].survey), posted(*sent, stored=questions))
    for question, (*_others, answers) in zip(
        Question.objects.all(), SKIPPED, strict=True
    ):
        assert labels_of(question) == answers


@pytest.mark.parametrize(
    ("asked", "survey"),
    [
        ({"family": "crosswise"}, {}),
        ({"family": "coin"}, {"mode": "hand"}),
        # Scales have a switch of their own.
        ({"family": "one_bit"}, {}),
    ],
)
def test_mechanisms_by_hand_cannot_be_made_skippable(client, researcher, asked, survey):
    asked = {**asked, "innocuous_question": "Is it spring?", "skip": "on"}
    client.post(ADD, posted(asked, **survey))
    question = Question.objects.get()
    assert question.family == asked["family"]
    assert DECLINE not in labels_of(question)


def test_a_question_by_hand_keeps_its_declining_answer(client, researcher):
    survey = make_survey([("direct_choice", {"choices": 3})], mode="hand", opened=False)
    (question,) = survey.questions.all()
    form = first_form(client.get(page_of(survey)))
    assert form["skip"].value() is False
    assert form["direct_choice__choices"].value().endswith(DECLINE)
    assert form["family"].value() == "direct_choice"
    assert labels_of(question)[-1] == DECLINE


def test_new_questions_are_skippable_and_existing_ones_unchanged(client, researcher):
    assert first_form(client.get(ADD))["skip"].value() is True
    survey = make_survey(["coin"], opened=False)
    form = first_form(client.get(page_of(survey)))
    assert form["skip"].value() is False


def test_the_skip_switch_alone_adds_no_question(client, researcher):
    blank = {"text": "", "position": ""}
    client.post(ADD, posted({"skip": "on"}, blank))
    assert Question.objects.count() == 1


@pytest.mark.parametrize(("family", "epsilon"), [("one_bit", "0.5"), ("grid", "2")])
def test_a_scale_can_be_skipped_at_the_same_epsilon(
    client, researcher, family, epsilon
):
    asked = {
        "family": family,
        f"{family}__epsilon": epsilon,
        "scale__low": "1",
        "scale__high": "5",
        "scale__first": "never",
        "skip_scale": "on",
    }
    client.post(ADD, posted(asked))
    question = Question.objects.get()
    assert question.mechanism == build(f"{family}_skip", epsilon=epsilon, points=5)
    assert labels_of(question) == ["1: never", "2", "3", "4", "5", DECLINE]
    assert question.scale == {"low": "1", "high": "5"}
    assert question.problems() == []
    question.choices.filter(position=2).update(label="3: sometimes")

    # It comes back as it was, and without the switch the answer is gone.
    form = first_form(client.get(page_of(question.survey)))
    assert form["family"].value() == family
    assert form["scale__first"].value() == "never"
    assert form["skip_scale"].value() is True
    assert form.kind is SCALE
    shown = {name: form[name].value() or "" for name in form.fields}
    del shown["skip"], shown["DELETE"]
    client.post(page_of(question.survey), posted(shown, stored=[question]))
    kept = labels_of(Question.objects.get())
    assert kept == ["1: never", "2", "3: sometimes", "4", "5", DECLINE]
    del shown["skip_scale"]
    client.post(page_of(question.survey), posted(shown, stored=[question]))
    question = Question.objects.get()
    assert question.mechanism == build(family, epsilon=epsilon, points=5)
    assert labels_of(question) == ["1: never", "2", "3", "4", "5"]


def test_the_largest_grid_can_be_skipped(client, researcher):
    asked = {"family": "grid", "scale__low": "1", "scale__high": "20"}
    client.post(ADD, posted({**asked, "skip_scale": "on"}))
    assert len(Question.objects.get().mechanism.answers) == 21


def test_a_new_scale_is_not_skippable_by_default(client, researcher):
    assert first_form(client.get(ADD))["skip_scale"].value() is False
