"""A family is one class, its vectors and its page; no other code names it."""

import ast
import importlib
import re
import sys
from pathlib import Path

import pytest

from candor.mechanisms import Mechanism, ParameterError, build, families, load_families
from candor.mechanisms.epsilon import epsilon_rounded_up
from candor.mechanisms.randomness import randomise
from surveys.models.question import get_family_choices
from tests import reference
from tests.candor.mechanisms.checks import check_every_word
from tests.docs.test_mechanisms import INDEX_ROW

PROJECT = Path(__file__).parents[3]
MECHANISMS = PROJECT / "candor" / "mechanisms"
GUIDE = PROJECT / "docs" / "developers" / "extending.md"


def names_of(folder, pattern, *, other_than):
    return {path.stem for path in (PROJECT / folder).glob(pattern)} - other_than


def test_families_vectors_and_pages_correspond():
    found = set(load_families())
    vectors = names_of(
        "tests/vectors", "*.json", other_than={"refused_tables", "tokens"}
    )
    pages = names_of("docs/reference/mechanisms", "*.md", other_than={"README"})
    assert vectors == pages == found


@pytest.mark.parametrize(("name", "family"), load_families().items())
def test_a_family_has_the_name_of_its_class(name, family):
    assert family.identifier == name
    assert type(family).__name__ == name.title().replace("_", "")


@pytest.mark.parametrize("path", sorted(MECHANISMS.rglob("*.py")), ids=str)
def test_no_module_branches_on_a_family_name(path):
    """Only its class knows how a family behaves: no comparison, case or look-up."""
    names = set(load_families())
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Compare | ast.MatchValue | ast.Subscript):
            texts = {n.value for n in ast.walk(node) if isinstance(n, ast.Constant)}
            assert not texts & names


@pytest.fixture
def folder_of_families(tmp_path):
    """A folder whose files are families during the test."""
    families.__path__.append(str(tmp_path))
    importlib.invalidate_caches()
    load_families.cache_clear()
    yield tmp_path
    families.__path__.remove(str(tmp_path))
    for path in tmp_path.glob("*.py"):
        sys.modules.pop(f"{families.__name__}.{path.stem}", None)
        vars(families).pop(path.stem, None)
    importlib.invalidate_caches()
    load_families.cache_clear()


def read_guide_examples():
    """Return the class and the second calculation that the guide shows."""
    of_families = GUIDE.read_text("utf-8").partition("\n## A family\n")[2]
    blocks = re.findall(
        r"^ *```python\n(.*?)^ *```$", of_families.partition("\n## ")[0], re.M | re.S
    )
    return [re.sub(r"^   ", "", block, flags=re.MULTILINE) for block in blocks]


GUIDE_FAMILY = "family_of_the_guide"
"""Differs from the guide's name, which developers who follow it may have used."""


def test_the_family_in_the_guide_needs_only_one_class(folder_of_families):
    before = dict(load_families())
    assert GUIDE_FAMILY not in before
    recipe, second_calculation = read_guide_examples()
    recipe = recipe.replace("class TwoDice", "class FamilyOfTheGuide")
    (folder_of_families / "two_dice.py").write_text(recipe, "utf-8")
    load_families.cache_clear()

    mechanism = build(GUIDE_FAMILY)
    assert mechanism.weights == ((11, 1), (2, 10))
    assert mechanism.family == GUIDE_FAMILY
    assert epsilon_rounded_up(mechanism.worst_ratio) == "2.31"  # ln 10 = 2.302585...
    assert Mechanism.from_dict(mechanism.to_dict()) == mechanism
    check_every_word(randomise, mechanism.weights, 8)
    assert (GUIDE_FAMILY, "Two dice") in get_family_choices()
    assert set(load_families()) == {*before, GUIDE_FAMILY}

    names = dict(vars(reference))
    exec(second_calculation, names)  # noqa: S102 - the guide's own lines
    assert names["two_dice"]() == [list(row) for row in mechanism.weights]


def test_the_guide_shows_valid_index_and_vector_entries():
    guide = GUIDE.read_text("utf-8")
    (row,) = INDEX_ROW.findall(guide.replace("   | [", "| ["))
    assert row[0] == row[1] == "two_dice"
    assert row[3:] == ("no", "2.31")
    assert re.findall(r"`(\"two_dice\": .*?),`", guide) == ['"two_dice": [{}]']


NEW_FORMULA = '''\
"""A changed formula takes a new name, and may build on the old file."""

from candor.mechanisms.families.devices import Coin
from candor.mechanisms.family import Family


class CoinAgain(Coin):
    label = "Two coins, second thoughts"

    def weights(self):
        return ((5, 1), (1, 5))
'''


def test_a_file_that_imports_a_family_defines_only_its_own(folder_of_families):
    (folder_of_families / "coin_again.py").write_text(NEW_FORMULA, "utf-8")
    load_families.cache_clear()
    assert build("coin_again").weights == ((5, 1), (1, 5))
    assert build("coin_again").family == "coin_again"
    assert build("coin").weights == ((3, 1), (1, 3))


UNMARKED = NEW_FORMULA.replace("CoinAgain", "Unmarked").replace(
    "((5, 1), (1, 5))", "((1, 0), (0, 1))"
)


def test_a_new_family_that_shows_answers_must_be_marked(folder_of_families):
    (folder_of_families / "unmarked.py").write_text(UNMARKED, "utf-8")
    load_families.cache_clear()
    with pytest.raises(ParameterError, match="got 'epsilon ∞"):
        build("unmarked")
