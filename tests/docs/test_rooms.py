"""Every room is named where somebody looks for it."""

import re

import pytest

from tests.docs.documents import DOCS, PROJECT, text_of

NO_ROOMS = {"__pycache__", "formats", "management", "migrations", "templatetags"}
"""Folders that Django or Python wants."""

FLOORS = ("surveys", "respondents", "estimation", "config")


def rooms_of(floor):
    folders = [each for each in (PROJECT / floor).iterdir() if each.is_dir()]
    return {each.name for each in folders} - NO_ROOMS


@pytest.mark.parametrize("floor", FLOORS)
def test_the_decision_on_rooms_names_all_of_a_floor(floor):
    page = text_of(DOCS / "decisions" / "0009-rooms.md")
    [row] = re.findall(rf"^\| `{floor}` \| (.*) \|$", page, re.MULTILINE)
    assert rooms_of(floor) <= set(re.findall(r"`(\w+)`", row))


@pytest.mark.parametrize("floor", FLOORS)
def test_who_sets_up_finds_the_way_into_each_room(floor):
    page = text_of(DOCS / "developers" / "set-up.md").partition("## The house")[2]
    named = {
        name
        for row in re.findall(rf"^.*`{floor}/.*$", page, re.MULTILINE)
        for name in re.findall(r"(\w+)/", row)
    }
    assert rooms_of(floor) - named == set()
