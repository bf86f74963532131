"""Large libraries, each imported on first use.

They take longer to import than all other modules, and most workers and commands never
draw a chart or write a workbook. `scipy` is not here, because it is lazy itself.
"""

from importlib import import_module
from typing import TYPE_CHECKING

__all__ = ["matplotlib", "pandas", "pyreadstat", "xlsxwriter"]

if TYPE_CHECKING:  # for mypy and lint-imports
    import matplotlib.figure
    import pandas  # noqa: ICN001 - exported by its own name
    import pyreadstat
    import xlsxwriter

else:
    PARTS = {
        "matplotlib": ["matplotlib", "matplotlib.figure"],
        "pandas": ["pandas"],
        "pyreadstat": ["pyreadstat"],
        "xlsxwriter": ["xlsxwriter"],
    }

    def __getattr__(name: str) -> object:
        if name not in PARTS:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        library, *_parts = map(import_module, PARTS[name])
        globals()[name] = library
        return library
