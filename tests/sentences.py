"""Pages of docs that list generated sentences: how one is read and held."""

import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from django.utils import translation

PROJECT = Path(__file__).parents[1]

HEADER = "| sentence | when | said by | not by |\n|---|---|---|---|\n"
PLACE = re.compile(r"^## (.+)\n((?:(?!## ).*\n)*)", re.MULTILINE)
ROW = re.compile(r"^\| `([^`]+)` \| ([^|]+) \| ([^|]*)\| ([^|]*)\|$", re.MULTILINE)
EXAMPLE = re.compile(r"`([^`]+)`")
MARK = re.compile("⟦(\\d+)⟧")


@dataclass(frozen=True)
class Row:
    """A sentence at one place, with who says it there and who does not."""

    place: str
    sentence: str
    when: str
    said_by: tuple
    not_by: tuple

    def __str__(self):
        return f"{self.place}: {self.sentence}"


@dataclass(frozen=True)
class Listing:
    """The rows of one page; those of places that are `not_marked` no catalogue has."""

    name: str
    not_marked: tuple = ()

    @cached_property
    def page(self):
        return (PROJECT / "docs" / self.name).read_text("utf-8")

    @cached_property
    def rows(self):
        return [
            Row(
                place, sentence, when, *(tuple(EXAMPLE.findall(cell)) for cell in cells)
            )
            for place, part in PLACE.findall(self.page)
            for sentence, when, *cells in ROW.findall(part)
        ]

    @cached_property
    def sentences(self):
        found = (row for row in self.rows if row.place not in self.not_marked)
        return list(dict.fromkeys(row.sentence for row in found))

    def mark(self, monkeypatch):
        """Make every sentence carry its number, wherever it is put in."""
        numbers = {sentence: number for number, sentence in enumerate(self.sentences)}

        def mark(text):
            return f"⟦{numbers[text]}⟧{text}" if text in numbers else text

        monkeypatch.setattr(translation._trans, "gettext", mark)
        monkeypatch.setattr(
            translation._trans,
            "ngettext",
            lambda one, many, count: mark(one if count == 1 else many),
        )

    def said_in(self, texts):
        """Return the sentences whose numbers these texts carry."""
        return {
            self.sentences[int(number)]
            for text in texts
            for number in MARK.findall(text)
        }

    def hold(self, places):
        """Every row is read and shows both sides, in the order of these places."""
        lines = [line for line in self.page.splitlines() if line.startswith("| `")]
        assert len(lines) == len(self.rows)
        assert len({(row.place, row.sentence) for row in self.rows}) == len(self.rows)
        assert list(dict.fromkeys(row.place for row in self.rows)) == list(places)
        assert self.page.count(HEADER) == len(places)
        for row in self.rows:
            assert bool(row.said_by) != row.when.startswith("never"), row
            assert bool(row.not_by) != row.when.startswith("always"), row
