"""Where the documents say something: every section that holds all words."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from config.help.documents import Document, Section, all_documents

MOST_FOUND = 20
LONGEST = 200
"""Characters of a question that are looked for."""

AROUND = 110
"""Characters of the text that are shown before and after the first word."""

IN_THE_TITLE, IN_THE_HEADING, MOST_IN_THE_TEXT = 30, 20, 9
"""What a word is worth where it stands; in the text once for each time, up to a limit."""


@dataclass(frozen=True)
class Found:
    document: Document
    section: Section
    score: int
    pieces: tuple[tuple[str, bool], ...]
    """Of the text around the first word, and whether each is one of the words."""

    @property
    def address(self) -> str:
        anchor = self.section.anchor
        return f"{self.document.address}#{anchor}" if anchor else self.document.address


def words_of(question: str) -> list[str]:
    """Return what to look for: the words without the s of a plural."""
    words = re.findall(r"[\w'-]+", question[:LONGEST].lower())
    shortest_with_plural = 4
    return [
        word.removesuffix("s") if len(word) >= shortest_with_plural else word
        for word in words
    ]


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
        scores = [
            IN_THE_TITLE * (word in title)
            + IN_THE_HEADING * (word in heading)
            + min(text.count(word), MOST_IN_THE_TEXT)
            for word in words
        ]
        # The title stands above every section: alone it speaks for the first.
        is_here = any(word in heading or word in text for word in words)
        if all(scores) and (is_here or section is document.sections[0]):
            yield Found(document, section, sum(scores), excerpt(section.text, words))


def excerpt(text: str, words: list[str]) -> tuple[tuple[str, bool], ...]:
    plain = " ".join(text.split())
    pattern = re.compile("|".join(map(re.escape, words)), re.IGNORECASE)
    first = pattern.search(plain)
    at = first.start() if first else 0
    begin, end = max(at - AROUND, 0), at + AROUND
    shown = plain[begin:end]
    if begin:
        shown = "… " + shown.partition(" ")[2]
    if end < len(plain):
        shown = shown.rpartition(" ")[0] + " …"
    parts = re.split(f"({pattern.pattern})", shown, flags=re.IGNORECASE)
    return tuple((part, index % 2 == 1) for index, part in enumerate(parts) if part)
