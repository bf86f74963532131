"""What researchers type into a question, and what they read about it."""

import re

import pytest

from candor.mechanisms import build, load_families
from surveys.kinds import list_offered
from surveys.models import Question, Survey
from tests.factories import make_survey
from tests.surveys.authoring.posted import ADD, page_of, posted, text_of

ALLOWED = "must be a number above 0 and below 1, such as 1/6"


def errors_of(response, number=0):
    (inline,) = response.context["inline_admin_formsets"]
    return inline.formset.forms[number].errors


def offered_of(family):
    offered = {each.name: each.example for each in family.parameters}
    if family.identifier in {"k_ary", "direct_choice"}:
        return offered | family.counted(2)  # Yes and No, unless they may skip it
    # The form begins with 0 to 10.
    return offered | family.counted(11) if family.is_scale else offered


@pytest.mark.parametrize("mode", ["browser", "hand"])
def test_every_offered_family_can_be_saved_with_its_defaults(client, researcher, mode):
    families = [
        each for each in list_offered() if each.is_one_sided == (mode == "hand")
    ]
    asked = {"innocuous_question": "Is it spring?"}
    questions = [asked | {"family": each.identifier} for each in families]
    client.post(ADD, posted(*questions, mode=mode))
    for family, question in zip(families, Question.objects.all(), strict=True):
        expected = build(family.identifier, **offered_of(family))
        assert question.family == family.identifier
        assert question.parameters == expected.parameters
        assert question.mechanism == expected


def test_a_one_sided_family_is_refused_unless_scrambled_by_hand(client, researcher):
    names = [name for name, family in load_families().items() if family.is_one_sided]
    questions = [
        {"family": name, "innocuous_question": "Is it spring?"} for name in names
    ]
    answer = client.post(ADD, posted(*questions, mode="server"))
    for number in range(len(names)):
        errors = str(errors_of(answer, number))
        assert "it is for surveys by hand only" in errors
    assert not Question.objects.exists()


def test_only_parameters_of_the_chosen_family_are_read(client, researcher):
    client.post(ADD, posted({"family": "coin", "warner__p": "nonsense"}))
    assert Question.objects.get().parameters == {}


def test_an_invalid_parameter_is_reported_with_range_and_value(client, researcher):
    cases = {"7/6": "'7/6'", "often": "'often'", "": "nothing"}
    questions = [
        {"family": "forced_response", "forced_response__forced_no": typed}
        for typed in cases
    ]
    response = client.post(ADD, posted(*questions))
    for number, shown in enumerate(cases.values()):
        message = f"Chance of a forced No {ALLOWED}; got {shown}"
        assert errors_of(response, number) == {"forced_response__forced_no": [message]}
    assert not Survey.objects.exists()


def test_incompatible_parameters_are_reported_at_the_first(client, researcher):
    cases = {
        "Chance of a forced Yes + Chance of a forced No must be less than 1": {
            "family": "forced_response",
            "forced_response__forced_yes": "1/2",
            "forced_response__forced_no": "2/3",
        },
        "Chance that Yes is reported when Yes is true and Chance that Yes is reported "
        "when No is true must be chosen so that answers can be distinguished": {
            "family": "custom",
            "custom__p_yes_given_yes": "1/2",
            "custom__p_yes_given_no": "1/2",
        },
        "Chance that the truth is reported must be chosen for an epsilon above 0 and "
        "at most 10": {"family": "warner", "warner__p": "0.99999"},
    }
    response = client.post(ADD, posted(*cases.values()))
    for number, (message, question) in enumerate(cases.items()):
        [(field, found)] = errors_of(response, number).items()
        assert field == list(question)[1]
        assert message in found[0]


def test_a_family_that_is_gone_is_not_replaced_silently(client, researcher):
    survey = make_survey(opened=False)
    survey.questions.update(family="retired")
    page = text_of(client.get(page_of(survey)))
    (choice,) = re.findall(r'<select name="questions-0-family".*?</select>', page)
    # With nothing selected, browsers take the first.
    assert '> <option value="">Choose a mechanism</option>' in choice
    assert " selected" not in choice
    page = text_of(client.get(page_of(survey, "open")))
    assert "The mechanism retired no longer exists." in page


def test_blank_questions_are_ignored_unless_something_was_chosen(client, researcher):
    answer = client.post(ADD, posted({"text": "One?"}, {"text": "", "family": "die"}))
    assert errors_of(answer, 1) == {"text": ["This field is required."]}
    client.post(ADD, posted({"text": "One?"}, {"text": ""}, {"text": "Two?"}))
    texts = Question.objects.values_list("text", "position")
    assert list(texts) == [("One?", 1), ("Two?", 2)]


def test_answer_labels_default_to_yes_and_no(client, researcher):
    typed = [("", ""), ("Agree", "Disagree")]
    questions = [{"yes_label": yes, "no_label": no} for yes, no in typed]
    client.post(ADD, posted(*questions))
    saved = [
        [choice.label for choice in question.choices.all()]
        for question in Question.objects.all()
    ]
    assert saved == [["Yes", "No"], ["Agree", "Disagree"]]


@pytest.mark.parametrize(
    ("places", "order"),
    [
        (("1", "2", "3"), "abc"),
        (("3", "2", "1"), "cba"),
        (("1", "2", "1"), "cab"),
        (("3", "2", "3"), "bca"),
        (("2", "1", "3"), "bac"),
        (("", "2", "3"), "bca"),
        (("9", "7", "8"), "bca"),
    ],
)
def test_a_moved_question_takes_its_new_position(client, researcher, places, order):
    survey = make_survey([], opened=False)
    stored = [survey.add_question(text) for text in "abc"]
    questions = [
        {"text": text, "position": place}
        for text, place in zip("abc", places, strict=True)
    ]
    client.post(page_of(survey), posted(*questions, stored=stored))
    numbered = survey.questions.values_list("text", "position")
    assert list(numbered) == list(zip(order, (1, 2, 3), strict=True))


def test_background_questions_are_allowed_in_mode_hand(client, researcher):
    client.post(ADD, posted({"family": "direct"}, {"family": "coin"}, mode="hand"))
    survey = Survey.objects.get()
    assert survey.problems() == []
    survey.open()
    assert survey.is_open


def test_mode_hand_refuses_mechanisms_without_steps(client, researcher):
    names = ["custom", "epsilon", "k_ary", "warner"]
    # No die or pack has this chance.
    questions = [{"family": name, "warner__p": "777/1000"} for name in names]
    response = client.post(ADD, posted(*questions, mode="hand"))
    for number, name in enumerate(names):
        label = load_families()[name].label
        message = f"“{label}” with these parameters does not work by hand."
        assert errors_of(response, number) == {"family": [message]}
    assert not Survey.objects.exists()


def test_mode_hand_requires_the_harmless_question(client, researcher):
    questions = [{"family": name} for name in ("crosswise", "unrelated_question")]
    response = client.post(ADD, posted(*questions, mode="hand"))
    for number in range(2):
        assert errors_of(response, number) == {
            "innocuous_question": ["Enter a harmless question."]
        }
    harmless = {"innocuous_question": "Is your mother's birthday in January?"}
    client.post(ADD, posted(*(each | harmless for each in questions), mode="hand"))
    assert Survey.objects.get().problems() == []
