"""One page lists the works that the guides cite, and they cite no others."""

import re

import pytest

from estimation.files.methods import REFERENCES
from tests.docs.documents import DOCS, FENCED, PAGES, name_of, text_of

WORKS = [
    " ".join(each.split())
    for each in text_of(DOCS / "reference" / "references.md").split("\n- ")[1:]
]
LAW_PAGE = "docs/background/ethics-and-law.md"
"""Laws and opinions are cited by their articles and numbers."""

CITING = [
    page
    for page in PAGES
    if page.parent.name in {"researchers", "background", "start"}
    or page.name == "statistics.md"
]
CITED = re.compile(
    r"([A-ZÄÖÜ][\w'-]+)(?:,? &?\s*(?:[A-ZÄÖÜ][\w'-]+|van der Heijden|and others))*"
    r" \(?((?:18|19|20)\d\d)\b"
)
BEGINS = re.compile(r"(.+?)(?=,| &| and others| \d{4}).*?(\d{4})")


def prose_of(page):
    return " ".join(FENCED.sub("", text_of(page)).split())


@pytest.mark.parametrize("work", WORKS, ids=lambda work: work.partition(". ")[0])
def test_every_work_is_cited(work):
    first, year = BEGINS.match(work).groups()
    cited = re.compile(rf"{re.escape(first)}\b[^.]{{0,90}}\b{year}")
    assert any(cited.search(prose_of(page)) for page in CITING)


@pytest.mark.parametrize("page", CITING, ids=name_of)
def test_every_citation_is_listed(page):
    if name_of(page) == LAW_PAGE:
        return
    for first, year in CITED.findall(prose_of(page)):
        named = re.compile(rf"{first}\b.*\b{year}")
        assert any(named.search(work) for work in WORKS), (first, year)


def test_references_match_those_of_the_methods_section():
    named = {re.match(r".+? \d{4}", work)[0]: work for work in WORKS}
    shared = [each for each in REFERENCES if each.cited in named]
    assert len(shared) > 10
    for reference in shared:
        work = named[reference.cited].lower()
        for field in ("volume", "pages"):
            assert reference.fields.get(field, "") in work
