"""The tables on the page on planning are current."""

import json
import re
from pathlib import Path

from candor.mechanisms import build
from candor.planning.groups import group_sizes
from surveys.authoring.strengths import STRENGTHS
from tests.candor.planning.planned import TABLES, plan

DOCS = Path(__file__).parents[3] / "docs"
PAGE = (DOCS / "researchers" / "planning.md").read_text("utf-8")

NAMES = {
    "die, ln 2": "die", "coin, ln 3": "coin", "5/6, ln 5": "ln 5",
    "11/12, ln 11": "ln 11", "5/6": "ln 5", "11/12": "ln 11", "11/12 and 1/6": "ln 10",
}  # fmt: skip
"""Mechanisms with other names in the published tables than on the page."""


def name_of(cell):
    return NAMES.get(cell, cell.replace("ε", "epsilon"))


def rows_of(first_cell):
    """Return a table by the start of its header: header, {first cell: other cells}."""
    lines = PAGE.splitlines()
    start = next(
        i for i, line in enumerate(lines) if line.startswith(f"| {first_cell}")
    )
    table = []
    for line in lines[start:]:
        if not line.startswith("|"):
            break
        table.append([cell.strip() for cell in line.strip("|").split("|")])
    header = [name_of(cell) for cell in table[0][1:]]
    return header, {row[0]: row[1:] for row in table[2:]}


def test_the_documented_costs_match_the_published_tables():
    header, rows = rows_of("share")
    assert rows == {
        share.removeprefix("0"): [row[name] for name in header]
        for share, row in TABLES["cost_of_privacy"].items()
    }


def test_every_key_of_the_json_is_described():
    coin = ("coin", "--share", "0.1", "--against", "0.2", "--other-share", "0.3")
    scale = ("one_bit", "--set", "epsilon=1", "points=11", "--difference", "1")
    people = ("--respondents", "100", "--margin", "0.1", "--format", "json")
    keys = {
        key
        for asked in (coin, scale)
        for key in json.loads(plan("--family", *asked, *people))
    }
    described = {
        name
        for line in PAGE.partition("## JSON")[2].splitlines()
        if line.startswith("| `")
        for name in re.findall(r"`([^`]+)`", line.split("|")[1])
    }
    assert described == keys


def test_the_page_names_the_strengths_with_their_epsilons():
    for strength in STRENGTHS:
        shown = strength.shown.partition(" =")[0]
        assert re.search(rf"\*\*{strength.label}\*\*\s\((epsilon )?{shown}\)", PAGE)


def test_the_documented_sizes_of_two_groups_match_the_command():
    section = PAGE.partition("| first | second |")[2].partition("\n\n")[0]
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in section.splitlines()[2:]
    ]
    assert len(rows) == 5
    recipes = {
        "direct": ["direct"],
        "11/12": ["custom", "--set", "p_yes_given_yes=11/12", "p_yes_given_no=1/12"],
        "epsilon 2": ["epsilon", "--set", "epsilon=2"],
        "coin": ["coin"],
    }
    for first, second, *sizes in rows[:2]:
        for recipe, size in zip(recipes.values(), sizes[:4], strict=True):
            asked = ["--share", first, "--other-share", second, "--format", "json"]
            groups = json.loads(plan("--family", *recipe, *asked))["groups"]
            assert (groups["respondents"], groups["is_exact"]) == (int(size), True)


def test_the_documented_sizes_for_two_means_match_the_library():
    header, rows = rows_of("difference")
    assert len(rows) == 3
    for difference, sizes in rows.items():
        for name, size in zip(header, sizes, strict=True):
            kind, epsilon = name.split(", epsilon ")
            family = {"one bit": "one_bit", "points": "grid"}[kind]
            table = build(family, epsilon=epsilon, points=11)
            found = group_sizes(table, difference=float(difference))
            assert found.respondents == int(size)
