"""The works that a methods section cites, as text and as BibTeX: `references.bib`."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

PLACES = ("journal", "booktitle", "publisher", "volume", "number", "pages")
"""Fields of a printed reference, in their order."""

ENTRY = re.compile(r"@\w+\{(?P<key>\w+),\n(?P<fields>.*?)\n\}", re.DOTALL)
FIELD = re.compile(r"^  (\w+) = \{+(.*?)\}+,$", re.MULTILINE)


@dataclass(frozen=True)
class Reference:
    """One work, as BibTeX has it."""

    key: str
    bibtex: str
    fields: Mapping[str, str] = field(hash=False)

    @property
    def authors(self) -> list[str]:
        """As "Family, Given names"."""
        return self.fields["author"].split(" and ")

    @property
    def cited(self) -> str:
        """How a text names it: "Blair, Imai & Zhou 2015"."""
        names = [author.partition(",")[0] for author in self.authors]
        return f"{listed(names)} {self.fields['year']}"

    @property
    def text(self) -> str:
        """The entry of a list of references."""
        places = [self.fields[name] for name in PLACES if name in self.fields]
        return (
            f"{listed(self.authors)} ({self.fields['year']}). {self.fields['title']}. "
            f"{', '.join(places)}."
        )


def listed(names: list[str]) -> str:
    """Return "Blair, Imai & Zhou"."""
    *others, last = names
    return " & ".join([", ".join(others), last] if others else [last])


def read_references(bibtex: str) -> list[Reference]:
    """Return the entries of a .bib file whose fields have a line each."""
    return [
        Reference(entry["key"], entry[0], dict(FIELD.findall(entry["fields"])))
        for entry in ENTRY.finditer(bibtex)
    ]


REFERENCES = read_references(Path(__file__).with_suffix(".bib").read_text("utf-8"))


def named_in(text: str) -> list[Reference]:
    """Return the works that a text cites, sorted by author."""
    return [reference for reference in REFERENCES if reference.cited in text]


def format_bibtex(references: Iterable[Reference]) -> str:
    """Return a .bib file."""
    return "\n\n".join(reference.bibtex for reference in references) + "\n"
