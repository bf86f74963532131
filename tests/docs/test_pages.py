"""docs/developers/pages.md lists the classes and variables of the style sheets."""

import re

import pytest

from tests.docs.documents import DOCS, PROJECT, text_of

PAGE = text_of(DOCS / "developers" / "pages.md")
SHEETS = {
    path.name: path.read_text("utf-8")
    for path in sorted((PROJECT / "static" / "css").glob("*.css"))
}
ALL_SHEETS = "".join(SHEETS.values())


def test_named_variables_exist():
    named = re.findall(r"`(--[\w-]+)`", PAGE)
    assert len(named) > 5
    assert [name for name in named if f"{name}:" not in SHEETS["researchers.css"]] == []


def test_named_sheets_exist():
    named = re.findall(r"^\| `(\w+\.css)`", PAGE, re.M)
    assert len(named) == 5
    assert set(named) <= SHEETS.keys()


def test_documented_component_classes_are_styled():
    parts = PAGE.partition("## Parts")[2].partition("## Rules")[0]
    names = {name for each in re.findall(r"`([^`]+)`", parts) for name in each.split()}
    assert len(names) > 15
    assert [name for name in sorted(names) if f".{name}" not in ALL_SHEETS] == []


@pytest.mark.parametrize("name", ["landing.css", "home.css", "lists.css"])
def test_pages_use_the_scale(name):
    sizes = re.findall(r"font-size: ([^;]+);", SHEETS[name])
    assert [size for size in sizes if "var(--text" not in size] == []
