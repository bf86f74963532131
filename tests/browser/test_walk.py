"""Accessibility of every page with an address, in every scheme and size.

collecting/test_access.py covers the screens of respondents, test_accounts.py those of
accounts.
"""

import pytest
from django.test import Client
from playwright.sync_api import expect

from estimation.models import Publication
from respondents.distribution import rehearsal
from respondents.models import SealedPattern, close
from surveys.authoring.deletion import delete_draft
from surveys.log import record
from surveys.models import Invitee, Membership, Role
from surveys.sentence import make_sentence
from tests.browser.accessibility import PHONE, find_problems, log_in, watch_console
from tests.factories import make_survey, make_user

pytestmark = [pytest.mark.browser, pytest.mark.windowless]

THREE = ("k_ary", {"epsilon": 1, "choices": 3})
LONG_ADDRESS = "https://institute.example/" + "study_habits_" * 20

OPEN_DETAILS = """for (const each of document.querySelectorAll("details")) {
  if (!each.name) each.open = true;
}"""


@pytest.fixture
def check_address(page, site):
    """A function that checks the page of an address in every scheme and size."""
    console_messages = watch_console(page, site)

    def look(address):
        # The form requests its figures after it has loaded.
        is_form = address.endswith(("/change/", "/add/"))
        until = "networkidle" if is_form else "load"
        page.goto(f"{site.url}{address}", wait_until=until)
        page.evaluate(OPEN_DETAILS)
        assert (find_problems(page), console_messages) == ([], [])

    return look


@pytest.fixture
def walk(page, site, check_address):
    """A function that checks pages about a survey as its owner."""

    def go(survey, *names):
        log_in(page, site, survey.owner)
        for name in names:
            check_address(f"/admin/surveys/survey/{survey.pk}/{name}")

    return go


def test_pages_without_a_survey_are_accessible(page, site, check_address):
    for address in ("/", "/help/reference/commands/", "/help/?q=mean"):
        check_address(address)
    newcomer = make_user("newcomer", email="newcomer@example.org")
    log_in(page, site, newcomer)
    check_address("/admin/")
    arabic = {"ar": {"title": "عادات الدراسة"}}
    texts = {"translations": arabic, "purpose": LONG_ADDRESS}
    draft = make_survey(owner=newcomer, slug="draft", opened=False, **texts)
    copied = make_sentence("Created as a copy of “%(title)s”.", title=LONG_ADDRESS)
    record(newcomer, draft, copied)
    close(make_survey(owner=newcomer, slug="closed"))
    delete_draft(newcomer, make_survey(owner=newcomer, slug="deleted", opened=False))
    invited = make_survey(owner=make_user("maria"), slug="invited")
    Invitee.objects.create(survey=invited, email=newcomer.email, role=Role.EDITOR)
    page.goto(f"{site.url}/admin/")
    expect(page.get_by_role("heading", name="You are invited")).to_be_visible()
    page.locator(".menu-of-row summary").first.click()
    assert find_problems(page) == []
    for name in ("", "deleted/", "studies/", "from-file/", "import/"):
        check_address(f"/admin/surveys/survey/{name}")
    for name in ("people/invite/", "translations/?language=ar", "history/"):
        check_address(f"/admin/surveys/survey/{draft.pk}/{name}")
    page.goto(f"{site.url}/admin/surveys/survey/add/")
    page.get_by_role("button", name="Add question").click()
    expect(page.locator(".question:visible")).to_have_count(2)
    assert find_problems(page) == []


def test_pages_of_a_draft_are_accessible_before_and_after_a_rehearsal(walk):
    draft = make_survey(
        ["coin", THREE], opened=False, contact="me@example.org", consent="I take part."
    )
    Membership.objects.create(survey=draft, user=make_user("maria"), role=Role.EDITOR)
    walk(draft, "change/", "people/", "duplicate/", "history/", "delete/")
    walk(draft, "try/", "try/simulate/")
    test = rehearsal.start(draft)
    SealedPattern.objects.add(test, {b"\0\0": 90, b"\1\2": 110})
    walk(draft, "open/", "try/")


def test_pages_of_an_open_survey_are_accessible(walk):
    """Results are sound, unprotected, out of range and missing."""
    counts = {b"\0\0\1\0": 30, b"\1\1\1\1": 60, bytes([255, 1, 1, 2]): 10}
    survey = make_survey(
        ["coin", "direct", "die", THREE],
        batch_size=2,
        target=400,
        wanted_margin=5,
        closes_at_target=True,
        counts=counts,
    )
    walk(survey, "change/", "period/", "close/", "share/", "share/poster/")
    walk(survey, "monitor/", "results/?forged=5&is_census=on", "export/", "tokens/")
    walk(make_survey(slug="i", owner=survey.owner, access="invitation"), "links/")


def test_pages_comparing_two_surveys_are_accessible(walk):
    """One of them has a single question, so nothing else can be compared."""
    survey = make_survey(counts={b"\0": 90, b"\1": 110})
    counts = {b"\0\0": 190, b"\1\1": 110}
    later = make_survey(["coin", "direct"], slug="later", counts=counts)
    walk(survey, "results/compare/")
    walk(later, f"results/compare/?first=1&other={survey.pk}")


def test_pages_of_a_closed_survey_are_accessible(walk):
    weak = ("epsilon", {"epsilon": "0.01"})
    # The last question does not fit, and the one before it does not vary.
    counts = {b"\0\0\0\0\1": 40, b"\1\1\1\0\1": 90, b"\2\1\0\0\1": 50}
    survey = make_survey(
        [THREE, THREE, weak, "direct", "coin"], counts=counts, closed=True
    )
    walk(survey, "archive/", "purge/")
    walk(survey, "results/", "results/compare/?first=1&second=2", "results/regression/")


def test_published_results_are_accessible(walk, check_address):
    # Groups of 200 and 100. The first and the third answer are equal in all reports: no
    # finite odds.
    survey = make_survey(
        ["coin", "direct", "coin"],
        language="de",
        counts={b"\0\0\0": 90, b"\1\0\1": 110, b"\0\1\0": 30, b"\1\1\1": 70},
        closed=True,
    )
    odds = "results/regression/?outcome=1-0&scrambled=3&confidence_level=0.95"
    walk(survey, odds, "results/weighted/?known2_1=50&known2_2=50", "publish/")
    owner = Client()
    owner.force_login(survey.owner)
    address = f"/admin/surveys/survey/{survey.pk}/publish/"
    choice = {"questions": [1, 2, 3], "confidence_level": 0.95, "method": "pratt"}
    owner.post(address, {"headline": "Nearly half copied", **choice})
    owner.post(f"{address}switch/", {"is_public": "on"})
    walk(survey, "publish/preview/", "results/")
    check_address(f"/r/{Publication.objects.get().token}/")


def test_results_with_very_long_words_fit_a_phone(page, walk, check_address):
    word = "Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz" * 2
    question = {"text": f"{word}?", "choices": [word, "No"]}
    survey = make_survey(
        [question], title=word, counts={b"\0": 90, b"\1": 110}, closed=True
    )
    publication = Publication.objects.create(
        survey=survey, questions=[1], headline=word
    )
    publication.switch(is_public=True)
    walk(survey, "results/")
    check_address(f"/r/{publication.token}/")
    # Long answers do not push the numbers off the screen.
    page.set_viewport_size(PHONE)
    for table in page.locator(".wide").all():
        assert table.evaluate("each => each.scrollWidth <= each.clientWidth")
