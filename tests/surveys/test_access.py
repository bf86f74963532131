"""Access to each page by role; every page needs a rule in page_rules.py."""

from copy import copy

import pytest
from django.conf import settings
from django.contrib import admin
from django.contrib.contenttypes.models import ContentType
from django.db import transaction
from django.test import Client
from django.urls import URLResolver, reverse

from estimation.models import AccessToken
from respondents.distribution import rehearsal
from respondents.models import Response, close
from surveys.authoring.deletion import delete_draft
from surveys.models import Membership, Role
from tests.factories import make_responses, make_survey, make_user
from tests.surveys.page_rules import (
    FILES,
    FOR_STAFF,
    FOR_SUPERUSERS,
    FORBIDDEN,
    LOGIN,
    NOT_FOUND,
    OK,
    QUERIES,
    REDIRECT,
    SURVEY_PAGES,
    UNNAMED,
    WITHOUT_AN_OBJECT,
)


def walk(patterns):
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            yield from walk(pattern.url_patterns)
        else:
            yield pattern


ADMIN_PAGES = list(walk(admin.site.get_urls()))


@pytest.fixture(scope="module")
def accounts(module_db):
    return {
        "owner": make_user(),
        "editor": make_user("editor"),
        "viewer": make_user("viewer"),
        "stranger": make_user("stranger"),
        "superuser": make_user("superuser", is_superuser=True),
        "not staff": make_user("visitor", is_staff=False),
        "anonymous": None,
    }


@pytest.fixture(scope="module")
def sessions(accounts):
    """The session key of each user, by username."""
    client, keys = Client(), {}
    for person in filter(None, accounts.values()):
        client.cookies.clear()
        client.force_login(person)
        keys[person.username] = client.session.session_key
    return keys


@pytest.fixture
def people(db, accounts):
    return {who: copy(person) for who, person in accounts.items()}


@pytest.fixture
def answer(client, sessions):
    """A function: what someone is answered on a page, as a status or `LOGIN`."""

    def ask(person, method, address):
        client.cookies.clear()
        if person is not None:
            client.cookies[settings.SESSION_COOKIE_NAME] = sessions[person.username]
        # The admin takes this for the word that someone is sure.
        sent = {"post": "yes"} if method == "post" else {}
        response = getattr(client, method)(address, sent)
        if (
            response.status_code == REDIRECT
            and "/admin/login/" in response.headers["Location"]
        ):
            return LOGIN
        if response.streaming:
            response.getvalue()
        return response.status_code

    return ask


def test_every_page_of_the_admin_has_a_rule():
    named = {page.name for page in ADMIN_PAGES if page.name}
    unnamed = {str(page.pattern) for page in ADMIN_PAGES if not page.name}
    ruled = {*SURVEY_PAGES, *FOR_STAFF, *FOR_SUPERUSERS, *WITHOUT_AN_OBJECT}
    assert named == ruled
    assert unnamed == UNNAMED


ROLES = {
    "stranger": None,
    "viewer": Role.VIEWER,
    "editor": Role.EDITOR,
    "owner": Role.OWNER,
}
"""A superuser is an owner of every survey: tests/surveys/models/test_membership.py."""


@pytest.mark.parametrize("name", SURVEY_PAGES)
def test_survey_pages_require_their_role(answer, people, name):
    rule = SURVEY_PAGES[name]
    expected = {
        (method, who): rule.expected(method, ROLES[who]) if who in ROLES else LOGIN
        for method in ("get", "post")
        for who in ("anonymous", "not staff", *ROLES)
    }
    if rule.compares:
        make_survey_of(people, rule, slug="another")
    got, address = {}, address_of(name, make_survey_of(people, rule).pk)
    for method, who in expected:
        with transaction.atomic():
            got[method, who] = answer(people[who], method, address)
            transaction.set_rollback(True)  # it may have been changed or deleted
    assert got == expected


