"""Write the records of all or the named cases: `python -m tests.golden.record`."""

import os
import sys
from pathlib import Path

import pytest

RECORDS = Path(__file__).parent / "records"

WRITES = "WRITE_GOLDEN_RECORDS"
"""With this environment variable, tests write the records instead of comparing."""


def main(names):
    os.environ[WRITES] = "1"
    chosen = ["-k", " or ".join(names)] if names else []
    return pytest.main([str(RECORDS.parent), "-q", *chosen])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
