"""Previews of texts for respondents, and the suggested consent text."""

import pytest

from surveys.authoring.forms.survey import MAX_TEXT_LENGTH
from surveys.authoring.library import suggest_consent
from tests.surveys.test_markdown import HOSTILE, harmful_tags

TEXTS = "/admin/surveys/survey/texts/"


def ask(client, **given):
    return client.post(TEXTS, {"text": "", "language": "en", **given})


def test_a_text_is_shown_as_respondents_see_it(client, researcher):
    answer = ask(client, text="We ask **everybody**.\n\n- you")
    assert answer.json()["html"] == (
        "<p>We ask <strong>everybody</strong>.</p>\n<ul>\n<li>you</li>\n</ul>\n"
    )


def test_the_preview_is_sanitised(client, researcher):
    # A form refuses the one with a null byte before.
    hostile = "\n\n".join(text for text in HOSTILE if "\0" not in text)
    html = ask(client, text=hostile).json()["html"]
    assert harmful_tags(html) == []


def test_texts_that_cannot_be_saved_have_no_preview(client, researcher):
    too_long = {"text": "x" * (MAX_TEXT_LENGTH + 1)}
    for given in (too_long, {"language": "xx"}, {"language": ""}):
        assert ask(client, **given).status_code == 400
    assert client.get(TEXTS).status_code == 405


def test_the_suggested_text_contains_the_typed_values(client, researcher):
    given = {"title": "Habits", "organiser": "Institute", "contact": "us@example.org"}
    text = ask(client, **given).json()["consent"]
    assert text.startswith("I take part in “Habits” because I want to.")
    assert "The survey is run by Institute." in text
    assert "could ask before: us@example.org." in text
    text = ask(client, title="Gewohnheiten", language="de").json()["consent"]
    assert text.startswith("Ich nehme freiwillig an „Gewohnheiten“ teil.")


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_suggested_text_does_not_promise_anonymity(language):
    text = suggest_consent(title="", organiser="", contact="", language=language)
    assert "anonym" not in text.lower()


def test_text_previews_require_a_login(client):
    assert ask(client, text="*x*").status_code == 302
