"""From results to the page for everybody, as the owner does it, in real Chromium."""

import pytest
from django.urls import reverse

from respondents.models import SealedPattern, close
from tests.browser.everybody import DESKTOP, PHONE, log_in, scrolls_sideways, violations
from tests.factories import make_survey

pytestmark = pytest.mark.browser


# Coin and direct question, three answers: groups of 200 and 100.
COUNTS = {b"\0\0\0": 90, b"\1\0\1": 110, b"\0\1\1": 30, b"\1\1\2": 70}


@pytest.fixture
def survey(site):
    three = ("k_ary", {"epsilon": 1, "choices": 3})
    survey = make_survey(["coin", "direct", three])
    SealedPattern.objects.add(survey, COUNTS)
    close(survey)
    return survey


@pytest.fixture
def owner(page, site, client, survey):
    """The owner's browser, and what it complained about."""
    complaints = []
    page.on(
        "console",
        lambda message: (
            complaints.append(message.text)
            if "Content Security Policy" in message.text
            else None
        ),
    )
    log_in(page, site, client, survey.owner)
    yield page
    assert complaints == []


def look(page, schemes=("light", "dark")):
    """Everybody can read the page that is there, on a phone and on a desk."""
    for scheme, viewport in zip(schemes, (PHONE, DESKTOP), strict=False):
        page.emulate_media(color_scheme=scheme)
        page.set_viewport_size(viewport)
        # Colours that fade from one scheme to the other have no contrast on the way.
        page.reload()
        for image in page.locator("figure img").all():
            image.scroll_into_view_if_needed()
            image.evaluate("image => image.decode()")
            assert f"theme={scheme}" in image.evaluate("image => image.currentSrc")
        assert violations(page) == []
        assert not scrolls_sideways(page)


def test_results_are_compared_chosen_looked_at_and_published(owner, site, survey):
    page = owner
    results = reverse("admin:estimation_results", args=[survey.pk])
    page.goto(f"{site.url}{results}")
    page.get_by_role("heading", name="All questions at a glance").wait_for()
    with page.expect_download() as download:
        page.get_by_role("link", name="PDF all questions").click()
    assert download.value.suggested_filename == "study-habits-overview.pdf"

    page.get_by_role("link", name="Compare groups").click()
    page.get_by_label("in groups by the answers to").select_option("2")
    page.get_by_role("button", name="Compare").click()
    page.get_by_text("200 people").first.wait_for()
    look(page)

    page.get_by_role("link", name="Publish", exact=True).click()
    page.get_by_label("Headline").fill("Nearly half copied")
    page.get_by_label("3. Sensitive question 3?").uncheck()
    page.get_by_role("button", name="Save").click()
    page.get_by_text("Not public").wait_for()
    page.get_by_role("link", name="Preview").click()
    page.get_by_text("Preview: the public does not see this page here.").wait_for()
    page.go_back()
    page.get_by_role("button", name="Publish now").click()
    page.get_by_text("Published the results.").wait_for()
    look(page)


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_public_page_is_for_everybody_and_leaves_nothing(
    page, site, client, language
):
    survey = make_survey(["coin", "direct"], language=language)
    SealedPattern.objects.add(survey, {b"\0\0": 90, b"\1\1": 110})
    close(survey)
    client.force_login(survey.owner)
    choice = {"questions": [1, 2], "confidence_level": 0.95, "method": "pratt"}
    address = reverse("admin:estimation_publish", args=[survey.pk])
    client.post(address, choice)
    client.post(f"{address}switch/", {"is_public": "on"})

    complaints, elsewhere = [], []
    page.on("console", lambda message: complaints.append(message.text))
    page.on(
        "request",
        lambda request: (
            elsewhere.append(request.url)
            if not request.url.startswith(site.url)
            else None
        ),
    )
    # The page of the closed survey leads there; its status makes the console speak.
    page.goto(f"{site.url}{survey.get_absolute_url()}")
    complaints.clear()
    page.locator("main a").first.click()
    page.wait_for_url("**/r/**")
    look(page)
    page.locator("summary").first.click()
    assert page.locator("table").first.is_visible()
    with page.expect_download() as download:
        page.locator(".download a").click()
    assert download.value.suggested_filename == "study-habits-published.csv"
    assert page.context.cookies() == []
    assert page.evaluate("localStorage.length + sessionStorage.length") == 0
    assert (complaints, elsewhere) == ([], [])

    # Paper is white, whatever the screen is.
    page.emulate_media(media="print", color_scheme="dark")
    taken = page.evaluate(
        """[...document.querySelectorAll("picture")].map(picture => [
             ...picture.querySelectorAll("source")
           ].find(source => matchMedia(source.media).matches).srcset)"""
    )
    assert ["theme=light" in source for source in taken] == [True] * 3
    client.post(f"{address}switch/", {"is_public": "off"})
    assert page.reload().status == 404
