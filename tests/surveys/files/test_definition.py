"""A survey as a file: written, read and written again."""

import json
from datetime import date, timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from candor.files.table import FileError
from candor.mechanisms import build, load_families
from surveys.files.definition import (
    MAX_BYTES,
    SURVEY_FIELDS,
    store_definition,
    write_definition,
)
from surveys.files.read import read_asked, read_definition
from surveys.models import Survey
from tests.factories import make_survey, make_user

pytestmark = pytest.mark.django_db


def example_of(family):
    return {each.name: each.example for each in family.parameters}


def again(text, owner):
    """What is written after reading, where no survey had the address."""
    Survey.objects.all().delete()
    return write_definition(store_definition(read_definition(text), owner))


def test_surveys_of_every_family_round_trip_through_a_file():
    survey = make_survey(
        [(name, example_of(family)) for name, family in load_families().items()],
        opened=False,
        language="de",
        mode="server",
    )
    text = write_definition(survey)
    questions = json.loads(text)["questions"]
    assert [each["family"] for each in questions] == list(load_families())
    assert again(text, survey.owner) == text


def test_the_definition_of_an_opened_survey_becomes_a_draft():
    text = write_definition(make_survey(["coin", "direct"], slug="opened"))
    copy = store_definition(read_definition(text), make_user("colleague"))
    assert (copy.state, copy.design_digest, copy.opened_on) == ("draft", "", None)
    assert copy.owner.username == "colleague"
    assert copy.slug == "opened-2"
    assert [question.table for question in copy.questions.all()] == [None, None]


def test_every_editable_field_is_in_the_file():
    typed = {
        field.name
        for field in Survey._meta.concrete_fields
        if field.editable and field.name not in {"id", "owner"}
    }
    assert typed == set(SURVEY_FIELDS)


@pytest.fixture
def owner():
    return make_user()


# Databases hold no NUL and no half of a surrogate pair; a blank text says nothing.
TEXTS = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=100
)
WORDS = TEXTS.filter(lambda text: text.strip())


@settings(
    max_examples=20,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    title=WORDS,
    # A draft may still lack it.
    organiser=st.just("") | WORDS,
    purpose=TEXTS,
    questions=st.lists(
        st.tuples(WORDS, st.lists(WORDS, min_size=2, max_size=5, unique=True)),
        max_size=3,
    ),
)
def test_arbitrary_texts_round_trip_through_a_file(
    owner, title, organiser, purpose, questions
):
    Survey.objects.all().delete()
    survey = Survey.objects.create(
        title=title, slug="any", organiser=organiser, purpose=purpose, owner=owner
    )
    for text, choices in questions:
        survey.add_question(
            text, family="k_ary", parameters={"epsilon": "1"}, choices=choices
        )
    text = write_definition(survey)
    assert again(text, owner) == text


def test_omitted_keys_have_default_values():
    described = {
        "title": "Study habits",
        "organiser": "We",
        "language": "de",
        "questions": [
            {"text": "A?", "family": "coin"},
            {"text": "B?", "family": "warner", "parameters": {"p": 0.7}},
        ],
    }
    survey = store_definition(read_definition(json.dumps(described)), make_user())
    written = (survey.slug, survey.batch_size, survey.mode)
    assert written == ("study-habits", 20, "browser")
    first, second = survey.questions.all()
    assert [choice.label for choice in first.choices.all()] == ["Ja", "Nein"]
    # A parameter may be a number and is exact.
    assert second.parameters == dict(build("warner", p="7/10").parameters)


def test_a_field_study_file_is_a_valid_survey_definition():
    described = survey_with(
        family="coin", column="q1", codes={"1": "yes", "0": "no"}, missing=["-9"]
    )
    assert store_definition(read_definition(described), make_user()).is_draft


def test_a_study_is_read_from_files_with_or_without_columns():
    described = json.loads(survey_with(family="coin"))
    described |= {"mode": "browser", "target": 40, "closes_on": "2001-01-01"}
    definition = read_asked(json.dumps(described))
    assert definition.fields["mode"] == "hand"
    assert not {"target", "closes_on"} & definition.fields.keys()
    (question,) = definition.questions
    assert (question.column, question.codes) == ("", {})
    (question,) = read_asked(survey_with(column="q1", codes={"1": "yes"})).questions
    assert (question.column, question.codes) == ("q1", {"1": "yes"})


@pytest.mark.parametrize(
    ("described", "message"),
    [
        ('{"title": "A", "organiser": "We", "mode": "fax"}', "mode must be one of"),
        ('{"title": "A", "organiser": "We"}', "a list of one or more"),
        ("SURVEY_WITH column 7", "column must be a text"),
        ("SURVEY_WITH codes {}", "codes must map cells to yes or no"),
        ("SURVEY_WITH missing 7", "missing must be a list of texts"),
    ],
)
def test_invalid_study_files_are_rejected(described, message):
    if described.startswith("SURVEY_WITH"):
        _word, key, value = described.split()
        described = survey_with(**{key: json.loads(value)})
    with pytest.raises(FileError) as refused:
        read_asked(described)
    assert message in "\n".join(refused.value.problems)


