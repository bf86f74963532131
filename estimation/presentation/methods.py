"""Names of interval methods for forms, pages and papers.

`candor.intervals` works them out.
"""

from dataclasses import dataclass

from django.conf import settings
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as for_researchers
from django.utils.translation import gettext_noop

LANGUAGE_OF_FILES = settings.LANGUAGE_CODE
"""Programs read files, and colleagues everywhere: they are the same for all."""


@dataclass(frozen=True)
class Method:
    """What people read of one kind of interval."""

    label: Promise
    """For researchers, with its limits."""
    public_label: str
    """For everybody, in the language of the page."""
    citation: str
    """What it is, with its source, as a methods section says it."""


METHODS = {
    "feldman-cousins": Method(
        label=for_researchers("Feldman-Cousins (exact, never empty)"),
        public_label=gettext_noop("Feldman-Cousins, exact"),
        citation="exact likelihood-ratio intervals (Feldman & Cousins 1998)",
    ),
    "pratt": Method(
        label=for_researchers("Pratt (exact, shortest on average)"),
        public_label=gettext_noop("Pratt, exact"),
        citation="exact intervals of the shortest mean length (Pratt 1961)",
    ),
    "bayes": Method(
        label=for_researchers(
            "Bayesian (highest density, every share equally likely beforehand)"
        ),
        public_label=gettext_noop("Bayesian, highest density"),
        citation="highest-density intervals of the posterior under a uniform prior "
        "(Box & Tiao 1973)",
    ),
}

PROFILE = Method(
    label=for_researchers(
        "Profile likelihood, and the mean score with its standard error, whichever "
        "reaches further"
    ),
    public_label=gettext_noop("profile likelihood and mean score"),
    citation="profile likelihood intervals and mean scores with their standard errors",
)
"""Of the mean of a scale that no single count gives; it cannot be chosen."""
