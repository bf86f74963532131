"""The examples in docstrings pass, and every public function has one."""

import doctest
import inspect
from importlib import import_module
from pkgutil import walk_packages

import pytest

import candor

MODULES = [each.name for each in walk_packages(candor.__path__, "candor.")]
FUNCTIONS = [
    name for name in candor.PUBLIC if inspect.isfunction(getattr(candor, name))
]


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_the_docstrings_pass(name):
    assert doctest.testmod(import_module(name)).failed == 0


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_public_function_has_an_example(name):
    function = inspect.unwrap(getattr(candor, name))
    assert doctest.DocTestFinder(recurse=False).find(function)[0].examples
