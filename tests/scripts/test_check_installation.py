"""The steps of `make check-installation` are unchanged blocks of the guides."""

import re
from pathlib import Path

from scripts import check_installation
from scripts.check_installation import SCRIPT, blocks_of, take
from scripts.installation.machine import run_at_terminal

PROGRAM = Path(check_installation.__file__).read_text("utf-8")
TAKEN = [
    (page, words.replace("{SCRIPT}", SCRIPT).replace("\\n", "\n"))
    for page, words in re.findall(r'take\("([\w-]+)", f?"([^"]+)"\)', PROGRAM)
]


def test_every_block_of_the_guides_is_run():
    assert len(TAKEN) > 8
    for page in ("deployment", "upgrading"):
        run = [words for where, words in TAKEN if where == page]
        for block in blocks_of(page):
            assert any(words in block for words in run), block


def test_only_the_date_of_the_restore_command_is_replaced():
    [written] = [each for each in blocks_of("deployment") if " restore " in each]
    without_day = [
        re.sub(r"\d{4}-\d\d-\d\d", "", each)
        for each in (written, take("deployment", "candor-manage restore"))
    ]
    assert without_day[0] == without_day[1]


def test_a_terminal_returns_the_exit_code_of_its_command(tmp_path):
    """Otherwise successful commands usually ended with a hang-up."""
    command = ["install", "-d", str(tmp_path / "made")]
    assert {run_at_terminal(command, {})[0] for _attempt in range(30)} == {0}
    assert run_at_terminal(["/bin/sh", "-ec", "false\ntrue"], {})[0] == 1
