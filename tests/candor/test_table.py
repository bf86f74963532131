"""Rows of estimates: look-up, printing and other formats."""

import json
import math
from dataclasses import replace

import numpy as np
import pytest

from candor.intervals import Interval
from candor.table import COLUMNS, Estimate, Estimates, Status

ROW = Estimate(
    estimand="yes",
    estimate=0.3,
    raw=0.3,
    standard_error=0.0979796,
    low=0.11416,
    high=0.5,
    confidence_level=0.95,
    method="feldman-cousins",
    n=1100,
)
OTHER = replace(ROW, estimand="no", estimate=0.7, raw=0.7, low=0.5, high=0.88584)


def test_the_summary_is_an_aligned_table():
    table = Estimates([ROW, OTHER], title="Two coins", notes=["Intervals are exact."])
    assert table.summary().splitlines() == [
        "Two coins",
        "estimand  estimate     raw  std. error     low    high  level  "
        "method               n  status",
        "-" * 93,
        "yes         0.3000  0.3000      0.0980  0.1142  0.5000   0.95  "
        "feldman-cousins  1,100  ok",
        "no          0.7000  0.7000      0.0980  0.5000  0.8858   0.95  "
        "feldman-cousins  1,100  ok",
        "Intervals are exact.",
    ]
    assert repr(table) == table.summary()


def test_a_missing_figure_is_a_dash():
    empty = replace(ROW, estimate=math.nan, raw=math.nan, status=Status.NO_REPORTS)
    assert Estimates([empty]).summary().splitlines()[2].split()[1:3] == ["-", "-"]


def test_small_p_values_are_not_printed_as_zero():
    tested = replace(ROW, p_value=1e-9)
    assert "< 0.0001" in Estimates([tested]).summary()


def test_rows_are_found_by_position_estimand_and_group():
    men, women = replace(ROW, group="men"), replace(ROW, group="women")
    table = Estimates([men, women, OTHER])
    assert table[0] == table[np.int64(0)] == men
    assert table["no"] == OTHER
    assert table["yes", "women"] == women
    assert list(table[1:]) == [women, OTHER]


@pytest.mark.parametrize(
    ("key", "message"),
    [
        ("yes", "several groups: men, women"),
        ("maybe", "must be one of yes, no; got 'maybe'"),
        (("yes", "children"), "must be one of yes, no"),
    ],
)
def test_an_ambiguous_or_unknown_key_raises(key, message):
    table = Estimates([replace(ROW, group="men"), replace(ROW, group="women"), OTHER])
    with pytest.raises(KeyError, match=message):
        table[key]


def test_figures_become_json_without_nan():
    row = replace(ROW, standard_error=math.nan, high=math.inf)
    found = json.loads(json.dumps(Estimates([row]).to_dict(), allow_nan=False))
    (line,) = found["estimates"]
    assert list(line) == list(COLUMNS)
    assert line["standard_error"] is None
    assert line["high"] is None
    assert line["status"] == "ok"


def test_a_data_frame_has_a_row_for_each_estimate():
    frame = Estimates([ROW, OTHER]).to_frame()
    assert list(frame.columns) == list(COLUMNS)
    assert frame["estimate"].tolist() == [0.3, 0.7]


def test_html_escapes_names():
    html = Estimates([replace(ROW, estimand="<b>")], title="a & b")._repr_html_()
    assert "&lt;b&gt;" in html
    assert "a &amp; b" in html
    assert "<b>" not in html


def test_p_values_are_adjusted_by_holm():
    rows = [replace(ROW, p_value=p) for p in (0.01, 0.04, 0.03)]
    adjusted = Estimates([*rows, OTHER]).with_adjusted_p_values()
    assert [row.adjusted_p_value for row in adjusted] == [0.03, 0.06, 0.06, None]


def test_another_level_calls_the_interval_function_of_the_row():
    def find(level, method):
        assert (level, method) == (0.99, "pratt")
        return Interval(0.1, 0.6)

    row = replace(ROW, find_interval=find, find_interval_by=find)
    assert row.interval() == (0.11416, 0.5)
    assert row.interval(0.99, "pratt") == (0.1, 0.6)


@pytest.mark.parametrize("level", [0, 1, math.nan, "x"])
def test_a_level_out_of_range_is_refused(level):
    with pytest.raises((TypeError, ValueError), match="confidence_level must be"):
        ROW.interval(level)


def test_a_row_without_a_function_has_its_own_interval_only():
    with pytest.raises(ValueError, match=r"must be 0\.95"):
        ROW.interval(0.9)


def test_a_plot_has_a_line_and_a_dot_for_each_row():
    men = replace(ROW, group="men")
    axes = Estimates([men, OTHER], title="Two coins").plot().axes[0]
    (lines,), (dots,) = axes.collections, axes.lines
    assert [each[:, 0].tolist() for each in lines.get_segments()] == [
        [ROW.low, ROW.high],
        [OTHER.low, OTHER.high],
    ]
    assert dots.get_xdata().tolist() == [0.3, 0.7]
    assert [each.get_text() for each in axes.get_yticklabels()] == ["men yes", "no"]
    assert axes.get_title() == "Two coins"
