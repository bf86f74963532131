"""Every text that respondents read has a translation, complete and compiled."""

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.utils import translation
from django.utils.translation import ngettext

from scripts.messages import catalogues, compiled, for_respondents, message_of

# Words that would call an answer untrue, or promise more than is done; design rule.
FORBIDDEN = {
    "ar": (
        r"كذب", r"كاذب", r"أكاذيب", r"زائف", r"مزو[َّ]*ر", r"تزوير", r"خاطئ", r"غير صحيح",
        r"مغلوط", r"وهمي", r"مجهول", r"إجاب\w* (?:ال)?عشوائي", r"تشفير",
    ),
    "de": (r"\blüg", r"\bgelogen", r"falsch", r"fälsch", r"\banonym", r"zufallsantw"),
    "es": (
        r"\bmentir", r"\bmentid", r"\bmient(?!ras)", r"\bminti", r"\bfals",
        r"\ban[oó]nim", r"\bengañ", r"\bencript", r"\bcifra[dr]",
        r"respuestas? (?:aleatori|al azar|inventad)",
    ),
    "fr": (
        r"mensong", r"\bment(?:i\b|ir|is\b|it\b|ent\b|eur|euse|ez\b)", r"\bfaux\b",
        r"\bfauss", r"falsifi", r"truqu", r"\banonym", r"aléatoire", r"\bcrypt",
        r"chiffr(?:er|é|em)",
    ),
}  # fmt: skip

PLACEHOLDER = re.compile(r"%(?:\((\w+)\))?[sd]|\{\w+\}")
COUNTS = {"%(batch_size)s", "%(count)s", "%(links)s", "%(minutes)s", "%(shown)s"}
TAG = re.compile(r"</?\w[^>]*>")

TRANSLATIONS = catalogues()

for_each_language = pytest.mark.parametrize("language", TRANSLATIONS)


def translations_of(entry):
    return list(entry.msgstr_plural.values()) or [entry.msgstr]


def is_for_respondents(entry):
    return message_of(entry) in for_respondents()


def pairs(language):
    """Yield each translation with what it translates; plurals with plurals.

    Left out are texts for researchers that no one has translated yet.
    """
    for entry in TRANSLATIONS[language]:
        if is_for_respondents(entry) or any(translations_of(entry)):
            forms = translations_of(entry)
            plural = entry.msgid_plural or entry.msgid
            # Two forms are one and many, as in English.
            first = entry.msgid if len(forms) == 2 else plural
            yield from zip([first, *[plural] * len(forms)], forms, strict=False)


def placeholders(text):
    named = {each.group() for each in PLACEHOLDER.finditer(text) if each[1]}
    unnamed = sorted(each.group() for each in PLACEHOLDER.finditer(text) if not each[1])
    return named, unnamed, PLACEHOLDER.sub("", text).count("%")


def test_every_language_but_english_has_a_catalogue():
    english, *others = (code for code, _name in settings.LANGUAGES)
    assert english == settings.LANGUAGE_CODE == "en"
    assert others == list(TRANSLATIONS) != []


@for_each_language
def test_every_text_is_translated(language):
    assert not any(entry.fuzzy for entry in TRANSLATIONS[language])
    assert [source for source, text in pairs(language) if not text.strip()] == []


def test_every_researcher_text_is_translated_into_their_languages():
    english, *others = settings.LANGUAGES_OF_RESEARCHERS
    assert (english, others) == (settings.LANGUAGE_CODE, ["de"])
    for language in others:
        missing = [
            message_of(entry)
            for entry in TRANSLATIONS[language]
            if not all(text.strip() for text in translations_of(entry))
        ]
        assert missing == []


@for_each_language
def test_a_translation_has_the_placeholders_of_its_text(language):
    for source, text in pairs(language):
        named, *others = placeholders(text)
        expected, *rest = placeholders(source)
        # Arabic has words for none, one and two, and forms for them.
        if language != "ar" or not (expected - named) <= COUNTS:
            assert named == expected
        assert others == rest


def test_arabic_plural_forms_for_one_and_two_contain_no_digit():
    for entry in TRANSLATIONS["ar"]:
        for number in (1, 2):
            form = entry.msgstr_plural.get(number, "")
            assert not re.search(r"\(%\(\w+\)s\)", form)
    with translation.override("ar"):
        said = ngettext("%(count)s question", "%(count)s questions", 2)
    assert said == "سؤالان"


@for_each_language
def test_a_translation_has_the_tags_of_its_text(language):
    for source, text in pairs(language):
        assert TAG.findall(text) == TAG.findall(source)


@for_each_language
def test_a_translation_ends_like_its_text(language):
    """Sentences are put together: a stop too few or too many would show."""
    for source, text in pairs(language):
        text = text.replace("؟", "?")  # Arabic
        ends = [each[-1:] if each[-1:] in ".:? " else "" for each in (source, text)]
        assert ends[0] == ends[1], text


@for_each_language
def test_no_translation_uses_a_forbidden_word(language):
    texts = [
        text
        for entry in TRANSLATIONS[language]
        if is_for_respondents(entry)
        for text in translations_of(entry)
    ]
    forbidden = re.compile("|".join(FORBIDDEN[language]), re.IGNORECASE)
    assert [text for text in texts if forbidden.search(text)] == []


@for_each_language
def test_compiled_catalogues_match_their_sources(language):
    catalogue = TRANSLATIONS[language]
    built = compiled(Path(catalogue.fpath))
    assert built.read_bytes() == catalogue.to_binary(), (
        "run: python -m scripts.messages"
    )
