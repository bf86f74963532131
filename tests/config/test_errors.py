"""The error pages of researchers and of respondents."""

import re
from unittest.mock import patch

import pytest
from django.core.exceptions import BadRequest
from django.db import OperationalError
from django.test import Client

from config import errors
from config.errors import report_bad_request, report_csrf_failure
from respondents.storage.outages import Cause
from surveys.models import Membership, Role
from tests.factories import make_survey, make_user
from tests.surveys.authoring.posted import page_of, text_of


def during_an_outage(request):
    """Answer while the database is locked, without noting it for other tests."""
    with patch.object(errors.outage, "note", return_value=Cause.LOCKED):
        try:
            raise OperationalError
        except OperationalError:
            return errors.server_error(request)


@pytest.fixture
def viewer(client, db):
    viewer = make_user("viewer")
    client.force_login(viewer)
    return viewer


def test_not_found_pages_of_researchers_link_home(client, viewer):
    foreign = make_survey(owner=make_user("other"))
    for address in ("/admin/surveys/survey/987654/share/", page_of(foreign)):
        answer = client.get(address)
        page = text_of(answer)
        assert answer.status_code == 404
        assert "you have no role in it yet" in page
        assert 'class="button" href="/admin/"' in page
        assert foreign.title not in page


def test_a_forbidden_page_names_who_can_change_the_role(client, viewer):
    survey = make_survey(owner=make_user("other"))
    Membership.objects.create(survey=survey, user=viewer, role=Role.VIEWER)
    answer = client.get(page_of(survey, "close"))
    assert answer.status_code == 403
    assert "The owner can change it under People" in text_of(answer)


def test_respondents_see_not_found_pages_in_every_language(client, viewer):
    for address in ("/nothing-here/", "/s/nothing-here/there/"):
        page = text_of(client.get(address))
        assert "Please check the link" in page
        assert 'lang="de"' in page
        assert "Your surveys" not in page


def test_an_expired_form_asks_to_reload(db):
    client = Client(enforce_csrf_checks=True)
    client.force_login(make_user())
    answer = client.post("/admin/surveys/survey/example/")
    assert answer.status_code == 403
    page = text_of(answer)
    assert "reload it and send it again" in page
    assert "<style" not in page


@pytest.mark.parametrize(
    ("answer_to", "anchor"),
    [
        (lambda asked: report_bad_request(asked, BadRequest()), "bad-request"),
        (report_csrf_failure, "please-try-again"),
        (errors.report_server_error, "an-error-of-the-server"),
        (during_an_outage, "please-wait-a-moment"),
    ],
)
def test_researcher_error_pages_link_to_their_troubleshooting(
    rf, client, answer_to, anchor
):
    page = answer_to(rf.get("/admin/surveys/survey/")).content.decode()
    (address,) = re.findall(r'href="(/help/[^"]*)"', page)
    assert address == f"/help/start/troubles/#{anchor}"
    assert f'id="{anchor}"' in client.get(address).content.decode()
    assert "/help/" not in answer_to(rf.get("/s/study-habits/")).content.decode()
