"""Follow the developer guides in a copy of the project.

Each block goes where its guide says, in order. Only the named tests that concern the
addition run, to save minutes. What a guide leaves open (numbers of an example,
translations) is computed here or taken from the French.
"""

import json
import os
import re
import shlex
import shutil
import subprocess

import polib
import pytest

from tests.docs.documents import DOCS, PROJECT, blocks_in, text_of

pytestmark = pytest.mark.server

EXTENDING = DOCS / "developers" / "extending.md"
TRANSLATING = DOCS / "developers" / "translating.md"

NOT_COPIED = (
    ".git", ".venv", ".env", ".*_cache", ".hypothesis", "__pycache__", "var",
    "*.sqlite3*",
)  # fmt: skip


STAND_IN = "Übersetzt"
RENEW = "$ .venv/bin/python -m scripts.messages"


class GuideFollower:
    """A reader who follows a section of a guide, block by block."""

    def __init__(self, page, heading, project):
        section = text_of(page).partition(f"\n## {heading}\n")[2]
        self.text = section.partition("\n## ")[0]
        self.left = [block for _language, block in blocks_in(self.text)]
        self.project = project

    def take(self, beginning):
        """Return the next block, after checking its beginning."""
        assert self.left, f"no block is left that begins with {beginning!r}"
        block = self.left.pop(0)
        assert block.startswith(beginning), block
        return block

    def file(self, name):
        """Return a file that the guide names."""
        assert f"`{name}`" in self.text, f"The guide does not name {name}"
        return self.project / name

    def quote(self, words):
        """Return the code in a sentence of the guide."""
        assert f"`{words}`" in self.text, f"The guide does not say {words}"
        return words

    def write(self, name, beginning):
        file = self.file(name)
        assert not file.exists()
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(self.take(beginning), "utf-8")

    def add(self, name, added, *, before):
        file = self.file(name)
        text = file.read_text("utf-8")
        assert text.count(before) == 1, (name, before, text.count(before))
        file.write_text(text.replace(before, f"{added}{before}"), "utf-8")

    def run(self, beginning):
        """Run the next block, a command."""
        run_typed_command(self.project, self.take(f"$ {beginning}"))

    def tests(self):
        """Return the tests that the last block runs, without browser tests."""
        [line] = self.take("$ .venv/bin/pytest ").splitlines()
        assert self.left == []
        return [each for each in shlex.split(line)[2:] if "/browser/" not in each]


