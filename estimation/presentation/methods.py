"""Names of interval methods for forms, pages and papers."""

from dataclasses import dataclass

from django.conf import settings
from django.utils.functional import Promise
from django.utils.translation import gettext as for_researchers
from django.utils.translation import gettext_lazy

LANGUAGE_OF_FILES = settings.LANGUAGE_CODE
"""Files are in one language for all users, because programs read them."""


@dataclass(frozen=True)
class Method:
    label: Promise
    citation: str
    """Description with its source, for a methods section."""


METHODS = {
    "feldman-cousins": Method(
        label=gettext_lazy("Feldman-Cousins, exact"),
        citation="exact likelihood-ratio intervals (Feldman & Cousins 1998)",
    ),
    "pratt": Method(
        label=gettext_lazy("Pratt, exact"),
        citation="exact intervals of the shortest mean length (Pratt 1961)",
    ),
    "bayes": Method(
        label=gettext_lazy("Bayesian, highest density"),
        citation="highest-density intervals of the posterior under a uniform prior "
        "(Box & Tiao 1973)",
    ),
}

PROFILE = Method(
    label=gettext_lazy("profile likelihood and mean score"),
    citation="profile likelihood intervals and mean scores with their standard errors",
)
"""Method for means of scales without a dichotomy; it cannot be chosen."""


def name_likelihood_interval(level: str) -> str:
    return (
        for_researchers("%s interval. Method: profile likelihood (approximate)") % level
    )
