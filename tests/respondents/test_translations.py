"""Every text that respondents read has a translation, complete and compiled."""

import re
from pathlib import Path

import polib
import pytest
from django.conf import settings

from tests.messages import (
    PROJECT,
    PYTHON,
    TEMPLATES,
    catalogues,
    compiled,
    extract,
    in_python,
    in_template,
    message_of,
    renew,
)

# Words that would call an answer untrue, or promise more than is done; design rule.
FORBIDDEN = {
    "de": (r"\blüg", r"\bgelogen", r"falsch", r"fälsch", r"\banonym", r"zufallsantw")
}

PLACEHOLDER = re.compile(r"%(?:\((\w+)\))?s")

TRANSLATIONS = catalogues()

for_each_language = pytest.mark.parametrize("language", TRANSLATIONS)


def translations_of(entry):
    return list(entry.msgstr_plural.values()) or [entry.msgstr]


def pairs(language):
    """Yield each translation beside what it translates; plurals beside plurals."""
    for entry in TRANSLATIONS[language]:
        for text in translations_of(entry):
            yield entry.msgid_plural or entry.msgid, text


def placeholders(text):
    named = {name for name in PLACEHOLDER.findall(text) if name}
    return named, text.count("%s"), PLACEHOLDER.sub("", text).count("%")


def test_every_language_but_english_has_a_catalogue():
    english, *others = (code for code, _name in settings.LANGUAGES)
    assert english == settings.LANGUAGE_CODE == "en"
    assert others == list(TRANSLATIONS) != []


@for_each_language
def test_the_catalogue_has_the_texts_of_the_sources_and_no_others(language):
    entries = [message_of(entry) for entry in TRANSLATIONS[language]]
    assert entries == list(extract()), "run: python -m tests.messages"


@for_each_language
def test_every_text_is_translated(language):
    assert not any(entry.fuzzy for entry in TRANSLATIONS[language])
    assert [source for source, text in pairs(language) if not text.strip()] == []


@for_each_language
def test_a_translation_has_the_placeholders_of_its_text(language):
    for source, text in pairs(language):
        assert placeholders(text) == placeholders(source)


@for_each_language
def test_a_translation_ends_like_its_text(language):
    """Sentences are put together: a stop too few or too many would show."""
    for source, text in pairs(language):
        ends = [each[-1:] if each[-1:] in ".:? " else "" for each in (source, text)]
        assert ends[0] == ends[1], text


@for_each_language
def test_no_translation_uses_a_forbidden_word(language):
    texts = [text for _source, text in pairs(language)]
    forbidden = re.compile("|".join(FORBIDDEN[language]), re.IGNORECASE)
    assert [text for text in texts if forbidden.search(text)] == []


@for_each_language
def test_what_is_compiled_is_what_is_written(language):
    catalogue = TRANSLATIONS[language]
    built = compiled(Path(catalogue.fpath))
    assert built.read_bytes() == catalogue.to_binary(), "run: python -m tests.messages"


def test_texts_are_found_however_they_are_marked():
    source = """
label = gettext_lazy("One")
text = _("Two, "
         "and three")
count = ngettext("%s four", "%s fours", n) % n
known = _(label)
name = "Five"
"""
    assert set(in_python(source)) == {
        ("One", ""),
        ("Two, and three", ""),
        ("%s four", "%s fours"),
    }
    template = """{% load i18n %}
{% if a %}{% translate "One" %}{% endif %}
{% for b in c %}
  {% blocktranslate with d=b.d %}Two {{ d }}{% endblocktranslate %}
{% endfor %}
{% blocktranslate count n=m %}{{ n }} three{% plural %}{{ n }} threes
{% endblocktranslate %}
{% blocktranslate trimmed %}
  Six
  seven
{% endblocktranslate %}
{% block four %}<p title="{% translate "Four" %}">Five</p>{% endblock %}"""
    assert set(in_template(template)) == {
        ("One", ""),
        ("Two %(d)s", ""),
        ("%(n)s three", "%(n)s threes\n"),
        ("Six seven", ""),
        ("Four", ""),
    }


@pytest.mark.parametrize("text", ['_(f"Of {n}")', '_("Of " + n)', '_("Of %s" % n)'])
def test_a_text_that_nobody_can_translate_is_found(text):
    with pytest.raises(ValueError, match="line 1"):
        list(in_python(text))


def test_a_new_text_comes_in_untranslated_and_an_old_one_goes():
    catalogue = polib.POFile()
    catalogue.append(polib.POEntry(msgid="Stays", msgstr="Bleibt"))
    catalogue.append(polib.POEntry(msgid="Goes", msgstr="Geht"))
    renew(catalogue, {("New", "News"): ["a.py"], ("Stays", ""): ["a.py", "b.py"]})
    assert [message_of(entry) for entry in catalogue] == [
        ("New", "News"),
        ("Stays", ""),
    ]
    assert [translations_of(entry) for entry in catalogue] == [["", ""], ["Bleibt"]]


def test_what_is_looked_through_is_there():
    assert all(any(PROJECT.glob(pattern)) for pattern in (*PYTHON, *TEMPLATES))
