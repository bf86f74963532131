"""The steps of `make check-installation` are blocks of the guides, as they stand."""

import re
from pathlib import Path

from scripts import check_installation
from scripts.check_installation import GUIDE, NOT_RUN, UPGRADING, Guide
from scripts.installation.machine import at_a_terminal

TAKEN = re.findall(
    r'\.take\(\s*"([^"]+)"', Path(check_installation.__file__).read_text("utf-8")
)


def test_every_block_of_commands_is_run_or_named_as_one_that_is_not():
    left = [*Guide(GUIDE).left, *Guide(UPGRADING).left]
    beginnings = [each.replace("\\n", "\n") for each in TAKEN]
    assert len(beginnings) > 10
    for each in (*beginnings, *NOT_RUN):
        assert any(block.startswith(each) for block in left), each
    for block in left:
        assert block.startswith((*beginnings, *NOT_RUN)), block


def test_the_day_of_a_backup_is_today_and_nothing_else_is_changed():
    [written] = [each for each in Guide(GUIDE).left if "manage.py restore" in each]
    taken = Guide(GUIDE).take(written)
    assert re.sub(r"\d{4}-\d\d-\d\d", "", taken) == re.sub(
        r"\d{4}-\d\d-\d\d", "", written
    )


def test_a_terminal_outlives_what_ends_in_it(tmp_path):
    """What had done as it should was hung up at its end, most of the time."""
    command = ["install", "-d", str(tmp_path / "made")]
    assert {at_a_terminal(command, {})[0] for _attempt in range(30)} == {0}
    assert at_a_terminal(["/bin/sh", "-ec", "false\ntrue"], {})[0] == 1
