"""Who may do what on which page: a page without a rule fails."""

from dataclasses import dataclass

import pytest
from django.conf import settings
from django.contrib import admin
from django.contrib.auth.models import Group
from django.contrib.contenttypes.models import ContentType
from django.urls import URLResolver, reverse

from respondents import rehearsal
from respondents.models import Response, close
from surveys.models import Membership, Role
from tests.factories import make_responses, make_survey, make_user

LOGIN, NOT_FOUND, FORBIDDEN, REDIRECT, OK = "login", 404, 403, 302, 200
BAD_REQUEST = 400
NO_SUCH_METHOD = 405


@dataclass(frozen=True)
class Rule:
    """Which role a page of a survey takes, and what it then answers.

    Whoever has a smaller role is refused; without a role there is no such survey.
    """

    get: int = OK
    post: int = REDIRECT
    reads: Role = Role.VIEWER
    """The smallest role that GET takes."""
    writes: Role = Role.OWNER
    """The smallest role that POST takes."""
    opened: bool = True
    closed: bool = False
    is_tried: bool = False
    access: str = "link"
    is_read_only: bool = False

    def expected(self, method, role):
        if self.is_read_only and method == "post":
            # Said before anybody has looked whose survey it is, or if there is one.
            return NO_SUCH_METHOD
        if role is None:
            return NOT_FOUND
        needed = self.reads if method == "get" else self.writes
        return getattr(self, method) if role.includes(needed) else FORBIDDEN


SURVEY_PAGES = {
    "surveys_survey_change": Rule(post=OK, writes=Role.EDITOR, opened=False),
    "surveys_survey_delete": Rule(reads=Role.OWNER, opened=False),
    "surveys_survey_history": Rule(post=OK, writes=Role.VIEWER),
    "surveys_survey_open": Rule(reads=Role.EDITOR, opened=False),
    "surveys_survey_close": Rule(reads=Role.OWNER),
    "surveys_survey_links": Rule(
        post=OK, reads=Role.EDITOR, writes=Role.EDITOR, access="invitation"
    ),
    "surveys_survey_share": Rule(is_read_only=True),
    "surveys_survey_code": Rule(is_read_only=True),
    "surveys_survey_poster": Rule(is_read_only=True),
    "surveys_survey_invitation": Rule(is_read_only=True),
    "surveys_survey_try": Rule(writes=Role.EDITOR, opened=False),
    "surveys_survey_try_page": Rule(
        post=NO_SUCH_METHOD, writes=Role.VIEWER, opened=False, is_tried=True
    ),
    # Mode browser has its thanks in its page.
    "surveys_survey_try_thanks": Rule(
        get=NOT_FOUND, opened=False, is_read_only=True, is_tried=True
    ),
    "surveys_survey_try_code": Rule(opened=False, is_read_only=True, is_tried=True),
    "estimation_simulate": Rule(
        post=OK, reads=Role.EDITOR, writes=Role.EDITOR, opened=False
    ),
    "estimation_monitor": Rule(is_read_only=True),
    "estimation_monitor_numbers": Rule(is_read_only=True),
    "surveys_survey_period": Rule(reads=Role.EDITOR, writes=Role.EDITOR),
    "surveys_survey_duplicate": Rule(writes=Role.VIEWER),
    "surveys_survey_definition": Rule(is_read_only=True),
    "surveys_survey_people": Rule(post=OK),
    "surveys_survey_archive": Rule(reads=Role.OWNER),
    "surveys_survey_purge": Rule(post=OK, reads=Role.OWNER, closed=True),
    "estimation_results": Rule(is_read_only=True),
    "estimation_chart": Rule(is_read_only=True),
    "estimation_overview": Rule(is_read_only=True),
    # One question has no other to be compared with, and a chart needs its two.
    "estimation_compare": Rule(get=REDIRECT, is_read_only=True),
    "estimation_compare_chart": Rule(get=BAD_REQUEST, is_read_only=True),
    "estimation_compare_csv": Rule(get=BAD_REQUEST, is_read_only=True),
    # One response is too few to publish: tests/estimation/test_publish.py has more.
    "estimation_publish": Rule(post=OK, reads=Role.EDITOR, closed=True),
    "estimation_publish_switch": Rule(get=REDIRECT, reads=Role.OWNER, closed=True),
    "estimation_publish_preview": Rule(
        get=REDIRECT, reads=Role.EDITOR, closed=True, is_read_only=True
    ),
    "estimation_publish_overview": Rule(
        get=NOT_FOUND, reads=Role.EDITOR, closed=True, is_read_only=True
    ),
    "estimation_publish_chart": Rule(
        get=NOT_FOUND, reads=Role.EDITOR, closed=True, is_read_only=True
    ),
    "estimation_publish_csv": Rule(
        get=NOT_FOUND, reads=Role.EDITOR, closed=True, is_read_only=True
    ),
    "estimation_csv": Rule(is_read_only=True),
    "estimation_export": Rule(is_read_only=True),
    "estimation_export_file": Rule(is_read_only=True),
    "estimation_export_reports": Rule(is_read_only=True, reads=Role.EDITOR),
}
FILES = {
    "estimation_export_file": "codebook.csv",
    "estimation_export_reports": "reports.csv",
}
FOR_STAFF = {
    "index": {},
    "app_list": {"app_label": "surveys"},
    "jsi18n": {},
    "password_change": {},
    "password_change_done": {},
    "surveys_survey_changelist": {},
    "surveys_survey_add": {},
    "surveys_survey_texts": {},
    "estimation_example": {},
    "estimation_import": {},
    "surveys_survey_from_file": {},
    "estimation_plan": {},
    "estimation_plan_chart": {},
}
QUERIES = {"estimation_plan_chart": "?question=family%3Dcoin"}
FOR_SUPERUSERS = {
    "auth_group_add": {},
    "auth_group_change": {"object_id": "group"},
    "auth_group_changelist": {},
    "auth_group_delete": {"object_id": "group"},
    "auth_group_history": {"object_id": "group"},
    "auth_user_add": {},
    "auth_user_change": {"object_id": "user"},
    "auth_user_changelist": {},
    "auth_user_delete": {"object_id": "user"},
    "auth_user_history": {"object_id": "user"},
    "auth_user_password_change": {"id": "user"},
}
WITHOUT_AN_OBJECT = {"login", "logout", "autocomplete"}
# Django's redirect of an old kind of address, and its page for everything unknown.
UNNAMED = {"<path:object_id>/", "(?P<url>.*)$"}


