"""What only the public results page says."""

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

METHOD_NAMES = {
    "feldman-cousins": gettext_noop("Feldman-Cousins, exact"),
    "pratt": gettext_noop("Pratt, exact"),
    "wilson": gettext_noop("Wilson"),
    "clopper-pearson": gettext_noop("Clopper-Pearson"),
    "wald": gettext_noop("Wald"),
    "bayes": gettext_noop("Bayesian, highest density"),
}


def method_name(method: str) -> str:
    """Return the method in the language of the page."""
    return _(METHOD_NAMES[method])
