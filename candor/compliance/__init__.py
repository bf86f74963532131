"""Non-compliance: sensitivity analysis, and models that estimate it.

`sensitivity` needs no model, but assumes an upper bound for the share of respondents
who ignore the device. The other two functions estimate this share, from a design that
identifies it.
"""

from candor.compliance.models import estimate_attentive, estimate_cheating
from candor.compliance.sensitivity import Band, Sensitivity, sensitivity

__all__ = [
    "Band",
    "Sensitivity",
    "estimate_attentive",
    "estimate_cheating",
    "sensitivity",
]
