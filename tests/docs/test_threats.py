"""Every promise in docs/privacy/threat-model.md names existing tests."""

import ast
import re
from pathlib import Path

PROJECT = Path(__file__).parents[2]
PAGE = (PROJECT / "docs" / "privacy" / "threat-model.md").read_text("utf-8")
PROMISES = [
    line
    for line in PAGE.splitlines()
    if line.startswith("| ") and not line.startswith(("| promise", "| sentence"))
]
TEST = re.compile(r"`(tests/[\w/]+\.py)::(\w+)`")

SENTENCE = re.compile(r'\| "(.+)" \| `')
PAGES = [
    re.sub(r'"\s+"|\s+', " ", path.read_text("utf-8")).replace("  ", " ")
    for folder, kind in (("templates/respondents", "*.html"), ("surveys/text", "*.py"))
    for path in sorted((PROJECT / folder).rglob(kind))
]


def names_in(path):
    tree = ast.parse((PROJECT / path).read_text("utf-8"))
    functions = [each for each in ast.walk(tree) if isinstance(each, ast.FunctionDef)]
    return {each.name for each in functions if each.name.startswith("test_")}


def test_every_promise_names_a_test():
    assert len(PROMISES) > 20
    assert [line for line in PROMISES if not TEST.search(line)] == []


def test_every_quoted_respondent_sentence_appears_on_a_page():
    sentences = SENTENCE.findall(PAGE)
    assert len(sentences) > 20
    assert [each for each in sentences if not any(each in page for page in PAGES)] == []


def test_every_named_test_exists():
    named = set(TEST.findall(PAGE))
    assert {(path, name) for path, name in named if name not in names_in(path)} == set()
