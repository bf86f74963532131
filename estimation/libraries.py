"""Large libraries, each loaded when it is first taken from here.

Together they take longer to load than all the rest, and most workers and commands never
draw a chart or write a workbook. `scipy` is not here: it loads its own parts this way.
"""

from importlib import import_module
from typing import TYPE_CHECKING

__all__ = ["matplotlib", "pandas", "pyreadstat", "xlsxwriter"]

if TYPE_CHECKING:  # what mypy and lint-imports shall know as if it were loaded
    import matplotlib.figure
    import pandas  # noqa: ICN001 - it goes by its own name here
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
