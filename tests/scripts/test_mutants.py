"""The tool that breaks the code on purpose: that it does, and where it says."""

import ast

import pytest

from scripts.mutants.areas import AREAS, ROOT, mutants_of
from scripts.mutants.changes import mutants_in


def changed(text):
    return [
        text[: mutant.start] + mutant.new + text[mutant.end :]
        for mutant in mutants_in("x.py", text)
    ]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("é, a > b", "é, (a >= b)"),
        ("not a", "(a)"),
        ("a and b", "(a or b)"),
        ("x = any(a)", "x = (all(a))"),
        ("x = a + b", "x = (a - b)"),
        ("x = 4096", "x = (4097)"),
        ("x = True", "x = (False)"),
        ("x = 0 < a", "x = (0 <= a)"),
        ("A.select_for_update(no_key=True).get()", "(A).get()"),
        ("if a:\n    forget()", "if a:\n    pass"),
        ("f(strict=True, b=True)", "f(strict=True, b=(False))"),
    ],
)
def test_it_changes_one_place(before, after):
    assert after in changed(before)


def test_what_cannot_show_is_not_changed():
    assert changed("x = zip(a, b, strict=True)") == []


@pytest.mark.parametrize("name", AREAS)
def test_every_mutant_can_be_read_and_every_test_is_there(name):
    area = AREAS[name]
    assert all((ROOT / test).exists() for test in area.tests)
    for mutant in list(mutants_of(area))[::7]:
        text = (ROOT / mutant.file).read_text("utf-8")
        assert text[mutant.start : mutant.end] == mutant.old
        if mutant.file.endswith(".py"):
            ast.parse(text[: mutant.start] + mutant.new + text[mutant.end :])
