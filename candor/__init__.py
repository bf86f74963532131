"""Randomised response under local differential privacy, with valid estimates.

The names below are the public interface. Each is loaded when it is first used, so that
numpy and scipy are imported only by the functions that need them.
"""

from importlib import import_module

__version__ = "0.2.0"

PUBLIC = {
    "Estimand": "estimands",
    "Estimate": "table",
    "Estimates": "table",
    "LogisticFit": "regression.fit",
    "Mechanism": "mechanisms",
    "NoFitError": "regression.patterns",
    "ParameterError": "mechanisms",
    "Release": "releases",
    "Scrambled": "regression.patterns",
    "Sensitivity": "compliance",
    "Sums": "weighting",
    "TotalEpsilon": "accounting",
    "census_interval": "census",
    "clustered_difference": "clustered_differences",
    "difference": "differences",
    "estimate": "sample",
    "estimate_attentive": "compliance",
    "estimate_cheating": "compliance",
    "estimate_clustered": "clusters",
    "estimate_weighted": "weighting",
    "fit_logistic": "regression.fit",
    "forgery_proof_interval": "poisoning",
    "group_sizes": "planning.groups",
    "holm": "homogeneity",
    "margin_of_error": "planning.margins",
    "mechanism": "mechanisms:build",
    "one_sided_p_value": "one_sided",
    "plan": "planning.plan",
    "pool": "pooling",
    "post_stratify": "weighting",
    "rake": "weighting",
    "release": "releases",
    "sample_size": "planning.power",
    "sensitivity": "compliance",
    "total_epsilon": "accounting",
}
"""The module of each name and, after a colon, its name there if it differs."""

__all__ = sorted(PUBLIC)


def __getattr__(name: str) -> object:
    if name not in PUBLIC:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module, _, own_name = PUBLIC[name].partition(":")
    member = getattr(import_module(f"{__name__}.{module}"), own_name or name)
    globals()[name] = member
    return member


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
