"""The maths by its public names."""

from estimation.maths.alike import holm as holm
from estimation.maths.differences import difference as difference
from estimation.maths.shares import estimate_shares as estimate_shares
