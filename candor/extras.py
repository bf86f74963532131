"""Optional libraries, imported on first use."""

from importlib import import_module
from typing import TYPE_CHECKING

__all__ = ["formulaic", "pandas"]

if TYPE_CHECKING:
    import formulaic
    import pandas  # noqa: ICN001 - exported under its own name

else:
    PARTS = {"formulaic": ["formulaic", "formulaic.errors"], "pandas": ["pandas"]}

    def __getattr__(name: str) -> object:
        if name not in PARTS:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        try:
            library, *_parts = map(import_module, PARTS[name])
        except ModuleNotFoundError as error:
            raise ModuleNotFoundError(
                f'{name} is needed: pip install "candor-surveys[regress]"'
            ) from error
        globals()[name] = library
        return library
