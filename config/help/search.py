"""Search in the help: the sections that contain all words."""

import math
import re
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import zip_longest

from django.conf import settings
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from config.help.documents import Document, Section, all_documents
from config.help.keywords import KEYWORDS

MAX_FOUND = 20
LONGEST = 200
"""Characters of a question that are looked for."""

MAX_WORDS = 12
"""Of a question: each is looked for in all documents, and anyone may ask."""

KEPT_PATTERNS = 1000

SMALL = frozenset(
    re.findall(
        r"\w+",
        "a about an and any are as at be by can could did do does for from has have "
        "how i if in is it its many may me much must my not of on or our should so "
        "than that the their them there they this to was we were what when where "
        "which who why will with would you your",
    )
)
"""Words that questions are made of; looked for only where there are no others."""

PLURAL = re.compile(r"(\w{2}(?:ch|sh|ss|x))es$|(?<=\w{3})s$")
"""What a word loses: batches, reports, but not its."""

ENDINGS = re.compile(r"(?<=\w{4})(?:ing|ed|ion|e)$")
"""What it loses then: closing, closed, close are one word in a search."""

AS_IT_IS = 3
"""Shorter words are looked for whole: R is not in every word that has an r."""

AROUND = 110
"""Characters of the text that are shown before and after the first word."""

IS_THE_HEADING, IN_THE_TITLE, IN_THE_HEADING, MOST_IN_THE_TEXT = 40, 30, 20, 9
"""What a word is worth where it stands; in the text by how often, up to a limit."""

IS_MEANT = 10_000
"""What each word of a keyword is worth: its place comes before all others."""

OF_A_LIST = ("References", "Sources", "Source")
"""Headings of sections that are about nothing: titles of works."""

NEARNESS = {
    "start": 12, "researchers": 9, "background": 8, "privacy": 8,
    "administrators": 8, "reference": 3, "developers": 3, "decisions": 2,
}  # fmt: skip
ELSEWHERE = 1
"""How near a folder is to most who ask; index and changelog are the farthest."""


@dataclass(frozen=True)
class Found:
    document: Document
    section: Section
    score: float
    excerpt: SafeString

    @property
    def heading(self) -> str:
        if not self.section.heading:
            return self.document.title
        return f"{self.document.title}: {self.section.heading}"

    @property
    def address(self) -> str:
        anchor = self.section.anchor
        return f"{self.document.address}#{anchor}" if anchor else self.document.address


@cache
def list_keywords() -> list[tuple[frozenset[str], str]]:
    return [
        (frozenset(split_words(phrase)), place)
        for place, phrases in KEYWORDS.items()
        for phrase in phrases.split(", ")
    ]


def find_meant(words: list[str]) -> dict[str, int]:
    """Return the places that keywords of a question name, with their points."""
    named = [
        (place, len(phrase) * IS_MEANT)
        for phrase, place in list_keywords()
        if phrase <= set(words)
    ]
    return dict(sorted(named, key=lambda each: each[1]))


def split_words(question: str) -> list[str]:
    """Return what to look for: the words that matter, without their endings."""
    words = re.findall(r"[\w'-]+", question[:LONGEST].lower())
    words = [each for each in words if each not in SMALL] or words
    return list(dict.fromkeys(map(stem, words)))[:MAX_WORDS]


def stem(word: str) -> str:
    """Return what is the same in all forms of a word, more or less."""
    return ENDINGS.sub("", PLURAL.sub(lambda end: end[1] or "", word))


@lru_cache(maxsize=KEPT_PATTERNS)
def make_pattern(word: str) -> re.Pattern[str]:
    ending = r"\w*" if len(word) > AS_IT_IS else r"s?\b"
    return re.compile(rf"(?<!\w){re.escape(word)}{ending}", re.IGNORECASE)


def search(question: str, language: str = "en") -> list[Found]:
    """Return the sections that hold the words, the best match first.

    All of them, or of three words and more all but a third. Documents are those in
    English and in the language of the reader.
    """
    words = split_words(question)
    if not words:
        return []
    places = [
        (each, part)
        for each in all_documents()
        if each.language in {settings.LANGUAGE_CODE, language}
        for part in each.sections
    ]
    texts = [f"{above(*place)} {place[1].heading} {place[1].text}" for place in places]
    lower = [text.lower() for text in texts]
    counts = {
        word: [
            # Whether it is there at all is seen in a hundredth of the time.
            len(make_pattern(word).findall(text)) if word in plain else 0
            for text, plain in zip(texts, lower, strict=True)
        ]
        for word in words
    }
    # A word that stands everywhere says little: surveys, answers.
    worth = {
        word: 1 + math.log(len(places) / (1 + sum(map(bool, found))))
        for word, found in counts.items()
    }
    asked = " ".join(question.lower().split())
    meant = find_meant(words)
    found = []
    for number, (document, part) in enumerate(places):
        held = [word for word in words if counts[word][number]]
        name = f"{document.name}#{part.anchor}".removesuffix("#")
        is_meant = meant.get(name, 0)
        too_few = not held or len(words) - len(held) > len(words) // 3
        if too_few and not is_meant:
            continue
        points = sum(
            worth[word] * score_word(word, document, part, counts[word][number])
            for word in held
        )
        message = part.heading.lower()
        if " " in message and message in asked:
            points += IS_THE_HEADING
        score = nearness(document, part) * points * len(held) ** 2 / len(words) ** 2
        shown = excerpt(part.text, held or words)
        found.append(Found(document, part, score + is_meant, shown))
    return sorted(found, key=lambda each: -each.score)[:MAX_FOUND]


def score_word(word: str, document: Document, section: Section, count: int) -> float:
    heading, pattern = section.heading, make_pattern(word)
    return (
        IS_THE_HEADING * (stem(heading.lower()) == word)
        + IN_THE_TITLE * bool(pattern.search(above(document, section)))
        + IN_THE_HEADING * bool(pattern.search(heading))
        + min(2 * math.log2(1 + count), MOST_IN_THE_TEXT)
    )


def above(document: Document, section: Section) -> str:
    """Return the title, which stands above every section, but speaks for the first."""
    return document.title if section is document.sections[0] else ""


def nearness(document: Document, section: Section) -> float:
    if section.heading in OF_A_LIST:
        return 1
    folder = document.name.removeprefix(f"{document.language}/").partition("/")[0]
    return NEARNESS.get(folder, ELSEWHERE)


def excerpt(text: str, words: list[str]) -> SafeString:
    plain = " ".join(text.split())
    every = "|".join(make_pattern(each).pattern for each in words)
    pattern = re.compile(f"({every})", re.IGNORECASE)
    first = pattern.search(plain)
    at = first.start() if first else 0
    begin, end = max(at - AROUND, 0), at + AROUND
    shown = plain[begin:end]
    if begin:
        shown = "… " + shown.partition(" ")[2]
    if end < len(plain):
        shown = shown.rpartition(" ")[0] + " …"
    parts = pattern.split(shown)
    return format_html_join(
        "",
        "{}{}",
        (
            (part, format_html("<mark>{}</mark>", word) if word else "")
            for part, word in zip_longest(parts[::2], parts[1::2], fillvalue="")
        ),
    )
