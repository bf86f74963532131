"""What researchers type into a question with several answers."""

import pytest

from surveys.models import Question, Survey
from tests.factories import make_survey, make_user
from tests.surveys.authoring import ADD, page_of, posted, text_of


@pytest.fixture
def researcher(client, db):
    owner = make_user()
    client.force_login(owner)
    return owner


def errors_of(response):
    (inline,) = response.context["inline_admin_formsets"]
    return inline.formset.forms[0].errors


def test_several_answers_are_worded_line_by_line_and_counted(client, researcher):
    lines = "  Never \r\n\r\nOnce\r\nSometimes\nOften"
    client.post(ADD, posted({"family": "k_ary", "k_ary__choices": lines}))
    question = Question.objects.get()
    labels = [choice.label for choice in question.choices.all()]
    assert labels == ["Never", "Once", "Sometimes", "Often"]
    assert question.parameters == {"epsilon": "1", "choices": "4"}
    assert len(question.mechanism.weights) == 4
    page = text_of(client.get(page_of(question.survey)))
    assert "Never Once Sometimes Often</textarea>" in page


def test_without_a_wording_people_may_prefer_not_to_answer(client, researcher):
    client.post(ADD, posted({"family": "k_ary", "k_ary__choices": " \r\n"}))
    labels = [choice.label for choice in Question.objects.get().choices.all()]
    assert labels == ["Yes", "No", "Prefer not to answer"]


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("Never", "choices must be a whole number from 2 to 20, such as 3; got 1"),
        (
            "\r\n".join(map(str, range(21))),
            "choices must be a whole number from 2 to 20, such as 3; got 21",
        ),
        ("Often\r\nOften ", "The answers need different wordings."),
        ("Yes\r\n" + 101 * "N", "An answer has at most 100 characters."),
    ],
    ids=["one", "too many", "alike", "too long"],
)
def test_answers_that_cannot_be_asked_are_refused(client, researcher, lines, message):
    question = {"family": "k_ary", "k_ary__choices": lines}
    assert errors_of(client.post(ADD, posted(question))) == {
        "k_ary__choices": [message]
    }
    assert not Survey.objects.exists()


def test_the_answers_of_another_family_are_not_read(client, researcher):
    client.post(ADD, posted({"family": "coin", "k_ary__choices": "One"}))
    labels = [choice.label for choice in Question.objects.get().choices.all()]
    assert labels == ["Yes", "No"]


def test_a_question_may_lose_answers_and_become_one_of_yes_and_no(client, researcher):
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


def test_an_untouched_new_question_with_answers_is_no_question(client, researcher):
    """Browsers end lines with CRLF: that alone is no change."""
    untouched = {"text": "", "k_ary__choices": "Yes\r\nNo\r\nPrefer not to answer"}
    client.post(ADD, posted({}, untouched))
    assert Question.objects.count() == 1
