"""Every page that an address leads to, seen once in every look, with nothing to say.

Pages that only a respondent's way leads to are in collecting/test_access.py, those of
accounts in test_accounts.py; what else comes after a click is looked at there.
"""

import pytest
from django.test import Client
from playwright.sync_api import expect

from estimation.models import Publication
from respondents.distribution import rehearsal
from respondents.models import SealedPattern, close
from surveys.models import Membership, Role
from tests.browser.everybody import PHONE, log_in, note_complaints, objections
from tests.factories import make_responses, make_survey, make_user

pytestmark = [pytest.mark.browser, pytest.mark.windowless]

THREE = ("k_ary", {"epsilon": 1, "choices": 3})

OPEN_DETAILS = """for (const each of document.querySelectorAll("details")) {
  if (!each.name) each.open = true;
}"""


@pytest.fixture
def look_at(page, site):
    """A function: the page of an address keeps no one from using it, in no look."""
    complaints = note_complaints(page, site)

    def look(address):
        # The form asks for its figures once it is there.
        is_form = address.endswith(("/change/", "/add/"))
        until = "networkidle" if is_form else "load"
        page.goto(f"{site.url}{address}", wait_until=until)
        page.evaluate(OPEN_DETAILS)
        assert (objections(page), complaints) == ([], [])

    return look


@pytest.fixture
def walk(page, site, look_at):
    """A function: pages about a survey, for its owner."""

    def go(survey, *names):
        log_in(page, site, survey.owner)
        for name in names:
            look_at(f"/admin/surveys/survey/{survey.pk}/{name}")

    return go


def test_pages_of_no_survey(page, site, look_at):
    for address in ("/", "/?language=de", "/admin/login/"):
        look_at(address)
    for name in ("reference/commands/", "?q=epsilon"):
        look_at(f"/help/{name}")
    newcomer = make_user("newcomer")
    log_in(page, site, newcomer)
    look_at("/admin/")
    for state in ("draft", "open", "closed"):
        survey = make_survey(owner=newcomer, slug=state, opened=state != "draft")
        if state == "closed":
            close(survey)
    look_at("/admin/")
    page.locator(".menu-of-row summary").first.click()
    assert objections(page) == []
    for name in (
        "",
        "?archived=1",
        "add/",
        "studies/",
        "from-file/",
        "import/",
    ):
        look_at(f"/admin/surveys/survey/{name}")
    page.goto(f"{site.url}/admin/surveys/survey/add/")
    page.get_by_role("button", name="Add question").click()
    expect(page.locator(".question:visible")).to_have_count(2)
    assert objections(page) == []


def test_a_draft(walk):
    draft = make_survey(
        ["coin", "direct", THREE], opened=False, target=400, wanted_margin=5
    )
    Membership.objects.create(survey=draft, user=make_user("maria"), role=Role.EDITOR)
    walk(draft, "change/", "open/", "people/", "duplicate/", "history/", "delete/")
    walk(draft, "try/", "try/simulate/")


def test_a_draft_that_is_tried(walk):
    draft = make_survey(
        ["coin", THREE], opened=False, contact="me@example.org", consent="I take part."
    )
    test = rehearsal.start(draft)
    SealedPattern.objects.add(test, {b"\0\0": 90, b"\1\2": 110})
    walk(draft, "open/", "try/")
    walk(test, "results/")


def test_an_open_survey(walk):
    """All that results can show: sound, unprotected, off the scale, missing."""
    survey = make_survey(
        ["coin", "direct", "die", THREE],
        batch_size=2,
        target=400,
        wanted_margin=5,
        closes_at_target=True,
    )
    counts = {b"\0\0\1\0": 30, b"\1\1\1\1": 60, bytes([255, 1, 1, 2]): 10}
    SealedPattern.objects.add(survey, counts)
    walk(survey, "change/", "period/", "close/", "share/", "share/poster/")
    walk(survey, "monitor/", "results/?forged=5&is_census=on", "export/", "tokens/")


