"""Plots of the validation page; the same input gives the same bytes."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from benchmarks.validation.coverage import LEVEL
from benchmarks.validation.exact import EPSILON_2, share_coverage, share_ends
from benchmarks.validation.tables import Row
from candor.dichotomies import make_channel

N = 30
SHARES = np.linspace(0, 1, 2001)
CURVES = {
    "Feldman-Cousins": ("feldman-cousins", "#0b5c8a"),
    "Wilson, carried over": ("wilson", "#8a6d0b"),
    "Wald, carried over": ("wald", "#a8324a"),
}


def save(figure: Figure, file: Path) -> None:
    """Write a picture without date and program version, so that its bytes repeat."""
    FigureCanvasAgg(figure)
    figure.savefig(file, dpi=110, metadata={"Software": None})


def draw_shares(file: Path) -> None:
    """Draw the coverage over the true share, for epsilon 2 and 30 respondents."""
    figure = Figure(figsize=(7, 3.4), layout="constrained")
    axes = figure.add_subplot()
    for label, (method, colour) in CURVES.items():
        ends = share_ends(method, N, EPSILON_2)
        found = share_coverage(ends, make_channel(EPSILON_2), SHARES)
        axes.plot(SHARES, found, color=colour, linewidth=0.9, label=label)
    axes.axhline(LEVEL, color="#444444", linewidth=0.8, linestyle="--")
    axes.set(xlabel="true share", ylabel="coverage", xlim=(0, 1), ylim=(0.8, 1.002))
    axes.legend(loc="lower center", frameon=False, fontsize=8, ncols=3)
    save(figure, file)


def draw_intervals(rows: Sequence[Row], file: Path) -> None:
    """Draw promised, smallest and mean coverage from the table of intervals."""
    found = [row for row in rows if not row[0].startswith("(")]
    figure = Figure(figsize=(7, 0.27 * len(found) + 0.9), layout="constrained")
    axes = figure.add_subplot()
    places = np.arange(len(found))[::-1]
    for place, each in zip(places, found, strict=True):
        promised, smallest, mean = map(float, each[1:4])
        axes.plot([smallest, mean], [place, place], color="#9db8c8", linewidth=1.5)
        axes.plot(smallest, place, "o", color="#0b5c8a", markersize=4)
        axes.plot(mean, place, "|", color="#0b5c8a", markersize=8)
        axes.plot(promised, place, "x", color="#a8324a", markersize=5)
    axes.axvline(LEVEL, color="#444444", linewidth=0.8, linestyle="--")
    axes.set(xlabel="coverage", xlim=(0.8, 1.002))
    axes.set_yticks(places, [each[0].replace("*", "") for each in found], fontsize=7)
    save(figure, file)
