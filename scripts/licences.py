"""List the licences of all installed packages: `python -m scripts.licences`.

docs/reference/licences.md is the output. A test compares both, so the licence of each
new dependency is reviewed.
"""

import re
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "reference" / "licences.md"

NAME = re.compile(r"^([A-Za-z0-9][\w.-]*?)(?:\[[^\]]*\])?==", re.MULTILINE)
CLASSIFIER = "License :: OSI Approved :: "
LONGEST = 90
"""Characters: some packages have the whole text in place of the name."""

HEAD = """# Licences

Candor has the Apache License 2.0 (`LICENSE`). It installs the packages below
(`requirements.txt`); this repository contains none of them. psycopg (LGPL) and parts
of certifi, fido2 and tqdm (MPL) may be used with it as long as they are unchanged, or
their changes are published. `python -m scripts.licences` writes this page from what
each package states.

| licence | packages |
|---|---|
"""

ELSEWHERE = "\nOnly on other systems than the one where this was made: {}.\n"


def find_licence(name: str) -> str | None:
    """Return the licence of an installed package, or None if it is not installed.

    Its expression, else its classifiers, else the first line of its text is used.
    """
    try:
        stated = metadata(name)
    except PackageNotFoundError:
        return None
    if expression := stated.get("License-Expression"):
        return expression
    classifiers = stated.get_all("Classifier") or []
    named = [
        each.removeprefix(CLASSIFIER) for each in classifiers if CLASSIFIER in each
    ]
    if named:
        return ", ".join(named)
    text = (stated.get("License") or "").strip()
    return text.partition("\n")[0][:LONGEST] or "not stated"


def page() -> str:
    """Return docs/reference/licences.md."""
    names = NAME.findall((ROOT / "requirements.txt").read_text("utf-8"))
    found = {name: find_licence(name) for name in names}
    stated = sorted({each for each in found.values() if each}, key=str.lower)
    rows = [
        f"| {each} | {', '.join(name for name in names if found[name] == each)} |\n"
        for each in stated
    ]
    missing = [name for name in names if found[name] is None]
    tail = ELSEWHERE.format(", ".join(missing)) if missing else ""
    return HEAD + "".join(rows) + tail


if __name__ == "__main__":
    print(page(), end="")
