"""Translating a draft, side by side."""

import pytest

from surveys.models import Survey
from tests.browser.everybody import log_in, note_complaints, objections
from tests.factories import make_survey

pytestmark = [
    pytest.mark.browser,
    pytest.mark.windowless,
    pytest.mark.usefixtures("all_steps"),
]


def test_a_draft_is_translated(page, site):
    survey = make_survey(opened=False, purpose="To learn.")
    complaints = note_complaints(page, site)
    log_in(page, site, survey.owner)
    page.goto(f"{site.url}/admin/surveys/survey/{survey.pk}/change/")
    page.click("text=Translations")
    page.select_option("#add_language", "ar")
    page.click("button[value=add]")
    page.get_by_label("Title", exact=True).fill("عادات الدراسة")
    page.get_by_label("Why it is asked").fill("لنتعلم")
    page.get_by_label("Question", exact=True).fill("سؤال؟")
    assert objections(page) == []
    page.click("button[value=save]")
    page.wait_for_selector("text=Translated into العربية.")
    assert Survey.objects.get().problems() == []
    assert (objections(page), complaints) == ([], [])
