"""What the respondents' style sheet must not say."""

import re
from pathlib import Path

import pytest
from django.conf import settings

PHYSICAL = re.compile(
    r"[\w-]*\b(?:left|right)\b[\w-]*\s*:|"  # margin-left, left
    r":[^;{}]*\b(?:left|right)\b"  # float: left, text-align: right
)
FOUR_SIDES = re.compile(
    r"(?:margin|padding|inset|border-\w+): *((?:[^\s;]+ ){3}[^\s;]+);"
)


@pytest.mark.parametrize(
    ("rule", "is_physical"),
    [
        ("a { margin-left: 1rem; }", True),
        ("a { left: 0 }", True),
        ("a { text-align: right; }", True),
        ("a { border-top-left-radius: 0; }", True),
        ("a { margin: 0 1rem 0 2rem; }", True),
        ("a { margin: 0 1rem 0 1rem; padding-inline-start: 1rem; }", False),
        ("a { text-align: start; }", False),
    ],
)
def test_physical_sides_are_found(rule, is_physical):
    assert bool(physical_sides(rule)) == is_physical


def physical_sides(style):
    style = re.sub(r"/\*.*?\*/", "", style, flags=re.DOTALL)
    uneven = [
        sides
        for sides in FOUR_SIDES.findall(style)
        if sides.split()[1] != sides.split()[3]
    ]
    return PHYSICAL.findall(style) + uneven


@pytest.mark.parametrize("name", ["respondents.css", "collecting/scale.css"])
def test_the_style_sheets_know_start_and_end_only(name):
    style = Path(settings.BASE_DIR, "static/css", name).read_text("utf-8")
    assert physical_sides(style) == []
