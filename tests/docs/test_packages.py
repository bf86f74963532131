"""The documents name every package."""

import re

import pytest

from tests.docs.documents import DOCS, PROJECT, text_of

NOT_NAMED = {"__pycache__", "formats", "management", "migrations", "templatetags"}
"""Folders required by Django or Python."""

APPS = ("surveys", "respondents", "estimation", "config")


def packages_of(app):
    folders = [each for each in (PROJECT / app).iterdir() if each.is_dir()]
    return {each.name for each in folders} - NOT_NAMED


@pytest.mark.parametrize("app", APPS)
def test_the_set_up_guide_names_every_package(app):
    page = text_of(DOCS / "developers" / "set-up.md").partition(
        "## Packages and layers"
    )[2]
    named = {
        name
        for row in re.findall(rf"^.*`{app}/.*$", page, re.MULTILINE)
        for name in re.findall(r"(\w+)/", row)
    }
    assert packages_of(app) - named == set()
