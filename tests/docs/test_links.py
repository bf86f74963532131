"""All links in documents resolve, on a code host and in the help."""

import re
from collections import Counter

import pytest
from django.urls import resolve

from config.help.documents import (
    find_document,
    iterate_documents,
    make_anchor,
    menu,
    sources,
)
from config.help.documents import resolve as lead_to
from tests.docs.documents import (
    DOCS,
    EVERY_PAGE,
    FENCED,
    PAGES,
    PROJECT,
    name_of,
    text_of,
)

LINK = re.compile(r"\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
MENTION = re.compile(r"(?<![\w/])docs/[\w/.-]*\w")
PAGE_ALONE = re.compile(r"(?<![\w/.-])[a-z][a-z-]+\.md\b")
CODE = ("surveys", "respondents", "estimation", "config", "scripts", "tests", "static")
NO_DOCUMENTS = {"none.md"}


def anchors_of(page):
    """Compute anchors as code hosts do, independently of the application."""
    plain = FENCED.sub("", text_of(page))
    found, seen = set(), Counter()
    for heading in HEADING.findall(plain):
        words = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading)
        anchor = re.sub(r"[^\w\- ]", "", words.lower()).replace(" ", "-")
        found.add(f"{anchor}-{seen[anchor]}" if seen[anchor] else anchor)
        seen[anchor] += 1
    return found


@pytest.mark.parametrize("page", EVERY_PAGE, ids=name_of)
def test_every_link_has_an_existing_file_and_heading(page):
    for link in LINK.findall(FENCED.sub("", text_of(page))):
        if link.startswith(("http:", "https:", "mailto:")):
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), link
        assert target.is_relative_to(PROJECT), link
        if anchor:
            assert anchor in anchors_of(target), link


def test_links_in_the_rendered_help_resolve():
    for document in iterate_documents():
        assert document.title
        assert len(set(document.anchors)) == len(document.anchors)
        for link in re.findall(r'(?:href|src)="([^"]+)"', document.html):
            path, _, anchor = link.partition("#")
            if not path.startswith("/"):
                assert path.startswith("http") or not path
            elif path.startswith("/help/"):
                found = resolve(path)
                if found.url_name == "help_picture":
                    continue
                target = find_document(found.kwargs.get("name", ""))
                assert target is not None, link
                assert not anchor or anchor in target.anchors, link
            else:
                assert resolve(path).url_name == "experiments", link


def test_a_broken_link_is_detected():
    with pytest.raises(ValueError, match=r"docs/README.md links to none.md"):
        lead_to("none.md", "docs/README.md")
    assert make_anchor("HTTPS and addresses: nginx") == "https-and-addresses-nginx"


def test_every_document_is_linked_from_the_menu_or_a_listed_page():
    """An index page lists mechanisms and decisions."""
    listed = {address for shelf in menu() for address, _words in shelf.links}
    lists = {"/help/reference/mechanisms/", "/help/decisions/"}
    assert lists <= listed
    for name in sources():
        document = find_document(name)
        is_below = any(document.address.startswith(each) for each in lists)
        assert not name or document.address in listed or is_below, name


@pytest.mark.parametrize("folder", CODE)
def test_documents_named_in_the_code_exist(folder):
    names = Counter(page.name for page in PAGES)
    for file in (PROJECT / folder).rglob("*.*"):
        if file.suffix not in {".py", ".js", ".html", ".css"}:
            continue
        text = file.read_text("utf-8")
        for mention in MENTION.findall(text):
            found = [PROJECT / mention, *DOCS.rglob(mention[5:] + "*")]
            assert any(each.exists() for each in found), (file, mention)
        for mention in set(PAGE_ALONE.findall(text)) - NO_DOCUMENTS:
            assert names[mention] == 1, (file, mention)
