"""What respondents' pages are made of: templates, and the files that these load."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[3]
TEMPLATES, STATIC = ROOT / "templates", ROOT / "static"

PARENT = re.compile(r"{%\s*extends\s+\"([^\"]+)\"")
PART = re.compile(r"{%\s*include\s+\"([^\"]+)\"")
FILE = re.compile(r"{%\s*static\s+\"([^\"]+)\"")
SCRIPTS = "js/collecting", "js/explaining"
"""Also what a script imports, which no template may name."""


def _read(name):
    path = TEMPLATES / name
    return path.read_text("utf-8") if path.exists() else ""  # Django's own


def _parents(name):
    while name:
        yield name
        found = PARENT.search(_read(name))
        name = found and found[1]


def _with_parts(name, seen):
    if name not in seen:
        seen.add(name)
        for part in PART.findall(_read(name)):
            _with_parts(part, seen)


def templates():
    """Every template of a page on base.html; researchers' pages have another base."""
    names = [str(path.relative_to(TEMPLATES)) for path in TEMPLATES.rglob("*.html")]
    seen = set()
    for name in names:
        if "base.html" in _parents(name):
            _with_parts(name, seen)
    return sorted(TEMPLATES / name for name in seen)


def _named(suffix):
    texts = [path.read_text("utf-8") for path in templates()]
    named = {name for text in texts for name in FILE.findall(text)}
    return {STATIC / name for name in named if name.endswith(suffix)}


def scripts():
    in_rooms = {path for room in SCRIPTS for path in (STATIC / room).glob("*.js")}
    return sorted(in_rooms | _named(".js"))


def styles():
    return sorted(_named(".css"))


def name_of(path):
    return str(path.relative_to(ROOT))
