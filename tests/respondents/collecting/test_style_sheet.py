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