def survey_with(**question):
    fields = {"text": "Sensitive?", **question}
    return json.dumps({"title": "A", "organiser": "We", "questions": [fields]})


def survey(**fields):
    return json.dumps({"title": "A", "organiser": "We", **fields})


WRONG = [
    ("", "This is not JSON"),
    ("[" * 100_000, "This is not JSON"),
    (f'{{"target": 1{"0" * 5000}}}', "This is not JSON"),
    ('{"target": NaN}', "NaN is no number there"),
    ('{"title": "A", "title": "B"}', "the key 'title' twice"),
    ("[]", "the file must be one object; got []"),
    (survey(format=2), "format must be 1; got 2"),
    (survey(colour="red"), "the file: known keys are format, title, "),
    (survey(**{"\ud800": 1}), "got '\\ud800'"),
    (survey(title=" "), "title must be text of 1 to 200 characters; got nothing"),
    (survey(purpose="\0"), "purpose must be Unicode text without NUL; got '\\x00'"),
    (survey(slug="a b"), "slug must be at most 50 of the letters a-z, digits, - and _"),
    (survey(mode="fax"), "mode must be one of browser, server, hand; got 'fax'"),
    (survey(batch_size=9), "batch_size must be a whole number from 10 to 10000; got 9"),
    (survey(target=0), "target must be a whole number from 1 to 10000000, or null"),
    (survey(closes_on="soon"), "closes_on must be a date such as 2026-12-31, or null"),
    (survey(closes_at_target=1), "closes_at_target must be true or false; got 1"),
    (
        survey(closes_at_target=True),
        "closes_at_target must be false where target is null; got True",
    ),
    (survey(wanted_margin=60), "wanted_margin must be a number from 0.1 to 50 with at"),
    (survey(questions={}), "questions must be a list of at most 200; got {}"),
    (survey(questions=[7]), "questions[0] must be an object; got 7"),
    (survey_with(family="dice"), "questions[0].family must be one of "),
    (survey_with(text="x" * 501), "questions[0].text must be text of 1 to 500"),
    (survey_with(family="coin", note="x"), "questions[0]: known keys are text, family"),
    (
        survey_with(family="coin", choices=["Yes"]),
        "questions[0].choices must be a list of 2; got ['Yes']",
    ),
    (
        survey_with(family="coin", choices=["Yes", ""]),
        "questions[0].choices[1] must be text of 1 to 100 characters",
    ),
    (
        survey_with(family="coin", choices=["Yes", "Yes"]),
        "questions[0].choices: The answers need different wordings.",
    ),
    (survey(language="xx"), "language must be one of en, "),
    (
        survey_with(family="warner", parameters={"p": "1/2"}),
        "questions[0].parameters must be chosen so that answers can be distinguished",
    ),
    (
        survey_with(family="warner", parameters={"p": "7"}),
        "questions[0].parameters.p must be a number in (0, 1), such as 3/4; got '7'",
    ),
    (
        survey_with(family="coin", parameters={"p": "1/3"}),
        "questions[0].parameters: known keys are none; got 'p'",
    ),
    (
        survey_with(family="coin", parameters=[]),
        "questions[0].parameters must be an object; got []",
    ),
]


def test_problems_are_reported_with_their_location():
    for text, message in WRONG:
        with pytest.raises(FileError) as refused:
            read_definition(text)
        assert message in "\n".join(refused.value.problems), text[:80]


def test_the_largest_survey_fits_the_file_size_limit():
    # Two hundred questions of twenty answers, every letter taking two bytes.
    described = survey(
        questions=[
            {
                "text": "é" * 500,
                "family": "k_ary",
                "parameters": {"epsilon": "1"},
                "choices": [f"{number:02}" + "é" * 40 for number in range(20)],
            }
            for _ in range(200)
        ]
    )
    read_definition(described)
    pretty = json.dumps(json.loads(described), indent=2, ensure_ascii=False)
    assert len(pretty.encode()) < MAX_BYTES


def test_a_past_last_day_is_kept_and_blocks_opening():
    past = date.today() - timedelta(days=400)  # noqa: DTZ011
    text = survey(closes_on=past.isoformat())
    draft = store_definition(read_definition(text), make_user())
    assert draft.closes_on == past
    assert "Choose a later last day." in draft.problems()


def test_all_problems_are_reported_together():
    described = survey(mode="fax", target=0, questions=[{}, {"text": 7, "family": "x"}])
    with pytest.raises(FileError) as refused:
        read_definition(described)
    places = [problem.partition(" must")[0] for problem in refused.value.problems]
    assert places == [
        "mode", "target",
        "questions[0].text", "questions[1].text", "questions[1].family",
    ]  # fmt: skip
