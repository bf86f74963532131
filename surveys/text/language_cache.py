"""Cache results of functions for each language."""

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Any, ParamSpec, TypeVar

from django.utils.translation import get_language

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


def cache_by_language(
    maxsize: int,
) -> Callable[[Callable[Arguments, Result]], Callable[Arguments, Result]]:
    """Return a decorator like `lru_cache` whose key includes the active language.

    Parameters
    ----------
    maxsize : int
        Maximum number of cached results, for all languages together.
    """

    def decorate(compute: Callable[Arguments, Result]) -> Callable[Arguments, Result]:
        @lru_cache(maxsize=maxsize)
        def compute_in(_language: str, *args: Any, **kwargs: Any) -> Result:
            return compute(*args, **kwargs)

        @wraps(compute)
        def look_up(*args: Arguments.args, **kwargs: Arguments.kwargs) -> Result:
            named: dict[str, Any] = dict(kwargs)
            return compute_in(get_language() or "", *args, **named)

        return look_up

    return decorate
