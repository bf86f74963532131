"""Randomised response under local differential privacy, with valid estimates.

The names below are the public interface. Each is loaded when it is first used: numpy
and scipy are imported by what needs them, and by nothing else.
"""

from importlib import import_module

__version__ = "0.2.0"

PUBLIC = {
    "Estimand": "estimands",
    "LogisticFit": "regression.fit",
    "Mechanism": "mechanisms",
    "NoFitError": "regression.patterns",
    "ParameterError": "mechanisms",
    "Release": "releases",
    "Scrambled": "regression.patterns",
    "census_interval": "census",
    "difference": "differences",
    "estimate_mean": "means",
    "estimate_shares": "shares",
    "estimate_weighted": "weighting",
    "fit_logistic": "regression.fit",
    "forgery_proof_interval": "poisoning",
    "group_sizes": "planning.groups",
    "holm": "homogeneity",
    "mean_difference": "mean_differences",
    "margin_of_error": "planning.margins",
    "one_sided_p_value": "intervals.one_sided",
    "plan": "planning.plan",
    "post_stratify": "weighting",
    "rake": "weighting",
    "release": "releases",
    "sample_size": "planning.power",
    "weighted_mean": "weighting.means",
}

__all__ = sorted(PUBLIC)


def __getattr__(name: str) -> object:
    if name not in PUBLIC:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = getattr(import_module(f"{__name__}.{PUBLIC[name]}"), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *PUBLIC})
