"""Cache texts once for each language."""

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Any, ParamSpec, TypeVar

from django.utils.translation import get_language

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


def cache_by_language(
    maxsize: int,
) -> Callable[[Callable[Arguments, Result]], Callable[Arguments, Result]]:
    """Decorate a function whose result depends on the active language, as `lru_cache`.

    Parameters
    ----------
    maxsize : int
        How many results are kept, of all languages together.
    """

    def decorate(work: Callable[Arguments, Result]) -> Callable[Arguments, Result]:
        @lru_cache(maxsize=maxsize)
        def of_language(_language: str, *args: Any, **kwargs: Any) -> Result:
            return work(*args, **kwargs)

        @wraps(work)
        def remembered(*args: Arguments.args, **kwargs: Arguments.kwargs) -> Result:
            named: dict[str, Any] = dict(kwargs)
            return of_language(get_language() or "", *args, **named)

        return remembered

    return decorate
