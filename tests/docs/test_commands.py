"""Commands in documents exist, accept their options and, if quick, run."""

import io
import re
import shlex
from argparse import ArgumentParser
from importlib import import_module
from itertools import product

import pytest
from django.core.management import call_command, get_commands, load_command_class
from django.core.management.base import BaseCommand, CommandError

from candor import cli
from tests.archives import elsewhere, make_closed
from tests.candor.cli.command import candor
from tests.docs.documents import DOCS, PAGES, PROJECT, blocks_of, name_of, text_of
from tests.factories import make_survey, make_user

SHELL = {"", "sh", "console"}
PYTHON = re.compile(r"(python manage\.py|python -m candor|candor-manage) (\w+)(.*)$")
MODULE = re.compile(r"python -m ((?:scripts|benchmarks)\.\w+)")
TARGET = re.compile(r"\bmake ([a-z][a-z-]*)\b")
TESTS = re.compile(r"bin/pytest((?: [\w/.-]+)+)")
ESTIMATES = re.compile(r"`(--family [^`]*--reports [^`]*)`")
"""Options in a sentence, without the command."""

IN_CAPITALS = re.compile(r"\b[A-Z]+\b(?:\.csv|\.json)?")
"""Placeholders for input."""

LIBRARY = "candor "
"""Prefix of the library's commands, which run as typed."""


def lines_of(block):
    for line in block.replace("\\\n", " ").splitlines():
        yield re.sub(r"\s+#.*$", "", line.strip().removeprefix("$ "))


def list_typed_lines(page):
    for language, block in blocks_of(page):
        if language in SHELL:
            yield from lines_of(block)


def command_in(line):
    """Return the project's command and its arguments, or None."""
    found = PYTHON.search(line)
    if found is None:
        return None
    program = LIBRARY if found[1] == "python -m candor" else ""
    return f"{program}{found[2]}", found[3].split(">/dev/null")[0].strip()


def commands_in(page):
    yield from filter(None, map(command_in, list_typed_lines(page)))
    for arguments in ESTIMATES.findall(text_of(page)):
        yield f"{LIBRARY}estimate", " ".join(arguments.split())


COMMANDS = sorted({each for page in PAGES for each in commands_in(page)})


def needs_no_input(command, rest):
    return command.startswith(LIBRARY) and not IN_CAPITALS.search(rest)


def test_the_documents_contain_commands():
    assert len(COMMANDS) > 25
    typed = {command for command, _rest in COMMANDS}
    assert typed >= {f"{LIBRARY}{name}" for name in cli.COMMANDS}


@pytest.mark.parametrize(("command", "rest"), COMMANDS, ids=map(" ".join, COMMANDS))
def test_every_documented_command_line_is_accepted(command, rest):
    typed = [word for word in shlex.split(rest) if word not in {"-", ")"}]
    if command.startswith(LIBRARY):
        typed.insert(0, command.removeprefix(LIBRARY))
        if needs_no_input(command, rest):
            assert candor(*typed)
        else:
            cli.make_parser().parse_args(typed)
        return
    app = get_commands()[command]
    loaded = load_command_class(app, command) if isinstance(app, str) else app
    try:
        loaded.create_parser("manage.py", command).parse_args(typed)
    except CommandError as error:
        pytest.fail(f"{command} {rest}: {error}")


SURVEY_COMMANDS = (
    ("archive", "SURVEY /srv/out/site-north"),
    ("merge", "all-sites /srv/in/site-north /srv/in/site-south"),
    ("merge", "both /srv/in/english /srv/in/german --same 1=1 2=2:2,1,3"),
    ("analyse", "/srv/in/site-north /srv/in/site-south --questions 1 3"),
    ("seal", ""),
    ("close_due", ""),
)
"""Commands that run with a survey and archives of other servers."""


@pytest.mark.django_db
def test_documented_commands_on_a_survey_run_in_order(tmp_path):
    counts = {bytes(each): 20 for each in product((0, 1), repeat=3)}
    asked = {"questions": ["coin", "direct", "direct"], "draws": ""}
    elsewhere(tmp_path / "site-south", {**counts, bytes(3): 21}, **asked)
    versions = {"questions": ["coin", ("k_ary", {"epsilon": 1, "choices": 3})]}
    for name in ("english", "german"):
        fields = {**versions, "title": name, "draws": ""}
        elsewhere(tmp_path / name, {b"\0\0": 20}, **fields)
    survey = make_closed(counts, **asked)
    assert set(SURVEY_COMMANDS) <= set(COMMANDS)
    for command, rest in SURVEY_COMMANDS:
        typed = re.sub(r"/srv/(?:in|out)", str(tmp_path), rest)
        typed = typed.replace("SURVEY", survey.slug)
        written = io.StringIO()
        call_command(command, *shlex.split(typed), stdout=written)
        assert written.getvalue() or not rest, command


