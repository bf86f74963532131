"""Commands print the tables and errors recorded in `printed.txt`.

    python -m tests.candor.cli.test_printed

Run the `$ candor ...` lines of the file and record their output again.
"""

import json
import re
import shlex
from contextlib import chdir
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

import pytest

from candor.releases.noise import DiscreteGaussian, DiscreteLaplace
from tests.candor.cli.command import CommandFailedError, candor, refuse
from tests.candor.cli.files import FILES

RECORDED = Path(__file__).resolve().with_name("printed.txt")
COMMANDS = re.split(r"^\$ candor ", RECORDED.read_text("utf-8"), flags=re.M)[1:]


USAGE = re.compile(r"\Ausage: .*?(?=^candor \w+: error)", re.MULTILINE | re.DOTALL)
LONG = re.compile(r"\d+\.(\d{6,}(e-\d+)?|0)(?![\d.])")


def run_and_normalise(typed):
    """Return the output, rounded to the five digits that processors agree on.

    Releases add a noise of 3.
    """
    draw = {"draw": lambda _self, _source: 3}
    try:
        with (
            patch.multiple(DiscreteLaplace, **draw),
            patch.multiple(DiscreteGaussian, **draw),
        ):
            printed = candor(*shlex.split(typed)).replace("\r\n", "\n")
    except CommandFailedError as failed:
        return USAGE.sub("", str(failed))
    if printed.startswith("{"):
        printed = json.dumps(json.loads(printed, parse_constant=refuse))
    return LONG.sub(lambda figure: f"{float(figure[0]):.5g}", printed)


def write_files(folder):
    for name, text in FILES.items():
        (folder / name).write_text(text, "utf-8")
    return folder


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return write_files(tmp_path_factory.mktemp("files"))


@pytest.mark.parametrize("recorded", COMMANDS, ids=lambda text: text.splitlines()[0])
def test_a_command_prints_the_recorded_output(recorded, folder, monkeypatch):
    monkeypatch.chdir(folder)
    typed, _newline, expected = recorded.partition("\n")
    assert run_and_normalise(typed).strip("\n") == expected.strip("\n")


if __name__ == "__main__":
    typed = [recorded.partition("\n")[0] for recorded in COMMANDS]
    with TemporaryDirectory() as made, chdir(write_files(Path(made))):
        blocks = [f"$ candor {each}\n{run_and_normalise(each)}" for each in typed]
    RECORDED.write_text("\n".join(blocks), "utf-8")
