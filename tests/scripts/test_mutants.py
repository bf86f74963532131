"""The tool that breaks the code on purpose: that it does, and where it says."""

import ast
import gc
import importlib
import subprocess
import sys

import pytest
from django.utils.functional import SimpleLazyObject

from scripts.mutants.areas import AREAS, ROOT, mutants_of
from scripts.mutants.changes import mutants_in
from scripts.mutants.loaded import Change, functions_there


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


def test_what_is_lazy_stays_so():
    def fail():
        raise AssertionError

    lazy = SimpleLazyObject(fail)
    gc.unfreeze()
    assert functions_there()
    assert any(each is lazy for each in gc.get_objects())


MODULE = """
LIMIT = 5

def above(number):
    return number > LIMIT

def all_above(numbers):
    return all(above(number) for number in numbers)

class Limits:
    most: int = 5
"""


@pytest.fixture
def tried(tmp_path, monkeypatch):
    """A function: what a loaded module and one that took from it say of a change."""
    path = tmp_path / "tried.py"
    path.write_text(MODULE, "utf-8")
    (tmp_path / "taking.py").write_text("from tried import *", "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    taking = importlib.import_module("taking")
    gc.unfreeze()
    functions = functions_there()

    def said(old, new):
        change = Change(str(path), MODULE, MODULE.replace(old, new), functions)
        change.make()
        known = (taking.LIMIT, taking.above(5), taking.all_above([3, 8]))
        return known, bool(change.concerns)

    yield said
    for name in ("tried", "taking"):
        del sys.modules[name]


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("number > LIMIT", "number >= LIMIT", ((5, True, False), True)),
        ("LIMIT = 5", "LIMIT = 2", ((2, True, True), True)),
        ("all(", "any(", ((5, False, True), True)),
        # Nothing loaded so can show it: it is for a process of its own.
        ("int = 5", "int = 6", ((5, False, False), False)),
    ],
)
def test_a_loaded_module_is_changed_where_it_is_used(tried, old, new, told):
    assert tried(old, new) == told


def test_it_finds_a_mutant_and_leaves_the_file_as_it_was():
    file = ROOT / "respondents/collecting/fast_path/server.py"
    before = file.read_bytes()
    done = subprocess.run(
        [sys.executable, "-m", "scripts.mutants", "server", "--most", "1"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.startswith("0 of 1 mutants survive")
    assert file.read_bytes() == before


@pytest.mark.parametrize("name", AREAS)
def test_every_mutant_can_be_read_and_every_test_is_there(name):
    area = AREAS[name]
    assert all((ROOT / test).exists() for test in area.tests)
    for mutant in list(mutants_of(area))[::7]:
        text = (ROOT / mutant.file).read_text("utf-8")
        assert text[mutant.start : mutant.end] == mutant.old
        if mutant.file.endswith(".py"):
            ast.parse(text[: mutant.start] + mutant.new + text[mutant.end :])
