"""Pages and charts share the palette in static/css/colours.css."""

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.staticfiles import finders

from estimation.presentation.charts.drawing import COLOURS
from tests.contrast import GRAPHICS_CONTRAST, TEXT_CONTRAST, contrast

SHEETS = Path(settings.BASE_DIR, "static", "css")
PALETTE = SHEETS / "colours.css"

NAMES_IN_CHARTS = {
    "muted": "ink-soft",
    "track": "chart-track",
    "accent": "chart-accent",
    "plain": "chart-plain",
    "second": "chart-second",
    "third": "chart-third",
}

COLOUR = re.compile(r"#[0-9a-f]{3,8}\b")
BLOCK = re.compile(r"{([^{}]*)}")
PROPERTY = re.compile(r"--([a-z-]+): ([^;]+);")

TEXTS = [
    ("ink", ("canvas", "surface", "surface-raised", "warn-soft", "bad-soft")),
    ("ink", ("brand-soft", "good-soft", "note-soft", "line")),
    ("ink-soft", ("canvas", "surface", "surface-raised", "brand-soft")),
    ("brand", ("canvas", "surface", "surface-raised", "brand-soft")),
    ("brand-strong", ("surface", "brand-soft")),
    ("on-brand", ("brand", "brand-strong")),
    ("good", ("surface", "good-soft")),
    ("warn", ("surface", "warn-soft")),
    ("bad", ("surface", "bad-soft")),
    ("note", ("note-soft",)),
]
BORDERS = [
    ("line-strong", ("canvas", "surface", "surface-raised", "brand-soft")),
    ("brand", ("canvas", "surface")),
    ("bad", ("canvas", "surface")),
]


def written(sheet):
    return re.sub(r"/\*.*?\*/", "", sheet.read_text("utf-8"), flags=re.DOTALL)


def read_palette():
    light, dark = map(dict, map(PROPERTY.findall, blocks(written(PALETTE))))
    return {"light": light, "dark": light | dark}


def blocks(style):
    return BLOCK.findall(style)


@pytest.fixture(params=["light", "dark"])
def palette(request):
    return read_palette()[request.param]


def test_chart_files_use_the_light_palette():
    palette = read_palette()["light"]
    names = {name: NAMES_IN_CHARTS.get(name, name) for name in COLOURS}
    assert {name: palette[each] for name, each in names.items()} == COLOURS


def test_chart_colours_have_contrast_in_light_and_dark_mode(palette):
    for name in ("ink", "surface"):
        found = contrast(palette["chart-accent"], palette[name])
        assert found >= GRAPHICS_CONTRAST
    for colour in ("chart-second", "chart-third"):
        assert contrast(palette[colour], palette["surface"]) >= GRAPHICS_CONTRAST


@pytest.mark.parametrize(("text", "grounds"), TEXTS)
def test_labels_have_contrast(palette, text, grounds):
    found = {ground: contrast(palette[text], palette[ground]) for ground in grounds}
    assert min(found.values()) >= TEXT_CONTRAST, found


@pytest.mark.parametrize(("border", "grounds"), BORDERS)
def test_borders_can_be_seen(palette, border, grounds):
    found = {ground: contrast(palette[border], palette[ground]) for ground in grounds}
    assert min(found.values()) >= GRAPHICS_CONTRAST, found


def test_only_the_palette_defines_colours():
    sheets = [
        sheet
        for sheet in SHEETS.rglob("*.css")
        if COLOUR.search(" ".join(blocks(written(sheet))))
    ]
    assert sheets == [PALETTE]


def test_every_used_css_variable_is_defined():
    sheets = [written(sheet) for sheet in SHEETS.rglob("*.css")]
    django = Path(finders.find("admin/css/base.css")).read_text("utf-8")
    given = re.findall(r"(--[a-z-]+):", " ".join([*sheets, django]))
    used = re.findall(r"var\((--[a-z-]+)\)", " ".join(sheets))
    assert set(used) <= set(given)
