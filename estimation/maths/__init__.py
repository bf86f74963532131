"""The maths by its public names."""

from estimation.maths.means import estimate_mean as estimate_mean
from estimation.maths.planning.scales import plan_scale as plan_scale
