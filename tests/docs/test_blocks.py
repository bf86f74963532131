"""Every block of code in the documents is run or read, or has a reason here."""

import os
import re
import subprocess
from urllib.request import urlopen

import pytest

from tests.browser.candor_server import SET_UP, CandorServer
from tests.docs.documents import PAGES, PROJECT, blocks_of, name_of, text_of
from tests.docs.test_commands import (
    FILE_COMMANDS,
    SURVEY_COMMANDS,
    command_in,
    lines_of,
    needs_no_input,
)
from tests.docs.test_guides import EXTENDING, TRANSLATING, GuideFollower

FOLLOWED = [
    block
    for page, heading in ((EXTENDING, "A family"), (TRANSLATING, "Add a language"))
    for block in GuideFollower(page, heading, project=None).left
]
"""All blocks of the guides that test_guides.py follows."""

FOR_ADMINISTRATORS = {
    "docs/administrators/deployment.md", "docs/administrators/upgrading.md",
}  # fmt: skip
"""`make check-installation` follows these pages; its test checks the blocks."""

ELSEWHERE = {
    "tests/config/accounts/test_second_factor.py": [
        "python manage.py reset_second_factor", "candor-manage reset_second_factor"
    ],
    "tests/config/accounts/test_login.py": ["candor-manage shell -c"],
    "tests/estimation/exports/test_docs.py": ["q1,q1_label"],
    "tests/estimation/exports/test_programs.py": [
        "python candor.py ", "Rscript candor.R "
    ],
    "scripts/check_exports.py": ["Rscript multilevel.R "],
    "tests/estimation/management/test_audit.py": ["python manage.py audit"],
    "tests/estimation/test_docs.py": [
        "Coin flip: epsilon 1.10", "Read as UTF-8", '{\n  "family": "coin"',
        '{\n  "title": "Plagiarism in term papers"', "id,handed_in,passages\n",
        "from candor import ", "python manage.py import_reports study.json",
    ],
    "tests/respondents/imports/test_examples.py": ["python manage.py demo"],
    "tests/respondents/test_backups.py": [
        "python manage.py backup", "python manage.py restore"
    ],
    "tests/respondents/test_docs.py": [
        "$ curl http://127.0.0.1:8000/s/habits/reports/", '{"error": {"field"',
        '<script id="survey"', "POST /s/<slug>/reports/",
    ],
    "tests/respondents/test_grants.py": [
        "python manage.py grants", "candor-manage grants"
    ],
    "tests/surveys/files/test_definition_docs.py": [
        '{\n  "format": 1', "mode must be one of"
    ],
    "tests/docs/test_blocks.py": [
        "make run", "DEBUG=on .venv/bin/python manage.py runserver"
    ],
    "tests/candor/cli/test_keys.py": ["python -m candor keys "],
    "tests/config/test_programs.py": ["token <- Sys.getenv", "import json, os"],
    "tests/docs/test_commands.py": ["question,answer,share\n"],
    "tests/docs/test_readme.py": ["import candor\n"],
}  # fmt: skip
"""Blocks that a test runs or reads, in addition to the lists of test_commands.py."""

BY_OTHERS = {
    beginning: file
    for file, beginnings in ELSEWHERE.items()
    for beginning in beginnings
}

