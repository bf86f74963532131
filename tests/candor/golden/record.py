"""Record the figures of today, to which a later form of the mathematics is held.

    python -m tests.candor.golden.record

Only to be run where figures are meant to change; say in the commit which and why.
"""

import gzip
import json
import math
import sys
import warnings
from pathlib import Path
from typing import Any

from tests.candor.golden.cases import Case, cases, digest
from tests.candor.golden.figures import KINDS, Figures

RECORDED = Path(__file__).with_name("figures.json.gz")


def figures_of(kind: str, case: Case) -> Figures:
    """Return the figures of a case as JSON has them, or which error refuses it."""
    try:
        found = KINDS[kind](**case)
    except (ValueError, TypeError) as error:
        return {"error": type(error).__name__}
    return {name: writable(value) for name, value in found.items()}


def writable(value: Any) -> Any:
    """Return a value that JSON knows: NaN and infinities as text."""
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return value


def read() -> dict[str, list[tuple[str, Figures]]]:
    """Return the recorded figures: of each kind the digests and figures of cases."""
    found: dict[str, list[tuple[str, Figures]]] = json.loads(
        gzip.decompress(RECORDED.read_bytes())
    )
    return found


def record() -> None:
    found: dict[str, list[tuple[str, Figures]]] = {}
    failures = []
    for kind, case in cases():
        try:
            figures = figures_of(kind, case)
        except Exception as error:  # noqa: BLE001, RUF100 - all of them are listed
            failures.append(f"{kind} {json.dumps(case)}: {error!r}")
        else:
            found.setdefault(kind, []).append((digest(case), figures))
    if failures:
        sys.exit("\n".join(["neither figures nor a refusal:", *failures]))
    text = json.dumps(found, separators=(",", ":"), allow_nan=False)
    RECORDED.write_bytes(gzip.compress(text.encode(), mtime=0))


if __name__ == "__main__":
    warnings.simplefilter("error")
    record()
