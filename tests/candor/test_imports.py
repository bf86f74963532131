"""The stub names all public names, and modules load only what they need.

numpy and scipy.stats dominate start-up time.
"""

import ast
import subprocess
import sys
from pathlib import Path

import candor

ALL = """
import pkgutil
from importlib import import_module
for each in pkgutil.walk_packages(candor.__path__, "candor."):
    import_module(each.name)
"""


def loaded_by(program):
    """Return the modules loaded by a program in a new interpreter."""
    done = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-c", f"import candor, sys\n{program}\nprint(*sys.modules)"],
        capture_output=True,
        check=True,
        text=True,
    )
    return set(done.stdout.split())


USED = """
import candor.mechanisms.draws, candor.mechanisms.odds
candor.mechanism("coin").randomise("yes")
"""


def test_type_checkers_see_all_public_names():
    stub = ast.parse(Path(candor.__file__).with_suffix(".pyi").read_text("utf-8"))
    imported = [node for node in stub.body if isinstance(node, ast.ImportFrom)]
    names = {each.asname for node in imported for each in node.names if each.asname}
    assert names | {"mechanism"} == set(candor.PUBLIC)


def test_a_mechanism_needs_no_numpy():
    assert not {"numpy", "scipy"} & loaded_by(USED)


def test_no_module_loads_the_slow_parts_of_scipy():
    loaded = loaded_by(ALL)
    assert "candor.regression.fit" in loaded
    assert not {"scipy.stats", "scipy.optimize", "scipy.linalg"} & loaded