def walk(patterns):
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            yield from walk(pattern.url_patterns)
        else:
            yield pattern


ADMIN_PAGES = list(walk(admin.site.get_urls()))


@pytest.fixture
def people(db):
    return {
        "owner": make_user(),
        "editor": make_user("editor"),
        "viewer": make_user("viewer"),
        "stranger": make_user("stranger"),
        "superuser": make_user("superuser", is_superuser=True),
        "not staff": make_user("visitor", is_staff=False),
        "anonymous": None,
    }


def answer(client, person, method, address):
    client.logout()
    if person is not None:
        client.force_login(person)
    # The admin takes this for the word that somebody is sure.
    sent = {"post": "yes"} if method == "post" else {}
    response = getattr(client, method)(address, sent)
    if (
        response.status_code == REDIRECT
        and "/admin/login/" in response.headers["Location"]
    ):
        return LOGIN
    return response.status_code


def test_every_page_of_the_admin_has_a_rule():
    named = {page.name for page in ADMIN_PAGES if page.name}
    unnamed = {str(page.pattern) for page in ADMIN_PAGES if not page.name}
    ruled = {*SURVEY_PAGES, *FOR_STAFF, *FOR_SUPERUSERS, *WITHOUT_AN_OBJECT}
    assert named == ruled
    assert unnamed == UNNAMED


# The owner comes last: a page that deletes would leave nothing for the others.
ROLES = {
    "stranger": None,
    "viewer": Role.VIEWER,
    "editor": Role.EDITOR,
    "superuser": Role.OWNER,
    "owner": Role.OWNER,
}


