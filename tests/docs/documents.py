"""The documents of the project and their blocks of code."""

import re
from pathlib import Path

PROJECT = Path(__file__).parents[2]
DOCS = PROJECT / "docs"

EVERY_PAGE = sorted([*DOCS.rglob("*.md"), *PROJECT.glob("*.md")])
PAGES = [page for page in EVERY_PAGE if not page.is_relative_to(DOCS / "de")]
"""Pages in English."""

FENCED = re.compile(r"^( *)```(\w*)\n(.*?)^\1```$", re.MULTILINE | re.DOTALL)


def text_of(page):
    return page.read_text("utf-8")


def blocks_of(page):
    """Return language and text of each block of code."""
    return blocks_in(text_of(page))


def blocks_in(text):
    """Return language and text of each block of code, dedented."""
    return [
        (language, re.sub(rf"^{indent}", "", block, flags=re.MULTILINE))
        for indent, language, block in FENCED.findall(text)
    ]


def name_of(page):
    return page.relative_to(PROJECT).as_posix()
