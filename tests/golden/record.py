"""Write the records of all or the named cases: `python -m tests.golden.record`."""

import os
import sys
from pathlib import Path

import pytest

RECORDS = Path(__file__).parent / "records"

WRITES = "WRITE_GOLDEN_RECORDS"
"""The variable of the environment with which the test writes what it would compare."""


def main(names):
    os.environ[WRITES] = "1"
    chosen = ["-k", " or ".join(names)] if names else []
    return pytest.main([str(RECORDS.parent), "-q", *chosen])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
