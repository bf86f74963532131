"""Count unclear words and long sentences: `python -m scripts.check_prose`.

Searches documents, messages, comments and docstrings for words with better
replacements and for sentences that are too long. Both counts may only fall: lower a
limit after lowering its count. -v prints every place.
"""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import polib

LIMITS = {"words to replace": 1, "long sentences": 108}

MAX_WORDS = 25

INSTEAD = {
    "told|tells": "shown, reported, says, indicates",
    "whoever|somebody|nobody|anybody": "anyone who, a person, no one, or the role",
    "anew": "again",
    "lest": "so that ... not",
    "beside": "next to, in addition to",
    "alike": "equal, the same",
    "amiss|mend|mended": "wrong, fix",
    "likeliest": "maximum-likelihood",
    "refuting": "one-sided test",
    "pile": "shuffled reports",
}
WORDS = re.compile(rf"\b({'|'.join(INSTEAD)})\b", re.IGNORECASE)

NOT_PROSE = re.compile(
    r"^```.*?^```|^\|.*?$|^#+ .*?$|^    .*?$|^ *:.*?$|^> .*?$", re.MULTILINE | re.DOTALL
)
COMMENT = re.compile(r"^ *# (.*)$|  # (?!noqa|type|fmt)(.*)$", re.MULTILINE)
SENTENCE = re.compile(r"[^.!?:;]+(?:[.!?:;](?!\s)[^.!?:;]*)*")


def list_texts() -> Iterator[tuple[str, str]]:
    """Yield each text with its place."""
    names = subprocess.check_output(["git", "ls-files", "*.md", "*.py"], text=True)  # noqa: S607
    for name in names.split():
        text = Path(name).read_text("utf-8")
        if name.startswith("docs/de/"):
            continue
        if name.endswith(".md"):
            yield name, NOT_PROSE.sub("\n\n", text)
        elif "/migrations/" not in name:
            yield name, "\n".join(map("".join, COMMENT.findall(text)))
            for node in ast.walk(ast.parse(text)):
                match node:
                    case ast.Expr(value=ast.Constant(value=str(docstring))):
                        yield f"{name}:{node.lineno}", docstring
    for entry in polib.pofile("locale/de/LC_MESSAGES/django.po"):
        yield entry.occurrences[0][0], entry.msgid


def main() -> int:
    found: dict[str, list[str]] = {name: [] for name in LIMITS}
    for place, text in list_texts():
        found["words to replace"] += [f"{place}: {w}" for w in WORDS.findall(text)]
        for paragraph in re.split(r"\n\s*\n|\n[*-] |\n\d+\. ", text):
            for sentence in SENTENCE.findall(paragraph):
                if len(sentence.split()) > MAX_WORDS:
                    found["long sentences"].append(f"{place}: {sentence.strip()[:60]}")
    for name, places in found.items():
        print(f"{len(places)} {name}, at most {LIMITS[name]}")
        if "-v" in sys.argv:
            print("\n".join(places))
    return any(len(places) > LIMITS[name] for name, places in found.items())


if __name__ == "__main__":
    sys.exit(main())
