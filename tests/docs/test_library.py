"""The examples of the library's documents run, and its reference is complete."""

import doctest
import json
import warnings

import pytest
from numpydoc.validate import validate

import candor
from tests.docs.documents import DOCS, text_of

LIBRARY = DOCS / "library"
NOTEBOOKS = sorted(LIBRARY.glob("*.ipynb"))

MAX_QUICK_START_LINES = 40

REQUIRED = {
    "GL08",  # a docstring
    "SS03",  # whose first sentence ends
    "PR01",  # every parameter
    "PR02",  # and no other
}
"""Rules of numpydoc for the docstrings of public functions."""

FIGURES = {
    "crosswise-study": [
        "{crosswise.epsilon:.4f}",
        "P(same) = {p_same_given_no} - 1/2",
        "{100 * plagiarism['yes'].raw:.1f} %",
        "{100 * by_hand:.1f} %",
        "{100 * plagiarism['yes'].standard_error:.2f} percentage points",
        "from {100 * plagiarism['yes'].low:.1f} % to "
        "{100 * plagiarism['yes'].high:.1f} %",
        "{counts[0][0]} of {sum(counts[0]):,} men and {counts[1][0]} of "
        "{sum(counts[1]):,} women",
        "{table['female'].estimate:.3f}, with a 95 % interval from "
        "{table['female'].low:.3f} to {table['female'].high:.3f}",
        "{100 * by_sex[0].estimate:.1f} % of the men and "
        "{100 * by_sex[1].estimate:.1f} % of the women",
        "{100 * difference[0].estimate:.1f} percentage points",
    ],
    "planning-a-survey": [
        "needs {respondents['direct']} respondents, forced response "
        "{respondents['forced response']}, and the crosswise design "
        "{respondents['crosswise']:,}",
        "{100 * margins['direct']:.1f} points with a direct question, "
        "{100 * margins['forced response']:.1f} points with forced response and "
        "{100 * margins['crosswise']:.1f} points",
        "{size.safe} respondents. The power",
        "from {size.safe} on",
        "{size.first} are the first number",
        "takes {groups['forced response']} respondents in each group with forced "
        "response, and {groups['direct']} with a direct question",
    ],
}
"""Figures in the text of each notebook, as code."""


def cells_of(notebook, kind):
    cells = json.loads(text_of(notebook))["cells"]
    return ["".join(each["source"]) for each in cells if each["cell_type"] == kind]


def test_each_notebook_has_figures_to_check():
    assert [each.stem for each in NOTEBOOKS] == sorted(FIGURES)


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda each: each.stem)
def test_a_notebook_runs_and_its_text_states_its_results(notebook):
    names = {}
    with warnings.catch_warnings(action="error"):
        for code in cells_of(notebook, "code"):
            exec(compile(code, notebook.name, "exec"), names)  # noqa: S102 - ours
    text = " ".join(" ".join(cells_of(notebook, "markdown")).split())
    for figure in FIGURES[notebook.stem]:
        stated = eval(f'f"""{figure}"""', names)  # noqa: S307 - ours
        assert stated in text


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda each: each.stem)
def test_a_notebook_is_stored_without_outputs(notebook):
    for cell in json.loads(text_of(notebook))["cells"]:
        assert not cell.get("outputs")
        assert cell.get("execution_count") is None


def test_the_quick_start_is_short_and_its_examples_pass():
    page = LIBRARY / "quick-start.rst"
    assert len(text_of(page).splitlines()) <= MAX_QUICK_START_LINES
    found = doctest.testfile(str(page), module_relative=False)
    assert found.attempted > 5
    assert found.failed == 0


@pytest.mark.parametrize("name", candor.__all__)
def test_the_docstring_of_a_public_function_is_complete(name):
    found = validate(f"candor.{name}")
    wanted = REQUIRED - ({"PR01"} if found["type"] != "function" else set())
    assert [text for code, text in found["errors"] if code in wanted] == []
