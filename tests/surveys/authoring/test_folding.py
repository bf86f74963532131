"""Cards that come without their inputs, so that a survey of many questions is small."""

import re
from html import unescape

from django.db import connection
from django.test.utils import CaptureQueriesContext

from surveys.authoring.forms.question import MAX_INPUT_ANSWERS
from surveys.models import Question
from tests.factories import make_survey
from tests.surveys.authoring.posted import ADD, page_of, posted, text_of

FAMILIES = [
    ("coin", {}),
    ("epsilon", {"epsilon": "0.5"}),
    ("k_ary", {"epsilon": "1", "choices": 4}),
    ("direct", {}),
    ("warner", {"p": "3/4"}),
    ("forced_response", {"forced_yes": "1/6", "forced_no": "1/6"}),
]

MAX_PAGE_BYTES = 168_500
"""Bytes of a survey of 50 questions: 158 kB, the chart that is part of the page, and
longer ids after other tests."""

MAX_QUERIES = 12


def make_draft(count, **fields):
    """A draft of `count` questions of 100 characters."""
    survey = make_survey([], opened=False, **fields)
    for number in range(1, count + 1):
        family, parameters = FAMILIES[number % len(FAMILIES)]
        text = f"In the past 12 months, have you done thing {number}".ljust(99, "x")
        survey.add_question(f"{text}?", family=family, parameters=parameters)
    return survey


def page_text(response):
    return response.content.decode()


def carried(page, number):
    """{name: value} that a folded card holds; None where it has inputs."""
    card = page.split(f'id="questions-{number - 1}"')[1].split('class="inline-related')[
        0
    ]
    if "data-inputs" in card:
        return None
    prefix = f"questions-{number - 1}-"
    inputs = re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)">', card)
    return {name.removeprefix(prefix): unescape(value) for name, value in inputs}


def with_inputs(page, count):
    return [number for number in range(1, count + 1) if carried(page, number) is None]


def sent(page, survey, count, **changed):
    """What a browser posts from the page of a survey, folded cards as they are."""
    fields = posted(stored=list(survey.questions.all()))
    fields |= {"questions-TOTAL_FORMS": count, "questions-INITIAL_FORMS": count}
    for number in range(1, count + 1):
        for name, value in (carried(page, number) or {}).items():
            fields[f"questions-{number - 1}-{name}"] = value
    first = survey.questions.first()
    own = {"id": first.pk, "text": first.text, "family": first.family, "position": 1}
    own |= {f"{first.family}__{k}": v for k, v in first.parameters.items()}
    fields |= {f"questions-0-{name}": value for name, value in own.items()}
    return fields | changed


def test_a_page_of_50_questions_is_small_and_takes_no_more_queries(client, researcher):
    counts = []
    client.get(page_of(make_draft(2)))  # after which Django keeps its content types
    for count in (2, 50):
        survey = make_draft(count, slug=f"of-{count}")
        with CaptureQueriesContext(connection) as queries:
            response = client.get(page_of(survey))
        counts.append(len(queries))
    assert counts[0] == counts[1] <= MAX_QUERIES
    assert len(response.content) < MAX_PAGE_BYTES


def test_short_drafts_show_all_inputs(client, researcher):
    few = page_text(client.get(page_of(make_draft(MAX_INPUT_ANSWERS))))
    assert with_inputs(few, MAX_INPUT_ANSWERS) == [1, 2, 3, 4, 5]
    assert few.count("is-open") == 2  # the first one and the blank one


def test_long_drafts_open_one_question(client, researcher):
    address = page_of(make_draft(8))
    for query, opened in {
        "": 1, "?question=7": 7, "?question=99": 1, "?question=²": 1, "?add=1": 9
    }.items():  # fmt: skip
        page = page_text(client.get(address + query))
        assert with_inputs(page, 8 + (opened == 9)) == [opened], query


def test_a_folded_card_contains_the_fields_of_its_question(client, researcher):
    survey = make_draft(8)
    third = survey.questions.all()[2]
    page = page_text(client.get(page_of(survey)))
    assert carried(page, 3) == {
        "id": str(third.pk),
        "position": "3",
        "text": third.text,
        "family": "direct",
    }
    assert carried(page, 2)["k_ary__epsilon"] == "1"
    assert carried(page, 2)["k_ary__choices"] == "1\n2\n3\n4"
    line = re.search(
        r'<h3 class="question-line">(?:(?!</h3>).)*<span data-number>2<.*?</h3>', page
    )
    assert "One of several" in line[0]
    assert "ε 1.00" in line[0]


def test_only_changed_questions_are_written(client, researcher):
    survey = make_draft(8)
    before = list(survey.questions.values())
    page = page_text(client.get(page_of(survey)))
    assert client.post(page_of(survey), sent(page, survey, 8)).status_code == 302
    assert list(survey.questions.values()) == before
    assert [c.label for c in survey.questions.all()[1].choices.all()] == list("1234")
    changed = {"questions-4-text": "Another?"}
    with CaptureQueriesContext(connection) as queries:
        client.post(page_of(survey), sent(page, survey, 8, **changed))
    written = [each for each in queries if 'UPDATE "surveys_question"' in each["sql"]]
    assert len(written) == 1
    assert survey.questions.all()[4].text == "Another?"


def test_an_error_opens_its_card_and_others_keep_their_values(client, researcher):
    survey = make_draft(8)
    page = page_text(client.get(page_of(survey)))
    changed = {
        "questions-5-family": "warner",
        "questions-5-warner__p": "7",
        "questions-3-text": "Typed?",
        "questions-3-custom__p_yes_given_yes": "0.9",
        "questions-6-DELETE": "on",
        "questions-7-position": "",
    }
    response = client.post(page_of(survey), sent(page, survey, 8, **changed))
    page = page_text(response)
    assert with_inputs(page, 8) == [6]
    assert 'value="7"' in page
    kept = carried(page, 4)
    assert kept["text"] == "Typed?"
    # Of another design, but typed: it is not lost.
    assert kept["custom__p_yes_given_yes"] == "0.9"
    assert "custom__p_yes_given_no" not in kept
    assert carried(page, 7)["DELETE"] == "on"
    assert carried(page, 8)["position"] == ""


def test_inputs_of_other_families_are_not_a_change(client, researcher):
    """Else an untouched question would be refused for want of a text."""
    client.post(ADD, posted({}, {"text": "", "warner__p": "5/8"}))
    assert Question.objects.count() == 1


def test_long_drafts_load_the_question_library_on_demand(client, researcher):
    shown = "<summary>Study and research</summary>"
    address = "/admin/surveys/survey/library/"
    survey = make_draft(8)
    page = text_of(client.get(page_of(survey)))
    assert shown not in page
    assert f'data-entries="{address}"' in page
    assert shown in text_of(client.get(page_of(survey) + "?library=1"))
    fetched = text_of(client.get(address))
    assert shown in fetched
    assert 'id="library-wordings"' in fetched
    client.logout()
    assert client.get(address).status_code == 302


def test_a_checklist_item_links_to_the_card_of_its_input(client, researcher):
    survey = make_draft(8, mode="hand")
    checklist = page_text(client.get(page_of(survey, "open")))
    addresses = re.findall(r'href="([^"]+)#(id_questions-6-[^"]+)"', checklist)
    ((address, place),) = addresses
    assert address.endswith("?question=7")
    assert f'id="{place}"' in page_text(client.get(address))
