"""The researcher's pages that bring people to an open survey."""

import re
import struct
import zlib
from datetime import date

import pytest

from respondents.distribution.materials import (
    SharedSurvey,
    render_poster,
    write_invitation,
)
from respondents.explaining.address import draw_code
from respondents.models import close
from surveys.models import Membership, Role
from tests.factories import make_survey, make_user
from tests.respondents.codes import expected_modules, modules_of_svg
from tests.respondents.collecting.test_copy import FORBIDDEN, MAX_WORDS
from tests.respondents.languages import MODES, english_in, make_translated_survey
from tests.respondents.markup import Markup, sentences, words
from tests.respondents.test_translations import FORBIDDEN as FORBIDDEN_ELSEWHERE

SITE = "https://survey.example.org"
ADDRESS = f"{SITE}/s/study-habits/"
PAGES = ("share/", "share/code.svg", "share/code.png", "share/poster/")
FILE = "share/invitation.txt"


@pytest.fixture
def survey(client, db):
    survey = make_survey(["coin", "die"], contact="study@example.org")
    client.force_login(survey.owner)
    return survey


def page_of(survey, name="share/"):
    return f"/admin/surveys/survey/{survey.pk}/{name}"


def shared(survey):
    return SharedSurvey(survey, SITE)


def test_the_image_is_large_enough_to_print():
    png = draw_code(ADDRESS, "png")
    assert png.startswith(b"\x89PNG")
    width, height = struct.unpack(">II", png[16:24])
    # 300 dots per inch: 7 cm are 827 pixels.
    assert width == height == 24 * len(expected_modules(ADDRESS)) > 800
    assert zlib.crc32(png[12:29]) == struct.unpack(">I", png[29:33])[0]


def test_the_qr_code_links_to_the_survey(client, survey):
    svg = client.get(page_of(survey, "share/code.svg"))
    assert svg["Content-Type"] == "image/svg+xml"
    address = "http://testserver/s/study-habits/"
    assert modules_of_svg(svg.content) == expected_modules(address)
    assert client.get(page_of(survey, "share/code.png"))["Content-Type"] == "image/png"
    assert client.get(page_of(survey, "share/code.gif")).status_code == 404


@pytest.mark.parametrize("state", ["draft", "closed", "rehearsal"])
def test_only_an_open_survey_can_be_shared(client, survey, state):
    if state == "closed":
        close(survey)
    elif state == "rehearsal":
        draft = make_survey(opened=False, slug="draft")
        fields = {"rehearsal_of": draft, "is_simulated": True}
        survey = make_survey(slug="rehearsal", **fields)
    else:
        survey = make_survey(opened=False, slug="draft")
    first, *others = [client.get(page_of(survey, name)) for name in (*PAGES, FILE)]
    assert first["Location"] == page_of(survey, "change/")
    assert {each.status_code for each in others} == {404}


def test_surveys_with_one_time_links_have_no_poster_or_qr_code(client, db):
    survey = make_survey(access="invitation")
    client.force_login(survey.owner)
    page = client.get(page_of(survey)).content.decode()
    assert page_of(survey, "links/") in page
    assert "code.svg" not in page
    assert "poster/" not in page
    for name in PAGES[1:]:
        assert client.get(page_of(survey, name)).status_code == 404
    text = client.get(page_of(survey, FILE)).content.decode()
    assert "This link is for you alone. It works once:\n[one-time link]" in text
    assert "/s/study-habits/" not in text


@pytest.mark.parametrize(("role", "may"), [(Role.VIEWER, False), (Role.EDITOR, True)])
def test_only_editors_can_make_links(client, db, role, may):
    survey = make_survey(access="invitation")
    colleague = make_user("colleague")
    Membership.objects.create(survey=survey, user=colleague, role=role)
    client.force_login(colleague)
    page = client.get(page_of(survey)).content.decode()
    assert (f'href="{page_of(survey, "links/")}"' in page) is may
    assert (client.get(page_of(survey, "links/")).status_code == 200) is may


@pytest.mark.parametrize("families", [["direct"], ["coin", "direct"]])
def test_the_invitation_promises_only_existing_protection(db, families):
    survey = make_survey(families)
    text = write_invitation(shared(survey))
    for message in (text, render_poster(shared(survey))):
        assert ("are protected" in message) is (len(families) == 2)
    shown = {
        1: "This survey does not scramble answers. We receive them as is.",
        2: "Not scrambled: question 2. We receive your real answer there.",
    }
    assert shown[len(families)] in text
    assert ("never proof" in text) is (len(families) == 2)
    for message in (text, render_poster(shared(survey))):
        assert "scrambles each answer" not in message
        assert ("scrambles each protected answer" in message) is (len(families) == 2)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("access", ["link", "invitation"])
def test_invitations_to_german_surveys_are_german(db, mode, access):
    survey = make_translated_survey(mode, access=access)
    survey.closes_on = date(2027, 3, 3)
    texts = {"invitation": write_invitation(shared(survey))}
    assert "3. März 2027" in texts["invitation"]
    if access == "link":
        texts["poster"] = " ".join(Markup(render_poster(shared(survey))).blocks)
    forbidden = re.compile("|".join(FORBIDDEN_ELSEWHERE["de"]), re.IGNORECASE)
    for name, text in texts.items():
        assert english_in(text) == [], name
        assert not forbidden.search(text), name


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("access", ["link", "invitation"])
def test_the_invitation_is_plain_and_avoids_forbidden_words(db, mode, access):
    survey = make_survey(["coin"], mode=mode, access=access, contact="s@example.org")
    text = write_invitation(shared(survey))
    assert [word for word in FORBIDDEN if re.search(word, text.lower())] == []
    paragraphs = "".join(f"<p>{line}</p>" for line in text.splitlines())
    long = [s for s in sentences(Markup(paragraphs)) if len(words(s)) > MAX_WORDS]
    assert long == []