def test_a_token_opens_no_page(client, people):
    surveys = {}
    for name, rule in SURVEY_PAGES.items():
        state = (rule.opened, rule.access, rule.closed, rule.is_tried)
        if state not in surveys:
            surveys[state] = make_survey_of(people, rule, slug=f"survey-{len(surveys)}")
        survey = surveys[state]
        address = address_of(name, survey.pk)
        _made, text = AccessToken.objects.make(survey, people["owner"], "Program")
        answer = client.get(address, headers={"Authorization": f"Bearer {text}"})
        assert answer.status_code == REDIRECT, address
        assert answer.headers["Location"].startswith("/admin/login/"), address


def make_survey_of(people, rule, **fields):
    """A survey as the page wants it, with an editor and a viewer."""
    survey = make_survey(
        opened=rule.opened, access=rule.access, batch_size=10, **fields
    )
    for role in (Role.EDITOR, Role.VIEWER):
        Membership.objects.create(survey=survey, user=people[role], role=role)
    if rule.opened:
        make_responses(survey, [b"\x00"] * 10)
        Response.objects.seal(survey)
    if rule.closed:
        close(survey)
    if rule.is_tried:
        rehearsal.start(survey)
    if rule.is_deleted:
        delete_draft(people["owner"], survey)
    return survey


def address_of(name, survey_id):
    (page,) = [page for page in ADMIN_PAGES if page.name == name]
    names = {
        "survey_id": survey_id,
        "object_id": survey_id,
        "position": 1,
        "kind": "svg",
        "file_format": "svg",
        "name": FILES.get(name),
    }
    wanted = {each: names[each] for each in page.pattern.converters}
    return reverse(f"admin:{name}", kwargs=wanted)


@pytest.mark.parametrize("name", FOR_STAFF)
def test_pages_without_a_survey_need_a_researcher(answer, people, name):
    address = reverse(f"admin:{name}", kwargs=FOR_STAFF[name]) + QUERIES.get(name, "")
    expected = {"stranger": OK, "not staff": LOGIN, "anonymous": LOGIN}
    assert {who: answer(people[who], "get", address) for who in expected} == expected


@pytest.mark.parametrize("name", FOR_SUPERUSERS)
def test_accounts_are_for_superusers(answer, people, name):
    wanted = dict.fromkeys(FOR_SUPERUSERS[name], people["stranger"].pk)
    address = reverse(f"admin:{name}", kwargs=wanted)
    expected = {
        "owner": FORBIDDEN,
        "superuser": OK,
        "not staff": LOGIN,
        "anonymous": LOGIN,
    }
    assert {who: answer(people[who], "get", address) for who in expected} == expected


def test_strangers_never_see_titles_of_other_surveys(client, people):
    survey = make_survey(title="Only mine", slug="only-mine")
    make_responses(survey, [b"\x00"])
    lists = ["/admin/", "/admin/surveys/", "/admin/surveys/survey/?q=mine"]
    for who, sees in {"stranger": False, "owner": True, "superuser": True}.items():
        client.force_login(people[who])
        shown = [b"Only mine" in client.get(address).content for address in lists]
        assert shown == [sees, False, sees]


def test_autocomplete_does_not_reveal_surveys(client, people):
    make_survey(title="Only mine")
    client.force_login(people["stranger"])
    response = client.get(
        "/admin/autocomplete/?app_label=surveys&model_name=question&field_name=survey&term=m"
    )
    assert b"Only mine" not in response.content


def test_the_view_on_site_redirect_does_not_reveal_addresses(client, people):
    survey = make_survey(opened=False)
    kind = ContentType.objects.get_for_model(survey).pk
    client.force_login(people["stranger"])
    assert client.get(f"/admin/r/{kind}/{survey.pk}/").status_code == NOT_FOUND


def test_a_deactivated_researcher_is_logged_out(client, people):
    owner = people["owner"]
    survey = make_survey(owner=owner)
    client.force_login(owner)
    owner.is_active = False
    owner.save()
    address = f"/admin/surveys/survey/{survey.pk}/change/"
    assert client.get(address).headers["Location"].startswith("/admin/login/")


def test_researcher_cookies_are_limited_to_the_admin_path():
    assert settings.SESSION_COOKIE_PATH == settings.CSRF_COOKIE_PATH == "/admin/"
