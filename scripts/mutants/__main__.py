"""Breaks the code on purpose, one place at a time, and tells which breaks no test sees.

    .venv/bin/python -m scripts.mutants               # the areas and their size
    .venv/bin/python -m scripts.mutants sampler       # all mutants of one area
    .venv/bin/python -m scripts.mutants sampler --in table.py --most 20

A mutant is one file with one change, in a copy of the project; then only tests of its
area run, those near the code, until one fails. What survives is printed with its line:
it wants a test there, or it changes nothing that anybody could see, which is for a
reader to judge; so is what none of these tests runs. An area takes minutes, two can run
beside each other, and this is no part of `make test`.

All tests run once without a change, which tells what each of them calls. Then a mutant
is a fork of that process in which functions have other code: nothing is loaded once
more, no database made, and only tests run that call what is changed, the quick ones
first and of these who found mutants before. What is done while a file is loaded is
tried in a process of its own. A test that takes many times as long as it did has
noticed.
"""

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path
from shutil import copytree, ignore_patterns

import pytest

from scripts.mutants.areas import AREAS, ROOT, mutants_of
from scripts.mutants.tries import OPTIONS, Tries

NOT_COPIED = ignore_patterns(
    ".git", ".venv", "var", "__pycache__", ".*_cache", ".hypothesis", "*.sqlite3*"
)
"""What others may write meanwhile: a file that goes while it is copied ends all."""


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("area", nargs="?", choices=AREAS)
    parser.add_argument("--most", type=int, help="not all, but some of each file")
    parser.add_argument("--in", dest="part", default="", help="only files so named")
    given = parser.parse_args()
    if given.area is None:
        for name, area in AREAS.items():
            print(f"{name:<10} {sum(1 for _ in mutants_of(area)):>4} mutants")
        return
    area = AREAS[given.area]
    found = [mutant for mutant in mutants_of(area) if given.part in mutant.file]
    # Spread over all of them, the same ones every time.
    chosen = found[:: -(-len(found) // given.most) if given.most else 1]
    with tempfile.TemporaryDirectory() as place:
        copied = copytree(ROOT, Path(place) / "copy", ignore=NOT_COPIED)
        os.chdir(copied)
        sys.path[0] = str(copied)
        # Of a changed file: it may have the size and the second of the one before.
        os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
        # What pytest prints is shown where it fails; a survivor is told at once.
        out = os.fdopen(os.dup(1), "w", buffering=1)
        log = Path(place, "log")
        os.dup2(os.open(log, os.O_WRONLY | os.O_CREAT), 1)
        tries = Tries(area.tests, chosen, out)
        start = time.monotonic()
        options = (*OPTIONS, f"--basetemp={place}/tests")
        pytest.main([*options, *area.tests], plugins=[tries])
        if tries.survivors is None:
            sys.exit(f"{log.read_text('utf-8')}\nNothing is learned while this fails.")
    print(
        f"{len(tries.survivors)} of {len(chosen)} mutants survive ({len(found)} there"
        f" are), tried in {(time.monotonic() - start) / 60:.0f} minutes.",
        file=out,
    )
    sys.exit(bool(tries.survivors))


if __name__ == "__main__":
    main()
