"""Respondents who do not follow the device: sensitivity, and models that estimate it.

`sensitivity` needs no model: it supposes how many ignore the device at most. The other
two estimate how many do, from a design that identifies them.
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
