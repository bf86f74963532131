"""Search in the help: the sections that contain all words."""

import math
import re
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import zip_longest

from django.conf import settings
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from config.help.documents import Document, Section, iterate_documents
from config.help.keywords import KEYWORDS

MAX_FOUND = 20
LONGEST = 200
"""Characters of a query that are used."""

MAX_WORDS = 12
"""Words of a query that are used: each takes time, and any visitor may search."""

KEPT_PATTERNS = 1000

STOP_WORDS = frozenset(
    re.findall(
        r"\w+",
        "a about an and any are as at be by can could did do does for from has have "
        "how i if in is it its many may me much must my not of on or our should so "
        "than that the their them there they this to was we were what when where "
        "which who why will with would you your",
    )
)
"""Stop words, which are ignored unless a query has no others."""

PLURAL = re.compile(r"(\w{2}(?:ch|sh|ss|x))es$|(?<=\w{3})s$")
"""Plural endings, which are removed: batches, reports, but not its."""

ENDINGS = re.compile(r"(?<=\w{4})(?:ing|ed|ion|e)$")
"""Endings that are removed next: closing, closed and close are one word."""

SHORT_WORD = 3
"""Words up to this length match whole words only: R is not every word with an r."""

EXCERPT_MARGIN = 110
"""Characters of an excerpt before and after the first match."""

IS_THE_HEADING, IN_THE_TITLE, IN_THE_HEADING, MOST_IN_THE_TEXT = 40, 30, 20, 9
"""Points of a word by its place; in the text by its frequency, up to a limit."""

OF_A_KEYWORD = 10_000
"""Points of each word of a matching phrase: its place precedes all others."""

LIST_HEADINGS = ("References", "Sources", "Source")
"""Headings of sections that only list works."""

FOLDER_WEIGHTS = {
    "start": 12, "researchers": 9, "background": 8, "privacy": 8,
    "administrators": 8, "reference": 3, "developers": 3, "decisions": 2,
}  # fmt: skip
OTHER_WEIGHT = 1
"""Weights of folders by relevance to most users; the last is for the other pages."""


@dataclass(frozen=True)
class SearchResult:
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


def match_keywords(words: list[str]) -> dict[str, int]:
    """Return the points of places by the keywords in a query."""
    named = [
        (place, len(phrase) * OF_A_KEYWORD)
        for phrase, place in list_keywords()
        if phrase <= set(words)
    ]
    return dict(sorted(named, key=lambda each: each[1]))


def split_words(question: str) -> list[str]:
    """Return the words to search for, without stop words and endings."""
    words = re.findall(r"[\w'-]+", question[:LONGEST].lower())
    words = [each for each in words if each not in STOP_WORDS] or words
    return list(dict.fromkeys(map(stem, words)))[:MAX_WORDS]


def stem(word: str) -> str:
    """Return the approximate stem of a word."""
    return ENDINGS.sub("", PLURAL.sub(lambda end: end[1] or "", word))


@lru_cache(maxsize=KEPT_PATTERNS)
def make_pattern(word: str) -> re.Pattern[str]:
    ending = r"\w*" if len(word) > SHORT_WORD else r"s?\b"
    return re.compile(rf"(?<!\w){re.escape(word)}{ending}", re.IGNORECASE)


def search(question: str, language: str = "en") -> list[SearchResult]:
    """Return the sections that contain the words of a query, the best match first.

    Up to a third of the words may be missing. Searches documents in English and in
    `language`.
    """
    words = split_words(question)
    if not words:
        return []
    places = [
        (each, part)
        for each in iterate_documents()
        if each.language in {settings.LANGUAGE_CODE, language}
        for part in each.sections
    ]
    texts = [
        f"{title_above(*place)} {place[1].heading} {place[1].text}" for place in places
    ]
    lower = [text.lower() for text in texts]
    counts = {
        word: [
            # A test for a substring takes a hundredth of the time.
            len(make_pattern(word).findall(text)) if word in plain else 0
            for text, plain in zip(texts, lower, strict=True)
        ]
        for word in words
    }
    # Words in most sections have little weight: surveys, answers.
    worth = {
        word: 1 + math.log(len(places) / (1 + sum(map(bool, by_place))))
        for word, by_place in counts.items()
    }
    asked = " ".join(question.lower().split())
    by_keyword = match_keywords(words)
    results = []
    for number, (document, part) in enumerate(places):
        present = [word for word in words if counts[word][number]]
        name = f"{document.name}#{part.anchor}".removesuffix("#")
        keyword_points = by_keyword.get(name, 0)
        too_few = not present or len(words) - len(present) > len(words) // 3
        if too_few and not keyword_points:
            continue
        points = sum(
            worth[word] * score_word(word, document, part, counts[word][number])
            for word in present
        )
        message = part.heading.lower()
        if " " in message and message in asked:
            points += IS_THE_HEADING
        score = (
            weigh_section(document, part) * points * len(present) ** 2 / len(words) ** 2
        )
        shown = make_excerpt(part.text, present or words)
        results.append(SearchResult(document, part, score + keyword_points, shown))
    return sorted(results, key=lambda each: -each.score)[:MAX_FOUND]


def score_word(word: str, document: Document, section: Section, count: int) -> float:
    heading, pattern = section.heading, make_pattern(word)
    return (
        IS_THE_HEADING * (stem(heading.lower()) == word)
        + IN_THE_TITLE * bool(pattern.search(title_above(document, section)))
        + IN_THE_HEADING * bool(pattern.search(heading))
        + min(2 * math.log2(1 + count), MOST_IN_THE_TEXT)
    )


def title_above(document: Document, section: Section) -> str:
    """Return the title for the first section, and an empty string for all others."""
    return document.title if section is document.sections[0] else ""


def weigh_section(document: Document, section: Section) -> float:
    if section.heading in LIST_HEADINGS:
        return 1
    folder = document.name.removeprefix(f"{document.language}/").partition("/")[0]
    return FOLDER_WEIGHTS.get(folder, OTHER_WEIGHT)


def make_excerpt(text: str, words: list[str]) -> SafeString:
    plain = " ".join(text.split())
    every = "|".join(make_pattern(each).pattern for each in words)
    pattern = re.compile(f"({every})", re.IGNORECASE)
    first = pattern.search(plain)
    at = first.start() if first else 0
    begin, end = max(at - EXCERPT_MARGIN, 0), at + EXCERPT_MARGIN
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
