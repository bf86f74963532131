"""The kinds of intervals, by name: what forms, readers and papers call each of them.

`estimation.maths.intervals` works them out.
"""

from dataclasses import dataclass

from django.utils.translation import gettext_noop


@dataclass(frozen=True)
class Method:
    """What people read of one kind of interval."""

    label: str
    """For researchers, with its limits."""
    public_label: str
    """For everybody, in the language of the page."""
    citation: str
    """What it is, with its source, as a methods section says it."""


METHODS = {
    "feldman-cousins": Method(
        "Feldman-Cousins (exact, never empty)",
        gettext_noop("Feldman-Cousins, exact"),
        "exact likelihood-ratio intervals (Feldman & Cousins 1998)",
    ),
    "pratt": Method(
        "Pratt (exact, shortest on average)",
        gettext_noop("Pratt, exact"),
        "exact intervals of the shortest mean length (Pratt 1961)",
    ),
    "wilson": Method(
        "Wilson (textbook, may shrink to a point)",
        gettext_noop("Wilson"),
        "score intervals (Wilson 1927)",
    ),
    "clopper-pearson": Method(
        "Clopper-Pearson (textbook, exact, may shrink to a point)",
        gettext_noop("Clopper-Pearson"),
        "exact equal-tailed intervals (Clopper & Pearson 1934)",
    ),
    "wald": Method(
        "Wald (textbook, too short in small samples)",
        gettext_noop("Wald"),
        "Wald intervals (see Brown, Cai & DasGupta 2001)",
    ),
    "bayes": Method(
        "Bayesian (highest density, every share equally likely beforehand)",
        gettext_noop("Bayesian, highest density"),
        "highest-density intervals of the posterior under a uniform prior "
        "(Box & Tiao 1973)",
    ),
}
