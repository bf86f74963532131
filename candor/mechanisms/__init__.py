"""Mechanisms of randomised response, and the families that build them.

Each family is a class in a file of `families` and is found by discovery.
"""

import pkgutil
from functools import cache
from importlib import import_module

from candor.mechanisms import families
from candor.mechanisms.family import Family
from candor.mechanisms.mechanism import Mechanism
from candor.mechanisms.parameters import ParameterError

__all__ = ["Family", "Mechanism", "ParameterError", "build", "load_families"]


@cache
def load_families() -> dict[str, Family]:
    """Return all families by identifier: the classes in the files of `families`."""
    loaded = []
    for _, name, _ in pkgutil.iter_modules(families.__path__):
        module = import_module(f"{families.__name__}.{name}")
        for item in vars(module).values():
            is_family = isinstance(item, type) and issubclass(item, Family)
            # A file may import the class of another file.
            if is_family and item.__module__ == module.__name__:
                loaded.append(item())
    loaded.sort(key=lambda family: family.identifier)
    return {family.identifier: family for family in loaded}


def build(family: str, /, **parameters: object) -> Mechanism:
    """Return the mechanism that `family` builds from `parameters`.

    Parameters
    ----------
    family : str
        A key of `load_families`, such as "coin" or "forced_response".
    **parameters
        The parameters of the family; probabilities as "1/6", "0.25" or numbers.

    Returns
    -------
    Mechanism
        The table of whole-number weights, shape (answers, reports).

    Raises
    ------
    ParameterError
        If the family is unknown or `Family.build` rejects the parameters.

    Examples
    --------
    >>> build("forced_response", forced_yes="1/6", forced_no="1/6").weights
    ((5, 1), (1, 5))
    """
    if family not in load_families():
        raise ParameterError(
            "family", allowed=f"one of {', '.join(load_families())}", value=family
        )
    return load_families()[family].build(**parameters)
