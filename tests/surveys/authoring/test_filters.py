"""The list of surveys: searched, and narrowed down by state."""

import re

import pytest

from respondents.models import close
from tests.factories import make_survey, make_user

LIST = "/admin/surveys/survey/"


@pytest.fixture
def surveys(client, db):
    client.force_login(make_user())
    closed = make_survey(slug="closed", title="Third")
    close(closed)
    make_survey(opened=False, slug="draft", title="First")
    make_survey(slug="open", title="Second")


def titles(client, query):
    page = client.get(LIST + query).content.decode()
    return set(re.findall(r'field-title[^>]*><a href="[^"]*">([^<]*)<', page))


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("", {"First", "Second", "Third"}),
        ("?state=draft", {"First"}),
        ("?state=open", {"Second"}),
        ("?state=closed", {"Third"}),
        ("?state=open&q=third", set()),
        ("?state=closed&q=third", {"Third"}),
        ("?state=lost", set()),
    ],
)
def test_a_state_narrows_the_list_down(client, surveys, query, expected):
    assert titles(client, query) == expected


def test_the_state_that_is_shown_is_marked(client, surveys):
    page = client.get(f"{LIST}?state=open").content.decode()
    assert re.findall(r'aria-current="true"\s*>(\w+)<', page) == ["Open"]
    assert 'href="?state=draft"' in page