def test_several_answers_twice_and_what_tells_nothing(walk):
    """Two questions of several answers have two of everything on one page."""
    weak = ("epsilon", {"epsilon": "0.01"})
    survey = make_survey([THREE, THREE, weak, "direct", "coin"])
    # The last does not fit, the one before it is equal for all.
    counts = {b"\0\0\0\0\1": 40, b"\1\1\1\0\1": 90, b"\2\1\0\0\1": 50}
    SealedPattern.objects.add(survey, counts)
    close(survey)
    walk(survey, "results/", "results/compare/?first=1&second=2")


def test_a_question_of_two_surveys(walk):
    """One of them has this question alone: there is nothing else to compare it with."""
    survey, later = make_survey(), make_survey(["coin", "direct"], slug="later")
    SealedPattern.objects.add(survey, {b"\0": 90, b"\1": 110})
    SealedPattern.objects.add(later, {b"\0\0": 190, b"\1\1": 110})
    walk(survey, "results/compare/")
    walk(later, f"results/compare/?first=1&other={survey.pk}")


def test_a_regression_with_numbers_and_without(walk):
    survey = make_survey(["coin", "direct", "coin"])
    counts = {b"\0\0\0": 60, b"\1\0\1": 40, b"\0\1\0": 40, b"\1\1\1": 60}
    SealedPattern.objects.add(survey, counts)
    close(survey)
    walk(
        survey,
        "results/regression/",
        # The first and the third answer are equal in all reports: no finite odds
        "results/regression/?outcome=1-0&scrambled=3&confidence_level=0.95",
    )


def test_a_closed_survey(walk):
    survey = make_survey()
    make_responses(survey, [b"\0"] * 5)
    close(survey)
    walk(survey, "change/", "history/", "archive/", "purge/", "results/")


def test_a_survey_by_invitation(walk):
    walk(make_survey(access="invitation"), "links/", "share/")


@pytest.mark.parametrize("language", ["en", "de"])
def test_published_results(walk, look_at, language):
    survey = make_survey(["coin", "direct", THREE], language=language)
    # Groups of 200 and 100.
    SealedPattern.objects.add(
        survey, {b"\0\0\0": 90, b"\1\0\1": 110, b"\0\1\1": 30, b"\1\1\2": 70}
    )
    close(survey)
    owner = Client()
    owner.force_login(survey.owner)
    address = f"/admin/surveys/survey/{survey.pk}/publish/"
    if language == "en":
        weighted = "results/weighted/?known2_1=50&known2_2=50"
        walk(survey, "results/compare/?first=1&second=2", weighted, "publish/")
    choice = {"questions": [1, 2, 3], "confidence_level": 0.95, "method": "pratt"}
    owner.post(address, {"headline": "Nearly half copied", **choice})
    if language == "en":
        walk(survey, "publish/", "publish/preview/")
    owner.post(f"{address}switch/", {"is_public": "on"})
    if language == "en":
        walk(survey, "publish/", "results/")
    look_at(f"/r/{Publication.objects.get().token}/")


def test_words_that_are_wider_than_a_phone(page, walk, look_at):
    word = "Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz" * 2
    survey = make_survey((), opened=False, title=word)
    survey.add_question(f"{word}?", choices=[word, "No"])
    survey.open()
    SealedPattern.objects.add(survey, {b"\0": 90, b"\1": 110})
    close(survey)
    publication = Publication.objects.create(
        survey=survey, questions=[1], headline=word
    )
    publication.switch(is_public=True)
    walk(survey, "results/")
    look_at(f"/r/{publication.token}/")
    # The numbers are in sight next to the answer, whatever it is called.
    page.set_viewport_size(PHONE)
    for table in page.locator(".wide").all():
        assert table.evaluate("each => each.scrollWidth <= each.clientWidth")
