"""Recorded cases with their figures, to which a later form of the library is held.

    python -m tests.candor.golden.record [KIND CASE]

Records all figures again; only to be run where figures are meant to change. State in
the commit which and why. With a kind and a case as JSON, adds the case first.
"""

import gzip
import json
import math
import sys
import warnings
from pathlib import Path
from typing import Any

from tests.candor.golden.figures import KINDS

RECORDED = Path(__file__).with_name("figures.json.gz")

Case = dict[str, Any]
"""The arguments of a function of `figures`, in plain JSON."""


def figures_of(kind, case):
    """Return the figures of a case as JSON has them, or which error refuses it."""
    try:
        found = KINDS[kind](**case)
    except (ValueError, TypeError) as error:
        return {"error": type(error).__name__}
    return {name: writable(value) for name, value in found.items()}


def writable(value):
    """Return a value that JSON knows: NaN and infinities as text."""
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return value


def read():
    """Return the recorded cases of each kind with their figures."""
    return json.loads(gzip.decompress(RECORDED.read_bytes()))


def record(kind="", case="{}"):
    cases = {kind: [case for case, _figures in pairs] for kind, pairs in read().items()}
    if kind:
        cases.setdefault(kind, []).append(json.loads(case))
    found = {
        kind: [(case, figures_of(kind, case)) for case in of_kind]
        for kind, of_kind in cases.items()
    }
    text = json.dumps(found, separators=(",", ":"), allow_nan=False)
    RECORDED.write_bytes(gzip.compress(text.encode(), mtime=0))


if __name__ == "__main__":
    warnings.simplefilter("error")
    record(*sys.argv[1:])
