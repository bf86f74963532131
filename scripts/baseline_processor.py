"""Run a command with the linear algebra of the oldest supported processors.

    python -m scripts.baseline_processor pytest tests/candor

NumPy and OpenBLAS choose their code by processor, and each adds numbers in a different
order. This command reproduces the last digits of another machine.
"""

import os
import platform
import sys

import numpy as np

OLDEST_CORES = {"x86_64": "Nehalem", "AMD64": "Nehalem", "aarch64": "ARMV8"}
"""The oldest core with its own code in OpenBLAS, for each architecture; on others
OpenBLAS chooses."""


def environment() -> dict[str, str]:
    """Return environment variables for numpy and OpenBLAS on this processor."""
    # Extensions that numpy uses beyond its baseline; it cannot disable others.
    beyond = np.show_config(mode="dicts")["SIMD Extensions"].get("found", [])
    variables = {"NPY_DISABLE_CPU_FEATURES": ",".join(beyond)}
    core = OLDEST_CORES.get(platform.machine())
    return {**variables, "OPENBLAS_CORETYPE": core} if core else variables


if __name__ == "__main__":
    os.execvpe(sys.argv[1], sys.argv[1:], {**os.environ, **environment()})  # noqa: S606