def run_typed_command(project, line, *more):
    """Run a command in the project, with `more` arguments."""
    words = [*shlex.split(line.removeprefix("$ ")), *more]
    environment = {
        name: value for name, value in os.environ.items()
        if not name.startswith(("PYTEST_", "COV_")) and name != "DATABASE_URL"
    }  # fmt: skip
    done = subprocess.run(  # noqa: S603
        words,
        cwd=project,
        env=environment,
        check=False,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert done.returncode == 0, f"{line}\n{done.stdout[-6000:]}"
    return done.stdout


def adapt(text):
    """Return one or more French texts, changed, as placeholders."""
    if isinstance(text, list):
        return [adapt(each) for each in text]
    return re.sub(r"(?<=\w) (?=\w)", "\N{NO-BREAK SPACE}", text)


def find_texts(parsed):
    """Yield the entries of a file in each language of respondents."""
    if isinstance(parsed, dict) and "fr" in parsed:
        yield parsed
    elif isinstance(parsed, dict | list):
        for each in parsed.values() if isinstance(parsed, dict) else parsed:
            yield from find_texts(each)


def translate(project):
    """Fill empty entries of the catalogues, the Italian one with French."""
    files = {each.parts[-3]: each for each in project.glob("locale/*/*/django.po")}
    catalogues = {
        name: polib.pofile(file, wrapwidth=88) for name, file in files.items()
    }
    french = {(each.msgid, each.msgctxt): each for each in catalogues["fr"]}
    # The Italian one last.
    for name, catalogue in sorted(catalogues.items(), key=lambda one: one[0] == "it"):
        for each in catalogue.untranslated_entries():
            if each.msgid_plural:
                other = french[each.msgid, each.msgctxt].msgstr_plural
                each.msgstr_plural = dict(other)
            elif name == "it":
                each.msgstr = adapt(french[each.msgid, each.msgctxt].msgstr)
            elif name == "de" or "/mechanisms/" in each.occurrences[0][0]:
                each.msgstr = STAND_IN + each.msgid[-1]
        catalogue.save()


@pytest.fixture
def project(tmp_path):
    copy = tmp_path / "candor"
    shutil.copytree(PROJECT, copy, ignore=shutil.ignore_patterns(*NOT_COPIED))
    (copy / ".venv").symlink_to((PROJECT / ".venv").resolve())
    return copy


def make_two_dice_page(page):
    """Return the page of the coin with the numbers of two dice."""
    share = (0.35 - 1 / 6) / (11 / 12 - 1 / 6)
    error = (0.35 * 0.65 / 1000) ** 0.5 / (11 / 12 - 1 / 6)
    for coin, dice in (
        ("# Coin flip", "# Two dice"),
        ("## By hand", ""),
        ("[[3, 1], [1, 3]]", "[[11, 1], [2, 10]]"),
        ('"epsilon": "1.10"', '"epsilon": "2.31"'),  # ln 10
        ('"share": 0.2,', f'"share": {share:.4f},'),
        ('"standard_error": 0.0302', f'"standard_error": {error:.4f}'),
    ):
        assert coin in page
        page = page.replace(coin, dice)
    source = "Boruch 1971, with 1/6 and 1/12"
    return f"{page.partition('## Source')[0]}## Source\n\n{source}\n"


def add_family(project):
    guide = GuideFollower(EXTENDING, "A family", project)
    guide.write("candor/mechanisms/families/two_dice.py", '"""Two dice')
    reference = guide.file("tests/reference.py")
    counted = guide.take("def two_dice()")
    reference.write_text(f"{text_of(reference)}\n\n{counted}", "utf-8")
    parameters = guide.quote('"two_dice": [{}],')
    guide.add(
        "scripts/make_vectors.py",
        f"{parameters}\n    ",
        before='"unrelated_question": [\n        {',
    )
    guide.run(".venv/bin/python -m scripts.make_vectors")
    pages = guide.file("docs/reference/mechanisms/README.md").parent
    coin = pages / guide.quote("coin.md")
    (pages / "two_dice.md").write_text(make_two_dice_page(text_of(coin)), "utf-8")
    row = guide.take("| [`two_dice`]")
    guide.add("docs/reference/mechanisms/README.md", row, before="| [`custom`](")
    when = guide.take('    "two_dice": gettext_lazy')
    guide.add(
        "surveys/authoring/families.py",
        when,
        before='    "unrelated_question": gettext',
    )
    guide.quote('"No device"')
    guide.add(
        "tests/surveys/authoring/test_families.py",
        ', "two_dice"',
        before='],\n        "A coin"',
    )
    guide.take(RENEW)
    return guide.tests()


def add_language(project):
    guide = GuideFollower(TRANSLATING, "Add a language", project)
    guide.write("locale/it/LC_MESSAGES/django.po", 'msgid ""')
    named = guide.quote('("it", "Italiano"),')
    guide.add(
        "config/settings.py", f"{named}\n", before="]\n# Languages with a complete"
    )
    guide.run(RENEW.removeprefix("$ "))
    translate(project)
    assert "run the same again" in guide.text
    run_typed_command(project, RENEW)
    library = guide.file("surveys/authoring/library.json")
    parsed = json.loads(text_of(library))
    for texts in find_texts(parsed):
        texts["it"] = adapt(texts["fr"])
    library.write_text(json.dumps(parsed), "utf-8")
    guide.quote("FORBIDDEN")
    guide.add(
        "tests/respondents/test_translations.py",
        '    "it": (r"\\bmenzogn", r"\\bbugi", r"\\banonim"),\n',
        before="}  # fmt: skip\n\nPLACEHOLDER",
    )
    return guide.tests()


TESTED_FILES = (
    "tests/respondents/test_translations.py",
    "tests/scripts/test_messages.py", "tests/surveys/authoring/test_library.py",
    "tests/surveys/authoring/test_families.py",
    "tests/surveys/files/test_definition.py",
    "tests/candor/mechanisms/test_by_hand.py",
    "tests/candor/mechanisms/test_discovery.py",
    "tests/candor/mechanisms/test_vectors.py",
    "tests/surveys/text/test_tables.py", "tests/docs/test_mechanisms.py",
)  # fmt: skip
"""The relevant files of the folders in the guides: collecting all takes longer."""

SELECTED = (
    "two_dice", "are_grouped", "[it]", "researcher_text", "researcher_languages",
    "texts_of_the_sources", "is_reported_with", "translated_without_hints",
)  # fmt: skip
"""Parts of the names of tests that check additions."""


def test_following_the_guides_adds_a_family_and_a_language(project):
    named = {*add_family(project), *add_language(project)}
    assert [each for each in TESTED_FILES if not each.startswith(tuple(named))] == []
    text = run_typed_command(
        project, ".venv/bin/pytest", *TESTED_FILES,
        "-p", "no:xdist", "-p", "no:cacheprovider", "-k", " or ".join(SELECTED),
    )  # fmt: skip
    assert int(re.findall(r"(\d+) passed", text)[-1]) > 60, text
