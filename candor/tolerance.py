"""Comparisons of computed numbers with limits that give the same result everywhere.

Processors and libraries add numbers in different orders, so the last digits of a result
differ. If a result may equal its limit, these digits must not decide.
"""

from typing import overload

import numpy as np
import numpy.typing as npt

from candor.binary import FloatArray

ROUNDING = 1e-9
"""Relative difference up to which two computed numbers count as equal: much more than
the rounding error of a sum, and too little to matter."""


@overload
def is_at_most(value: float, limit: float) -> bool: ...
@overload
def is_at_most(
    value: FloatArray, limit: float | FloatArray
) -> npt.NDArray[np.bool_]: ...
def is_at_most(
    value: float | FloatArray, limit: float | FloatArray
) -> bool | npt.NDArray[np.bool_]:
    """Return whether a nonnegative value is at most the limit, up to rounding.

    >>> 0.1 + 0.2 <= 0.3, is_at_most(0.1 + 0.2, 0.3)
    (False, True)
    """
    return value <= limit * (1 + ROUNDING)


def is_below(value: float, limit: float) -> bool:
    """Return whether a nonnegative value is below the limit by more than rounding."""
    return value < limit * (1 - ROUNDING)