@pytest.mark.parametrize("method", ["get", "post"])
@pytest.mark.parametrize("name", SURVEY_PAGES)
def test_a_page_of_a_survey_takes_its_role(client, people, name, method):
    rule = SURVEY_PAGES[name]
    expected = {
        "anonymous": LOGIN,
        "not staff": LOGIN,
        **{who: rule.expected(method, role) for who, role in ROLES.items()},
    }
    got = {}
    for number, who in enumerate(expected):
        survey = make_survey_of(people, rule, slug=f"survey-{number}")
        got[who] = answer(client, people[who], method, address_of(name, survey.pk))
    assert got == expected


def make_survey_of(people, rule, **fields):
    """A survey as the page wants it, with an editor and a viewer."""
    survey = make_survey(opened=rule.opened, access=rule.access, batch_size=1, **fields)
    for role in (Role.EDITOR, Role.VIEWER):
        Membership.objects.create(survey=survey, user=people[role], role=role)
    if rule.opened:
        make_responses(survey, [b"\x00"])
        Response.objects.seal(survey)
    if rule.closed:
        close(survey)
    if rule.is_tried:
        rehearsal.start(survey)
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


@pytest.mark.parametrize("name", SURVEY_PAGES)
def test_an_unknown_survey_is_not_found_either(client, people, name):
    address = address_of(name, 987654)
    assert answer(client, people["owner"], "get", address) == NOT_FOUND


@pytest.mark.parametrize("name", FOR_STAFF)
def test_pages_of_nobody_in_particular_need_a_researcher(client, people, name):
    address = reverse(f"admin:{name}", kwargs=FOR_STAFF[name]) + QUERIES.get(name, "")
    got = {
        who: answer(client, person, "get", address) for who, person in people.items()
    }
    assert got == {
        **dict.fromkeys(ROLES, OK),
        "not staff": LOGIN,
        "anonymous": LOGIN,
    }


@pytest.mark.parametrize("name", FOR_SUPERUSERS)
def test_accounts_are_for_superusers(client, people, name):
    ids = {"user": people["stranger"].pk, "group": Group.objects.create(name="g").pk}
    wanted = {key: ids[kind] for key, kind in FOR_SUPERUSERS[name].items()}
    address = reverse(f"admin:{name}", kwargs=wanted)
    got = {
        who: answer(client, person, "get", address) for who, person in people.items()
    }
    assert got == {
        **dict.fromkeys(ROLES, FORBIDDEN),
        "superuser": OK,
        "not staff": LOGIN,
        "anonymous": LOGIN,
    }


def test_a_stranger_reads_no_foreign_title_anywhere(client, people):
    survey = make_survey(title="Only mine", slug="only-mine")
    make_responses(survey, [b"\x00"])
    lists = ["/admin/", "/admin/surveys/", "/admin/surveys/survey/?q=mine"]
    for who, sees in {"stranger": False, "owner": True, "superuser": True}.items():
        client.force_login(people[who])
        shown = [b"Only mine" in client.get(address).content for address in lists]
        assert shown == [sees, False, sees]


def test_a_survey_cannot_be_looked_up_by_its_completion(client, people):
    make_survey(title="Only mine")
    client.force_login(people["stranger"])
    response = client.get(
        "/admin/autocomplete/?app_label=surveys&model_name=question&field_name=survey&term=m"
    )
    assert b"Only mine" not in response.content


def test_no_page_redirects_to_a_public_address_by_its_number(client, people):
    survey = make_survey(opened=False)
    kind = ContentType.objects.get_for_model(survey).pk
    client.force_login(people["stranger"])
    assert client.get(f"/admin/r/{kind}/{survey.pk}/").status_code == NOT_FOUND


def test_a_researcher_who_left_sees_nothing(client, people):
    owner = people["owner"]
    survey = make_survey(owner=owner)
    client.force_login(owner)
    owner.is_active = False
    owner.save()
    address = f"/admin/surveys/survey/{survey.pk}/change/"
    assert client.get(address).headers["Location"].startswith("/admin/login/")


def test_cookies_of_researchers_stay_below_the_admin():
    assert settings.SESSION_COOKIE_PATH == settings.CSRF_COOKIE_PATH == "/admin/"
