"""Where the documents say something: every section that holds all words."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from config.help.documents import Document, Section, all_documents

MOST_FOUND = 20
LONGEST = 200
"""Characters of a question that are looked for."""

PLURAL = re.compile(r"(\w{2}(?:ch|sh|ss|x))es$|(?<=\w{3})s$")
"""What a word loses: batches, reports, but not its."""

AROUND = 110
"""Characters of the text that are shown before and after the first word."""

IS_THE_HEADING, IN_THE_TITLE, IN_THE_HEADING, MOST_IN_THE_TEXT = 40, 30, 20, 9
"""What a word is worth where it stands; in the text each time, up to a limit."""


@dataclass(frozen=True)
class Found:
    document: Document
    section: Section
    score: int
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


def words_of(question: str) -> list[str]:
    """Return what to look for: the words, of plurals what one of them is called."""
    words = re.findall(r"[\w'-]+", question[:LONGEST].lower())
    return [PLURAL.sub(lambda end: end[1] or "", word) for word in words]


def search(question: str) -> list[Found]:
    """Return the sections that hold every word, the likeliest first."""
    words = words_of(question)
    if not words:
        return []
    found = [each for document in all_documents() for each in look(document, words)]
    return sorted(found, key=lambda each: -each.score)[:MOST_FOUND]


def look(document: Document, words: list[str]) -> Iterator[Found]:
    title = document.title.lower()
    for section in document.sections:
        heading, text = section.heading.lower(), section.text.lower()
        # The title stands above every section, but speaks for the first.
        above = title if section is document.sections[0] else ""
        scores = [
            IS_THE_HEADING * (heading.removesuffix("s") == word)
            + IN_THE_TITLE * (word in above)
            + IN_THE_HEADING * (word in heading)
            + min(text.count(word), MOST_IN_THE_TEXT)
            for word in words
        ]
        if all(scores):
            yield Found(document, section, sum(scores), excerpt(section.text, words))


def excerpt(text: str, words: list[str]) -> SafeString:
    """Return the text around the first of the words, with all of them marked."""
    plain = " ".join(text.split())
    pattern = re.compile(f"({'|'.join(map(re.escape, words))})", re.IGNORECASE)
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
