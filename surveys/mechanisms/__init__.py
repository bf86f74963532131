"""Families of mechanisms, found by looking: a new family is one new file."""

import pkgutil
from functools import cache
from importlib import import_module

from surveys.mechanisms import recipes
from surveys.mechanisms.family import Family
from surveys.mechanisms.mechanism import Mechanism
from surveys.mechanisms.parameters import ParameterError

__all__ = ["Family", "Mechanism", "ParameterError", "build", "families"]


@cache
def families() -> dict[str, Family]:
    """Return every family by identifier: the classes in the files of `recipes`."""
    found: dict[str, Family] = {}
    for _, name, _ in pkgutil.iter_modules(recipes.__path__):
        module = import_module(f"{recipes.__name__}.{name}")
        for item in vars(module).values():
            is_family = isinstance(item, type) and issubclass(item, Family)
            # A file may import another's class; only its own bears its name.
            if is_family and item.__module__ == module.__name__:
                found[name] = item()
    return found


def build(family: str, /, **parameters: object) -> Mechanism:
    """Return the mechanism that `family` makes from `parameters`.

    Raises
    ------
    ParameterError
        For an unknown family, and as `Family.build` says.

    Examples
    --------
    >>> build("forced_response", forced_yes="1/6", forced_no="1/6").weights
    ((5, 1), (1, 5))
    """
    if family not in families():
        raise ParameterError(
            "family", allowed=f"one of {', '.join(families())}", value=family
        )
    return families()[family].build(**parameters)
