"""Settings of Sphinx for the documents of the library: `make docs`."""

from candor import __version__

project = "Candor"
release = __version__
extensions = ["sphinx.ext.autodoc", "numpydoc"]
toc_object_entries = False
html_theme = "alabaster"

# Every broken reference is a warning, and `make docs` turns warnings into errors.
nitpicky = True
# Types are in the docstrings, where readers find their range and unit too.
autodoc_typehints = "none"
autodoc_member_order = "bysource"
numpydoc_show_class_members = False
numpydoc_validation_checks = {"GL08", "PR02", "PR10", "SS03"}
"""A docstring, parameters that exist, written as numpydoc reads them, in sentences."""
