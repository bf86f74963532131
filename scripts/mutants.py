"""Breaks the code on purpose, one place at a time, and tells which breaks no test sees.

    .venv/bin/python -m scripts.mutants                      # the areas and their size
    .venv/bin/python -m scripts.mutants sampler --most 50    # 50 mutants of one area

A mutant is one file with one change, in a copy of the project; then only the tests of
its area run, those near the code, until one fails. What survives is printed with its
line: it wants a test there, or it changes nothing that anybody could see, which is for
a reader to judge. Each mutant takes seconds to a minute, so this is no part of
`make test`.
"""

import argparse
import ast
import copy
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from shutil import copytree, ignore_patterns
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
FIRST_TIMEOUT_SECONDS = 300
TIMES_AS_LONG = 4
"""Against the run without a change, which compiles too: who takes longer hangs."""
USUALLY_AT_MOST = 40
KEEP_NOTHING = "-B"
"""Of a changed file: it may have the size and the second of the one before."""

NOT_COPIED = ignore_patterns(".git", ".venv", "var", "__pycache__", ".*_cache", "docs")


class Text(NamedTuple):
    """A change that no syntax tree knows: in SQL, or in a script."""

    file: str
    old: str
    new: str


@dataclass(frozen=True)
class Area:
    """Modules that belong together, and the tests that should notice a change."""

    files: tuple[str, ...]
    tests: tuple[str, ...]
    texts: tuple[Text, ...] = ()


MODELS = "respondents/models.py"
ONCE = "respondents/once.py"
SAMPLER_SCRIPT = "static/js/answering/randomise.js"

AREAS = {
    "sampler": Area(
        (
            "surveys/mechanisms/randomness.py",
            "surveys/mechanisms/privacy.py",
            "surveys/mechanisms/table.py",
            "surveys/mechanisms/mechanism.py",
        ),
        (
            "tests/surveys/mechanisms/test_randomness.py",
            "tests/surveys/mechanisms/test_privacy.py",
            "tests/surveys/mechanisms/test_table.py",
            "tests/surveys/mechanisms/test_mechanism.py",
        ),
    ),
    "script": Area(
        (),
        ("tests/estimation/audit/test_sampler.py",),
        (
            Text(SAMPLER_SCRIPT, "u >= limit", "u > limit"),
            Text(SAMPLER_SCRIPT, "u >= limit", "false"),
            Text(SAMPLER_SCRIPT, "WORDS - (WORDS % n)", "WORDS"),
            Text(SAMPLER_SCRIPT, "n <= WORDS", "n < WORDS"),
            Text(SAMPLER_SCRIPT, "n >= 1", "n > 1"),
            Text(SAMPLER_SCRIPT, "2 ** 32", "2 ** 31"),
            Text(SAMPLER_SCRIPT, "> u)", ">= u)"),
            Text(SAMPLER_SCRIPT, "weights[answer].find", "weights[0].find"),
            Text(SAMPLER_SCRIPT, "Uint32Array", "Uint16Array"),
        ),
    ),
    "estimator": Area(
        (
            "estimation/maths/shares.py",
            "estimation/maths/scores.py",
            "estimation/maths/targets.py",
            "estimation/maths/folds.py",
            "estimation/maths/yes_no.py",
            "estimation/maths/intervals/closed_form.py",
            "estimation/maths/audit.py",
        ),
        (
            "tests/estimation/maths/test_shares.py",
            "tests/estimation/maths/test_shares_k_ary.py",
            "tests/estimation/maths/test_scores.py",
            "tests/estimation/maths/test_folds.py",
            "tests/estimation/maths/test_audit.py",
            "tests/estimation/maths/intervals/test_intervals.py",
        ),
    ),
    "protocol": Area(
        (
            "respondents/answering/protocol.py",
            "respondents/answering/forms.py",
            "respondents/answering/views.py",
            "respondents/tokens.py",
        ),
        (
            "tests/respondents/answering/views/test_reports.py",
            "tests/respondents/answering/test_forms.py",
            "tests/respondents/answering/views/test_page.py",
            "tests/respondents/answering/views/test_plain.py",
            "tests/respondents/answering/views/test_invitations.py",
            "tests/respondents/test_tokens.py",
        ),
    ),
    "storage": Area(
        (
            MODELS,
            "respondents/invitations.py",
            "respondents/traces.py",
        ),
        (
            "tests/respondents/test_locks.py",
            "tests/respondents/storage/test_once.py",
            "tests/respondents/test_steps.py",
            "tests/respondents/test_closing.py",
            "tests/respondents/test_invitations.py",
            "tests/respondents/storage/test_traces.py",
        ),
        (Text(MODELS, "sealedpattern.count + excluded.count", "sealedpattern.count"),),
    ),
    # Of few tests, because these take a minute on PostgreSQL, which is half of it:
    # scripts/with_postgresql .venv/bin/python -m scripts.mutants once
    "once": Area(
        (ONCE,),
        (
            "tests/respondents/storage/test_once.py",
            "tests/respondents/test_invitations.py",
            "tests/respondents/answering/test_groups.py",
        ),
        (
            Text(ONCE, '" FOR KEY SHARE"', '""'),
            Text(ONCE, " AND state = 'open'", ""),
            Text(ONCE, "ON CONFLICT DO NOTHING", ""),
        ),
    ),
    "server": Area(("config/rsgi.py",), ("tests/config/rsgi",)),
    "fast": Area(
        (
            "respondents/answering/fast.py",
            "respondents/looks.py",
            "respondents/turns.py",
        ),
        (
            "tests/respondents/answering/test_fast.py",
            "tests/respondents/answering/test_groups.py",
        ),
    ),
    "archives": Area(
        (
            "respondents/arriving/archives/archive.py",
            "respondents/arriving/archives/merge.py",
            "respondents/arriving/archives/rows.py",
            "respondents/arriving/archives/sites.py",
            "respondents/arriving/archives/write.py",
        ),
        (
            "tests/respondents/arriving/archives/test_merge.py",
            "tests/respondents/arriving/archives/test_write.py",
        ),
    ),
    "tallies": Area(
        ("estimation/results/tallies.py", "respondents/tally.py"),
        (
            "tests/respondents/test_tally.py",
            "tests/estimation/results/test_tallies.py",
            "tests/estimation/results/test_draws.py",
        ),
    ),
}

COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
    ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.FloorDiv, ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult, ast.Mod: ast.Mult, ast.Pow: ast.Mult,
}  # fmt: skip
NAMES = {"any": "all", "all": "any", "min": "max", "max": "min"}
LEFT_OUT = {"select_for_update", "order_by", "distinct"}
"""Links of a chain of calls that are taken out."""


@dataclass(frozen=True)
class Mutant:
    """One change: characters [start, end) of a file become `new`."""

    file: str
    line: int
    start: int
    end: int
    old: str
    new: str

    def __str__(self) -> str:
        old, new = (" ".join(text.split())[:70] for text in (self.old, self.new))
        return f"{self.file}:{self.line}: {old}  ->  {new or '(nothing)'}"


def mutants_of(area: Area) -> Iterator[Mutant]:
    """Yield every mutant of an area, in the order of its files and lines."""
    for file in area.files:
        found = mutants_in(file, (ROOT / file).read_text("utf-8"))
        yield from sorted(found, key=lambda mutant: mutant.start)
    for file, old, new in area.texts:
        text = (ROOT / file).read_text("utf-8")
        if old not in text:
            sys.exit(f"{file} has no {old!r} any more: mend scripts/mutants.py")
        start = text.index(old)
        line = text.count("\n", 0, start) + 1
        yield Mutant(file, line, start, start + len(old), old, new)


def mutants_in(file: str, text: str) -> Iterator[Mutant]:
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line.encode()))
    encoded = text.encode()
    for node in ast.walk(ast.parse(text)):
        for changed in changes_of(node):
            assert isinstance(node, (ast.expr, ast.stmt))
            last, columns = node.end_lineno or 0, node.end_col_offset or 0
            start = starts[node.lineno - 1] + node.col_offset
            end = starts[last - 1] + columns
            old = encoded[start:end].decode()
            new = changed if isinstance(changed, str) else ast.unparse(changed)
            # In brackets: what stood there may have bound more tightly.
            if isinstance(node, ast.expr):
                new = f"({new})"
            begin, stop = len(encoded[:start].decode()), len(encoded[:end].decode())
            yield Mutant(file, node.lineno, begin, stop, old, new)


