"""A work that a document lists is cited in it, and named alike wherever it stands."""

import re

import pytest

from estimation.files.methods import REFERENCES
from tests.docs.documents import FENCED, PAGES, name_of, text_of

LIST = re.compile(r"^## (?:References|Sources)\n", re.MULTILINE)
OF_LAW = "docs/background/ethics-and-law.md"
"""Laws and opinions are cited by their articles and numbers."""

CITED = re.compile(
    r"([A-ZÄÖÜ][\w'-]+)(?:,? &?\s*(?:[A-ZÄÖÜ][\w'-]+|van der Heijden|and others))*"
    r" \(?((?:18|19|20)\d\d)\b"
)
BEGINS = re.compile(r"(.+?)(?=,| &| and others| \d{4}).*?(\d{4})")
NO_AUTHORS = {"In", "Since"}


def parts_of(page):
    """Return the text of a page and the works that it lists, each in a line."""
    text, *lists = LIST.split(text_of(page), maxsplit=1)
    listed = lists[0].partition("\n## ")[0] if lists else ""
    works = [" ".join(each.split()) for each in re.split(r"^- ", listed, flags=re.M)]
    return " ".join(FENCED.sub("", text).split()), [each for each in works if each]


WITH_A_LIST = [page for page in PAGES if parts_of(page)[1] and name_of(page) != OF_LAW]


@pytest.mark.parametrize("page", WITH_A_LIST, ids=name_of)
def test_what_is_listed_is_cited_and_what_is_cited_is_listed(page):
    text, works = parts_of(page)
    for work in works:
        first, year = BEGINS.match(work).groups()
        assert re.search(rf"{re.escape(first)}\b[^.]{{0,90}}\b{year}", text), work
    for first, year in CITED.findall(text):
        named = rf"{first}\b.*\b{year}"
        assert first in NO_AUTHORS or any(re.search(named, work) for work in works), (
            first,
            year,
        )


def test_a_work_is_named_alike_on_every_page():
    named = {}
    for page in WITH_A_LIST:
        for work in parts_of(page)[1]:
            key = re.match(r".+? \d{4}", work)[0]
            assert named.setdefault(key, work) == work
    assert len(named) > 60
    # And as the file for reviewers has it.
    for reference in REFERENCES:
        work = named.get(reference.cited)
        if work and "pages" in reference.fields:
            assert reference.fields["pages"] in work
            assert reference.fields["volume"] in work
            assert reference.fields["title"].lower() in work.lower()
    assert len({each.cited for each in REFERENCES} & named.keys()) > 10
