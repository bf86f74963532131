"""Help: what is wider than a phone shows that more follows; pictures can be read."""

import pytest

from tests.browser.accessibility import PHONE, scrolls_sideways, watch_console

pytestmark = [pytest.mark.browser, pytest.mark.windowless]

COVERS = """box => {
  const opaque = each => {
    const {backgroundColor, backgroundImage} = getComputedStyle(each);
    return backgroundImage !== "none" || !/, 0\\)$/.test(backgroundColor);
  };
  return [...box.querySelectorAll(":scope > *, thead th, tr")].some(opaque);
}"""
HAS_A_SHADOW = """box => getComputedStyle(box).backgroundImage.includes("gradient")"""
IS_WIDER = "box => box.scrollWidth > box.clientWidth + 1"


@pytest.fixture
def phone(page, site):
    console_messages = watch_console(page, site)
    page.set_viewport_size(PHONE)
    yield page
    assert console_messages == []


def test_the_scroll_shadow_is_never_covered(phone, site):
    phone.goto(f"{site.url}/help/administrators/large-sites/")
    assert not scrolls_sideways(phone)
    for inside in ("pre", "table"):
        boxes = phone.locator(f".scroll:has(> {inside})").all()
        assert any(box.evaluate(IS_WIDER) for box in boxes)
        assert all(box.evaluate(HAS_A_SHADOW) for box in boxes)
        assert not any(box.evaluate(COVERS) for box in boxes)


def test_pictures_use_the_full_width(phone, site):
    """Screens of 1,120 pixels: as narrow as a line of text they are hard to read."""
    phone.set_viewport_size({"width": 1280, "height": 900})
    phone.goto(f"{site.url}/help/start/first-survey/")
    picture = phone.get_by_role("img", name="The checklist before opening")
    line = phone.get_by_text("The list says what to fix before opening")
    wide, narrow = (each.bounding_box()["width"] for each in (picture, line))
    room = phone.locator(".document").evaluate(
        """each => each.clientWidth - parseFloat(getComputedStyle(each).paddingLeft)
        - parseFloat(getComputedStyle(each).paddingRight)"""
    )
    assert narrow < wide == pytest.approx(room, abs=1)
