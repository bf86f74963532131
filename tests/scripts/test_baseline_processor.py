"""The command that emulates the oldest processors."""

import os
import re
import subprocess
import sys

from scripts.baseline_processor import OLDEST_CORES

NAMED = """
import numpy, scipy.linalg
print(*numpy.show_config(mode="dicts")["SIMD Extensions"].get("found", []))
"""


def test_numpy_and_openblas_use_the_baseline_processor_code():
    found = subprocess.run(  # noqa: S603
        [sys.executable, "-m", "scripts.baseline_processor", sys.executable,
         "-W", "error", "-c", NAMED],
        capture_output=True, text=True, check=True,
        env={**os.environ, "OPENBLAS_VERBOSE": "2"},
    )  # fmt: skip
    assert found.stdout == "\n"
    # The command itself prints the first line, before it starts the other one.
    _own, *cores = re.findall("^Core: (.*)", found.stderr, re.MULTILINE) or [""]
    assert set(cores) <= {*OLDEST_CORES.values()}
