"""The list of surveys: searched, and narrowed down by state."""

import re

import pytest

from respondents.models import close
from surveys.models import Membership, Role
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
    return set(re.findall(r"<h2><a [^>]*>([^<]*)</a></h2>", page))


def test_a_state_narrows_the_list_down(client, surveys):
    for query, expected in {
        "": {"First", "Second", "Third"},
        "?state=draft": {"First"},
        "?state=open": {"Second"},
        "?state=closed": {"Third"},
        "?state=open&q=third": set(),
        "?state=closed&q=third": {"Third"},
        "?state=lost": set(),
    }.items():
        assert titles(client, query) == expected, query


@pytest.fixture
def shared(client, db):
    """Surveys of two people who see both, and one of a third."""
    mine, hers = make_user("mine"), make_user("hers", last_name="Curie")
    make_survey(owner=mine, slug="a", title="First", organiser="Institute of Radium")
    copied = {"text": "Have you ever copied?"}
    survey = make_survey(
        [copied, {"text": "Have you ever copied a text?"}, {"text": "Did you lie?"}],
        owner=hers,
        opened=False,
        slug="b",
        title="Second",
        mode="hand",
    )
    Membership.objects.create(survey=survey, user=mine, role=Role.VIEWER)
    hidden = make_survey(
        ["coin", copied],
        owner=make_user("third"),
        slug="c",
        title="Hidden",
        opened=False,
    )
    client.force_login(mine)
    return {"mine": mine.pk, "hers": hers.pk, "third": hidden.owner.pk}


def test_a_superuser_is_not_listed_as_owner_of_other_surveys(client, db):
    root = make_user("root", is_superuser=True)
    make_survey(owner=root, slug="own", title="First")
    make_survey(owner=make_user("maria"), slug="hers", title="Second")
    client.force_login(root)
    page = client.get(LIST).content.decode()
    assert "by maria, your role: Superuser" in " ".join(page.split())
    assert "by root" not in page


def test_surveys_are_found_by_owner_organiser_questions_and_mode(client, shared):
    for query, expected in {
        "": {"First", "Second"},
        "?q=radium": {"First"},
        "?q=curie": {"Second"},
        "?q=hers": {"Second"},
        "?q=ever+copied": {"Second"},
        "?q=third": set(),
        "?mode=hand": {"Second"},
        "?mode=browser&q=curie": set(),
        "?owner={mine}": {"First"},
        "?owner={hers}": {"Second"},
        "?owner={third}": set(),
        "?owner=x": set(),
    }.items():
        assert titles(client, query.format(**shared)) == expected, query
    page = client.get(f"{LIST}?q=copied").content.decode()
    assert page.count("<h2><a") == 1, "found by two of its questions, listed once"
    assert "3 questions" in page


def test_the_owner_filter_is_shown_for_several_owners(client, shared):
    page = client.get(LIST).content.decode()
    owners = page[page.index("Surveys by owner") :].partition("</nav>")[0]
    assert re.findall(r">(\w+)</a>", owners) == ["hers", "mine"]
    client.force_login(make_user("alone"))
    assert "Surveys by owner" not in client.get(LIST).content.decode()


def test_a_shared_survey_shows_its_owner_and_the_role(client, shared):
    for address in (LIST, "/admin/"):
        page = " ".join(client.get(address).content.decode().split())
        assert "by hers, your role: Viewer" in page
        assert "by mine" not in page