NOT_RUN = {
    "make check": "is what runs this",
    ".venv/bin/pytest tests/candor/mechanisms": "is a part of what runs this",
    "total  = sum of a row": "is no program; tests/vectors hold those that there are",
    ".venv/bin/pip install --require-hashes --requirement requirements-archives.txt":
        "fetches packages; requirements-dev.txt, which is installed here, has the same",
    ".venv/bin/pip install --require-hashes --requirement requirements-audit.txt":
        "fetches packages; requirements-dev.txt, which is installed here, has the same",
    "apt-get install -y default-jre-headless": "installs Java; `make check-spark` does",
    "python manage.py analyse FOLDER --outcome 1": "takes Spark: `make check-spark`",
    "listen_addresses": "is a file of a PostgreSQL of two machines",
    "hostssl candor": "is a file of a PostgreSQL of two machines",
    ".venv/bin/python -m benchmarks.validation": "is checked by test_validation.py",
    "candor-manage changepassword": "is Django's",
    "createuser candor": "makes a role of PostgreSQL",
    "systemctl stop postgresql": "is for a second machine",
    "cd /etc/systemd/system": "is run by `make check-installation`",
    "DATABASE_URL=postgres://": "names machines; test_standby.py has such of its own",
    "docker build": "takes an engine; `make check-container` does without",
    "cd deploy": "the same",
    "docker compose cp": "the same",
    "git pull && docker": "the same",
    "git checkout v0.2.0 && docker": "the same",
    "for name in POSTGRES": "the same",
    "ALTER SYSTEM": "changes a whole PostgreSQL, which other tests use",
}  # fmt: skip
"""Blocks that no test runs, by their beginning, and the reason."""

RUN_HERE = {each[:2] for each in (*SURVEY_COMMANDS, *FILE_COMMANDS)}

ALL = [(name_of(page), block) for page in PAGES for _language, block in blocks_of(page)]


def is_run(line):
    found = command_in(line)
    return found is not None and (needs_no_input(*found) or found in RUN_HERE)


def is_run_or_listed(name, block):
    if name in FOR_ADMINISTRATORS:
        return True
    if block in FOLLOWED or name.startswith("docs/reference/mechanisms/"):
        return True
    listed = (*BY_OTHERS, *NOT_RUN)
    return block.startswith(listed) or all(
        is_run(line) or line.startswith(listed) for line in lines_of(block)
    )


def test_each_code_block_is_run_or_listed_with_a_reason():
    assert len(ALL) > 100
    assert [each for each in ALL if not is_run_or_listed(*each)] == []


@pytest.mark.parametrize("beginning", [*BY_OTHERS, *NOT_RUN])
def test_listed_blocks_exist_and_their_tests_name_the_page(beginning):
    found = [
        name for name, block in ALL
        if any(each.startswith(beginning) for each in (block, *block.splitlines()))
    ]  # fmt: skip
    assert found
    if file := BY_OTHERS.get(beginning):
        test = (PROJECT / file).read_text("utf-8")
        command = command_in(beginning)
        for name in found:
            page = name.rpartition("/")[2].removesuffix(".md")
            named = command is not None and f'"{command[0]}"' in test
            assert named or page in test, name


def test_make_run_does_what_the_end_to_end_test_does():
    """README and first-survey.md show `make run`: test_whole_way.py runs its steps."""
    as_if_installed = ["--old-file=.venv/installed", "--old-file=.env"]
    text = subprocess.run(  # noqa: S603
        ["make", "--dry-run", "--no-print-directory", *as_if_installed, "run"],  # noqa: S607
        cwd=PROJECT,
        env={"PATH": os.environ["PATH"]},  # without variables of an outer make
        capture_output=True,
        check=True,
        text=True,
    ).stdout
    *commands, serving = text.splitlines()
    assert [command_in(each)[0] for each in commands] == [
        "collectstatic", "migrate", "demo"
    ]  # fmt: skip
    assert 'call_command("collectstatic"' in SET_UP
    assert 'call_command("migrate"' in SET_UP
    assert 'set_up("demo")' in text_of(PROJECT / "tests/browser/test_whole_way.py")
    assert serving == "exec scripts/serve"


@pytest.mark.server
def test_the_documented_development_server_runs(tmp_path):
    [line] = [
        block for _language, block in blocks_of(PROJECT / "docs/developers/set-up.md")
        if "runserver" in block
    ]  # fmt: skip
    server = CandorServer(tmp_path)
    typed = line.strip().replace("8001", server.port)
    assert typed != line.strip()
    with server.running("sh", "-c", typed):
        with urlopen(f"{server.url}/help/") as page:  # noqa: S310
            [style, *_more] = re.findall(r'href="([^"]+\.css)"', page.read().decode())
        with urlopen(f"{server.url}{style}") as found:  # noqa: S310
            assert found.headers["Content-Type"].startswith("text/css")
