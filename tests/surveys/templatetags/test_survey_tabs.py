"""One navigation on all pages about one survey: what state and role allow, no more."""

import re

import pytest

from respondents.models import SealedPattern, close
from surveys.models import Membership, Role
from tests.factories import make_survey, make_user
from tests.surveys.authoring.posted import page_of

TAB = re.compile(
    r'<li>\s*<a href="([^"]*)"\s*(?:aria-current="(\w+)")?\s*>([^<]*)</a>\s*</li>'
)


@pytest.fixture
def colleague(client, db):
    colleague = make_user("colleague")
    client.force_login(colleague)
    return colleague


def survey_in(state, *, role, user):
    """A survey in this state in which `user` has this role."""
    owner = user if role == Role.OWNER else make_user()
    survey = make_survey(opened=state != "draft", owner=owner)
    if state == "closed":
        SealedPattern.objects.add(survey, {b"\0": 60, b"\1": 40})
        close(survey)
    if role != Role.OWNER:
        Membership.objects.create(survey=survey, user=user, role=role)
    return survey


def tabs(client, address):
    """Return address, aria-current and label of every tab."""
    page = client.get(address).content.decode()
    (nav,) = re.findall(r'(?s)<nav class="tabs".*?</nav>', page)
    return TAB.findall(nav)


@pytest.mark.parametrize(
    ("state", "expected"),
    [
        ("draft", ["Overview", "Try it", "Collaborators", "Log"]),
        (
            "open",
            ["Overview", "Share", "Monitor", "Results", "Export", "Publish",
             "Collaborators", "Log"],
        ),
        ("closed", ["Overview", "Results", "Export", "Publish", "Collaborators",
                    "Log"]),
    ],
)  # fmt: skip
def test_the_same_tabs_are_on_every_page_and_one_is_marked(
    client, colleague, state, expected
):
    survey = survey_in(state, role=Role.OWNER, user=colleague)
    for address, _current, label in tabs(client, page_of(survey)):
        found = tabs(client, address)
        assert [each[2] for each in found] == expected, label
        assert [each[2] for each in found if each[1] == "page"] == [label]


@pytest.mark.parametrize("role", [Role.EDITOR, Role.VIEWER])
@pytest.mark.parametrize("state", ["draft", "open", "closed"])
def test_every_tab_that_is_shown_opens(client, colleague, state, role):
    survey = survey_in(state, role=role, user=colleague)
    shown = tabs(client, page_of(survey))
    assert len(shown) >= 3
    found = {label: client.get(address) for address, _current, label in shown}
    refused = {k: v.status_code for k, v in found.items() if v.status_code != 200}
    assert refused == {}


@pytest.mark.parametrize(
    ("name", "fields", "tab"),
    [
        ("open", {"opened": False}, "Overview"),
        ("delete", {"opened": False}, "Overview"),
        ("close", {}, "Overview"),
        ("links", {"access": "invitation"}, "Share"),
    ],
)
def test_a_step_belongs_to_its_tab(client, colleague, name, fields, tab):
    survey = make_survey(owner=colleague, **fields)
    found = tabs(client, page_of(survey, name))
    assert [each[2] for each in found if each[1] == "true"] == [tab]


def test_a_new_survey_has_no_tabs(client, colleague):
    assert b'class="tabs"' not in client.get("/admin/surveys/survey/add/").content
