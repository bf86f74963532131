"""Every page of a survey, and what on it is still English."""

import re
from functools import cache
from html import unescape

from django.test import Client

from respondents.storage.invitations import Invitation
from scripts.messages import catalogues, for_respondents
from tests.factories import find_thanks, give_reason, make_survey, open_survey

URL = "/s/study-habits/"
MODES = ("browser", "server", "hand")
METHOD = ("how-it-works", "what-we-store")

FORM = "application/x-www-form-urlencoded"

FAMILIES = {
    "browser": (
        ("coin", {}),
        ("forced_response", {"forced_yes": "1/6", "forced_no": "1/5"}),
        ("direct", {}),
        ("epsilon", {"epsilon": "5"}),
    ),
    "server": (("coin", {}), ("k_ary", {"epsilon": "1", "choices": 3})),
    "hand": (
        ("coin", {}),
        ("die", {}),
        ("crosswise", {"prevalence": "1/4"}),
        ("kuk", {"p_red_given_yes": "4/5", "p_red_given_no": "1/5"}),
        ("warner", {"p": "4/5"}),
        ("forced_response", {"forced_yes": "1/6", "forced_no": "1/6"}),
        ("unrelated_question", {"p_sensitive": "2/3", "prevalence": "1/4"}),
    ),
}
"""Mechanisms by mode that cover every kind of sentence."""

IN_GERMAN = {
    "title": "Umfrage zum Studium",
    "organiser": "Institut für Beispiele",
    "purpose": "Wir möchten wissen, wie viele es betrifft.",
    "consent": "Ich bin 18 Jahre alt oder älter.",
    "contact": "umfrage@example.org",
    "ethics_reference": "7/2026",
    "results_note": "Sie stehen im Mai im Netz.",
    "language": "de",
}


def make_translated_survey(mode="browser", *, say=None, **fields):
    """A survey whose own texts are German, or translated by `say`."""
    say = say or (lambda text: text)
    own = {name: say(text) for name, text in IN_GERMAN.items() if name != "language"}
    survey = make_survey((), opened=False, mode=mode, language="de", **own, **fields)
    for number, (family, parameters) in enumerate(FAMILIES[mode], start=1):
        count = parameters.get("choices", 2)
        survey.add_question(
            say(f"Frage Nummer {number}, die heikel ist?"),
            family=family,
            parameters=parameters,
            choices=[say(label) for label in ("Ja", "Nein", "Keine Angabe")[:count]],
            innocuous_question=say("Hat Ihre Mutter im Mai Geburtstag?"),
        )
    give_reason(survey, say("Nur alle Antworten zusammen zeigen es."))
    open_survey(survey)
    return survey


def pages_of(survey):
    """Return the HTML of every page that a respondent of `survey` can come to."""
    client = Client()
    url = survey.get_absolute_url()
    asked = f"?language={survey.language}"
    found = [client.get(f"/{page}/{asked}") for page in METHOD]
    found += [client.get(url)]
    if survey.mode == "hand":
        found += [client.get(f"{url}card/{paper}") for paper in ("", "?paper=a6")]
    if survey.mode != "browser":
        (token,) = Invitation.objects.make(survey, 1)
        # Nothing is chosen; nothing is agreed to; with a link that no one has, and with
        # a code that is no code.
        for code in (token, "x" * 22, "x"):
            found += [client.post(url, f"invitation={code}", FORM)]
        found += [client.get(find_thanks(survey))]
    survey.state, survey.closed_on = "closed", "2026-03-03"
    survey.save()
    found += [client.get(url)]
    return [page.content.decode() for page in found]


SPOKEN = re.compile(r'\b(?:aria-label|data-error|data-title|title|alt)="([^"]*)"')


def spoken_attributes(html):
    """Return the attributes that are read out or shown."""
    return [unescape(text) for text in SPOKEN.findall(html)]


def fragments(text):
    """Return the parts of a text between its placeholders."""
    return [part.strip() for part in re.split(r"%\(\w+\)s|%s", text)]


def holds(text, fragment):
    # Few texts have it at all, and patterns of a thousand fragments are slow to make.
    if fragment not in text:
        return False
    return re.search(rf"(?<!\w){re.escape(fragment)}(?!\w)", text) is not None


@cache
def english_fragments(language):
    """Return the parts of English texts that no translation uses too."""
    translated = "\n".join(
        "\n".join([entry.msgstr, *entry.msgstr_plural.values()])
        for entry in catalogues()[language]
    )
    return {
        part
        for message in for_respondents()
        for each in message
        for part in fragments(each)
        if re.search(r"\w\w", part) and not holds(translated, part)
    }


def english_in(text, *, language="de"):
    return sorted(part for part in english_fragments(language) if holds(text, part))
