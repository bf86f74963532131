"""Comparisons of computed numbers with limits, decided the same on every processor.

Processors and libraries add numbers in different orders, so that the last digits of a
result differ. Where a result may equal its limit, these digits must not decide.
"""

from typing import overload

import numpy as np
import numpy.typing as npt

from candor.binary import FloatArray

ROUNDING = 1e-9
"""Relative difference up to which two computed numbers count as equal: thousands of
times the rounding of a sum, and less than anything that matters."""


@overload
def is_at_most(value: float, limit: float) -> bool: ...
@overload
def is_at_most(
    value: FloatArray, limit: float | FloatArray
) -> npt.NDArray[np.bool_]: ...
def is_at_most(
    value: float | FloatArray, limit: float | FloatArray
) -> bool | npt.NDArray[np.bool_]:
    """Return whether a value of 0 or more is at most the limit, but for rounding.

    >>> 0.1 + 0.2 <= 0.3, is_at_most(0.1 + 0.2, 0.3)
    (False, True)
    """
    return value <= limit * (1 + ROUNDING)


def is_below(value: float, limit: float) -> bool:
    """Return whether a value of 0 or more is below the limit by more than rounding."""
    return value < limit * (1 - ROUNDING)
