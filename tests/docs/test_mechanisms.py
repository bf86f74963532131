"""The pages about families match the code."""

import json
import re
from pathlib import Path

import pytest

from candor.estimands import MEAN
from candor.mechanisms import build, load_families
from candor.mechanisms.epsilon import epsilon_rounded_up
from candor.sample import Sample

PAGES = Path(__file__).parents[2] / "docs" / "reference" / "mechanisms"

HEADINGS = ["## Table", "## Example", "## When to use it", "## Source"]

INDEX_ROW = re.compile(
    r"^\| \[`(\w+)`\]\((\w+)\.md\) \| (.+) \| (yes|no) \| (.+) \|$", re.MULTILINE
)
UNWANTED = re.compile(r"\b(liars?|lied|lying|fake|false answer|random answer)\b", re.I)


@pytest.fixture(params=load_families())
def family(request):
    return load_families()[request.param]


@pytest.fixture
def page(family):
    return (PAGES / f"{family.identifier}.md").read_text("utf-8")


@pytest.fixture
def stated(page):
    (block,) = re.findall(r"^```json\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    return json.loads(block)


@pytest.fixture
def mechanism(family, stated):
    return build(family.identifier, **stated["parameters"])


def test_the_page_has_the_headings_of_all_pages(page, family, stated):
    is_by_hand = family.by_hand(**family.parse(stated["parameters"])) is not None
    expected = ["## By hand", *HEADINGS] if is_by_hand else HEADINGS
    assert re.findall(r"^## .*$", page, re.MULTILINE) == expected


def test_the_page_starts_with_the_label_and_ends_with_the_source(page, family):
    assert page.startswith(f"# {family.label}\n")
    assert page.endswith(f"## Source\n\n{family.source}\n")


def test_the_page_names_every_parameter(page, family):
    for parameter in family.parameters:
        assert f"`{parameter.name}`" in page


def test_the_stated_weights_and_epsilon_match_the_code(mechanism, stated):
    assert mechanism.to_dict()["weights"] == stated["weights"]
    assert epsilon_rounded_up(mechanism.worst_ratio) == stated["epsilon"]


def test_the_stated_share_matches_the_estimator(mechanism, stated):
    sample = Sample.of(mechanism, stated["tally"])
    estimand = mechanism.answers[0] if mechanism.identifies_shares else MEAN
    expected = stated["share" if mechanism.identifies_shares else "mean"]
    (row,) = sample.table(estimand, 0.95, "pratt")
    assert round(row.raw, 4) == expected
    assert round(row.standard_error, 4) == stated["standard_error"]


def test_the_index_lists_every_family_with_its_epsilon():
    index = INDEX_ROW.findall((PAGES / "README.md").read_text("utf-8"))
    listed = {}
    for name, link, _, by_hand, epsilon in index:
        family = load_families()[name]
        examples = {given.name: given.example for given in family.parameters}
        assert link == name
        assert epsilon == epsilon_rounded_up(family.build(**examples).worst_ratio)
        instruction = family.by_hand(**family.parse(examples))
        assert (by_hand == "yes") == (instruction is not None)
        listed[name] = family
    assert listed == load_families()


@pytest.mark.parametrize("path", sorted(PAGES.glob("*.md")), ids=lambda path: path.name)
def test_pages_link_to_existing_pages_and_use_standard_terms(path):
    text = path.read_text("utf-8")
    for target in re.findall(r"\]\((?!http)([^)#]+)\)", text):
        assert (PAGES / target).exists()
    assert not UNWANTED.search(text)
