"""From reports to what they tell: the public names of the maths."""

from estimation.maths.alike import holm
from estimation.maths.census import census_interval
from estimation.maths.differences import difference
from estimation.maths.intervals.refuting import refuting_p_value
from estimation.maths.mean_differences import mean_difference
from estimation.maths.means import estimate_mean
from estimation.maths.planning.groups import group_sizes
from estimation.maths.planning.mean_groups import mean_group_sizes, suppose_means
from estimation.maths.planning.power import sample_size
from estimation.maths.planning.scales import plan_scale
from estimation.maths.poisoning import forgery_proof_interval
from estimation.maths.regression.fit import LogisticFit, fit_logistic
from estimation.maths.regression.patterns import NoFitError, Scrambled
from estimation.maths.releases import Release, release
from estimation.maths.shares import estimate_shares
from estimation.maths.weights import estimate_weighted, post_stratify, rake
from estimation.maths.weights.means import weighted_mean

__all__ = [
    "LogisticFit",
    "NoFitError",
    "Release",
    "Scrambled",
    "census_interval",
    "difference",
    "estimate_mean",
    "estimate_shares",
    "estimate_weighted",
    "fit_logistic",
    "forgery_proof_interval",
    "group_sizes",
    "holm",
    "mean_difference",
    "mean_group_sizes",
    "plan_scale",
    "post_stratify",
    "rake",
    "refuting_p_value",
    "release",
    "sample_size",
    "suppose_means",
    "weighted_mean",
]