FILE_OPTIONS = "--data DATA.csv --outcome COLUMN --weights COLUMN"
FAMILY = "--family forced_response --set forced_yes=1/6 forced_no=1/6"
FORMULA = '--formula "assets + age + I(age**2)"'
FILE_COMMANDS = (
    (f"{LIBRARY}estimate", f"{FILE_OPTIONS} {FAMILY}", "data.csv heavy weight"),
    (
        f"{LIBRARY}estimate",
        f"{FILE_OPTIONS} --margins MARGINS.csv --family coin --format json",
        "data.csv heavy weight sexes.csv",
    ),
    (
        f"{LIBRARY}regress", f"DATA.csv --outcome COLUMN {FAMILY} {FORMULA}",
        "data.csv heavy",
    ),
    (
        "import_reports", "SURVEY.json REPORTS.csv --owner USER --again",
        "study.json reports.csv maria",
    ),
    ("archive", "SURVEY FOLDER", "study-habits north"),
    ("merge", "ADDRESS FOLDER FOLDER", "all-sites north south"),
    ("analyse", "FOLDER FOLDER --questions 1 3", "north south"),
    (
        "analyse", "FOLDER --questions 1 --margins MARGINS.csv",
        "north margins.csv",
    ),
    ("simulate", "SURVEY --respondents 1000 --shares q1=0.2 q2=1/3", "open"),
)  # fmt: skip
"""Commands that run on files, and the words for their placeholders."""


def write_files(folder):
    """Write the documented files, and rows of a study with weights."""
    margins = dict(blocks_of(DOCS / "researchers" / "weights.md"))["csv"]
    rows = [
        f"{i % 3 % 2},{1 + i % 2},{i * 7 % 11},{20 + i * 13 % 50},{sex}"
        for i, sex in enumerate(("Yes", "No") * 150)
    ]
    files = {
        **dict(blocks_of(DOCS / "reference" / "import-format.md")),
        "margins": margins,
        "sexes": margins.replace("\n2,", "\nsex,"),
        "data": "\n".join(["heavy,weight,assets,age,sex", *rows]),
    }
    names = {"json": "study.json", "csv": "reports.csv"}
    for name, text in files.items():
        (folder / names.get(name, f"{name}.csv")).write_text(text, "utf-8")


@pytest.mark.django_db
def test_documented_commands_on_files_run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_files(tmp_path)
    asked = {"questions": ["coin", "direct", "direct"], "draws": ""}
    asked["owner"] = make_user("maria")
    counts = {bytes(each): 20 for each in product((0, 1), repeat=3)}
    elsewhere(tmp_path / "south", {**counts, bytes(3): 21}, **asked)
    make_closed(counts, **asked)
    make_survey(["coin", "die"], slug="open", owner=asked["owner"])
    assert {each[:2] for each in FILE_COMMANDS} <= set(COMMANDS)
    for command, rest, words in FILE_COMMANDS:
        put_in = iter(words.split())
        typed = [
            next(put_in) if IN_CAPITALS.fullmatch(each) else each
            for each in shlex.split(rest)
        ]
        assert not [*put_in]
        if command.startswith(LIBRARY):
            assert candor(command.removeprefix(LIBRARY), *typed)
            continue
        written = io.StringIO()
        call_command(command, *typed, stdout=written)
        assert written.getvalue()


EVERY_COMMAND_HAS = BaseCommand().create_parser("manage.py", "any")


SERVER_COMMANDS = {
    name
    for name, app in get_commands().items()
    if isinstance(app, str) and (PROJECT / app.replace(".", "/")).is_dir()
}


def actions_of(command):
    """Return the options of the library's command, the server's, or both."""
    parsers = []
    if command in cli.COMMANDS:
        parser = ArgumentParser()
        import_module(f"candor.cli.{command}").add_arguments(parser)
        parsers.append(parser)
    if command in SERVER_COMMANDS:
        loaded = load_command_class(get_commands()[command], command)
        parsers.append(loaded.create_parser("manage.py", command))
    known = EVERY_COMMAND_HAS._option_string_actions
    return [
        action
        for parser in parsers
        for action in parser._actions
        if not set(action.option_strings) & known.keys()
    ]


@pytest.mark.parametrize("command", sorted({*cli.COMMANDS, *SERVER_COMMANDS}))
def test_every_option_has_a_help_text(command):
    """The page of commands refers to `--help` for the list of options."""
    unexplained = [
        action.option_strings
        for action in actions_of(command)
        if action.option_strings and not (action.help or action.choices)
    ]
    assert unexplained == []


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_named_modules_targets_and_tests_exist(page):
    text = text_of(page)
    for module in MODULE.findall(text):
        path = PROJECT / module.replace(".", "/")
        program = path / "__main__.py" if path.is_dir() else path.with_suffix(".py")
        assert program.exists(), module
    makefile = (PROJECT / "Makefile").read_text("utf-8")
    code = " ".join(re.findall(r"`(make[^`]*)`", text))
    for target in TARGET.findall(f"{code} {' '.join(list_typed_lines(page))}"):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target
    for paths in TESTS.findall(text):
        for path in paths.split():
            assert (PROJECT / path).exists(), path


def test_every_benchmark_is_listed_in_the_measuring_guide():
    text = set(MODULE.findall(text_of(DOCS / "developers" / "measuring.md")))
    programs = {
        f"benchmarks.{file.stem}"
        for file in (PROJECT / "benchmarks").glob("*.py")
        if '__name__ == "__main__"' in file.read_text("utf-8")
    }
    assert programs <= text


def test_settings_that_are_named_are_read():
    """The code reads each variable of the guide."""
    table = text_of(DOCS / "administrators" / "settings.md")
    named = set(re.findall(r"^\| `([A-Z_]+)` \|", table, re.MULTILINE))
    assert len(named) > 20
    readers = [
        (PROJECT / "config" / f"{name}.py").read_text("utf-8")
        for name in ("settings", "env", "start", "__init__")
    ]
    read = set(re.findall(r'"([A-Z][A-Z_]+)"', "".join(readers)))
    assert named <= read