def changes_of(node: ast.AST) -> Iterator[ast.AST | str]:
    """Yield what else could stand in place of a node."""
    match node:
        case ast.Compare(ops=[operator]) if type(operator) in COMPARISONS:
            changed = copy.deepcopy(node)
            changed.ops = [COMPARISONS[type(operator)]()]
            yield changed
        case ast.Compare(ops=[_, _]):
            for place, operator in enumerate(node.ops):
                if type(operator) in COMPARISONS:
                    changed = copy.deepcopy(node)
                    changed.ops[place] = COMPARISONS[type(operator)]()
                    yield changed
        case ast.BinOp(op=operator) if type(operator) in OPERATORS:
            yield ast.BinOp(node.left, OPERATORS[type(operator)](), node.right)
        case ast.BoolOp(op=ast.And()):
            yield ast.BoolOp(ast.Or(), node.values)
        case ast.BoolOp(op=ast.Or()):
            yield ast.BoolOp(ast.And(), node.values)
        case ast.UnaryOp(op=ast.Not()):
            yield node.operand
        case ast.Call(func=ast.Name(id=name)) if name in NAMES:
            yield ast.Call(ast.Name(NAMES[name]), node.args, node.keywords)
        case ast.Call(func=ast.Attribute(value=before, attr=name)) if name in LEFT_OUT:
            yield before
        case ast.Constant(value=bool()):
            yield ast.Constant(not node.value)
        case ast.Constant(value=int(number)):
            yield ast.Constant(number + 1)
        case ast.Expr(value=ast.Call()):
            yield "pass"


def is_noticed(
    mutant: Mutant, tests: tuple[str, ...], folder: Path, *, timeout: float
) -> bool:
    """Return whether a test fails, or none ends; the file is then as it was."""
    path = folder / mutant.file
    text = path.read_text("utf-8")
    path.write_text(text[: mutant.start] + mutant.new + text[mutant.end :], "utf-8")
    try:
        return not passes(tests, folder, KEEP_NOTHING, timeout=timeout)
    finally:
        path.write_text(text, "utf-8")


def passes(tests: tuple[str, ...], folder: Path, *python: str, timeout: float) -> bool:
    options = ("-q", "-x", "--no-header", "-p", "no:cacheprovider", "-p", "no:xdist")
    try:
        done = subprocess.run(  # noqa: S603 - this project's own tests
            [sys.executable, *python, "-m", "pytest", *options, *tests],
            cwd=folder,
            capture_output=True,
            timeout=timeout,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("area", nargs="?", choices=AREAS)
    parser.add_argument("--most", type=int, default=USUALLY_AT_MOST)
    parser.add_argument("--in", dest="part", default="", help="only files so named")
    given = parser.parse_args()
    if given.area is None:
        for name, area in AREAS.items():
            print(f"{name:<10} {sum(1 for _ in mutants_of(area)):>4} mutants")
        return
    area = AREAS[given.area]
    found = [mutant for mutant in mutants_of(area) if given.part in mutant.file]
    # Spread over all of them, the same ones every time.
    step = max(1, -(-len(found) // max(1, given.most)))
    chosen = found[::step]
    with tempfile.TemporaryDirectory() as place:
        folder = Path(copytree(ROOT, Path(place) / "copy", ignore=NOT_COPIED))
        # What this compiles stays for all that come after it.
        start = time.monotonic()
        if not passes(area.tests, folder, timeout=FIRST_TIMEOUT_SECONDS):
            sys.exit("The tests fail without any change: nothing can be learned.")
        timeout = TIMES_AS_LONG * (time.monotonic() - start)
        survivors = []
        for number, mutant in enumerate(chosen, start=1):
            print(f"{number} of {len(chosen)}", end="\r", file=sys.stderr, flush=True)
            if not is_noticed(mutant, area.tests, folder, timeout=timeout):
                survivors.append(mutant)
                print(f"{number:>4} SURVIVES {mutant}", flush=True)
    print(
        f"{len(survivors)} of {len(chosen)} mutants survive ({len(found)} there are)."
    )
    sys.exit(bool(survivors))


if __name__ == "__main__":
    main()
