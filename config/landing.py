"""The landing page, with one computed example."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from django.conf import settings
from django.contrib.admin import site
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import translation
from django.utils.cache import patch_vary_headers
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from candor.mechanisms import build
from candor.mechanisms.odds import Exposure, classify_exposure
from candor.sample import Sample
from config.middleware import choose_language
from respondents.imports.examples import find_open_example
from surveys.numbers import format_integer, format_limits, format_percent

RESPONDENTS, TRUE_SHARE = 1000, Fraction(1, 5)
"""The example: the number of respondents and the share whose answer is Yes."""

CONFIDENCE_LEVEL = 0.95

CHART_WIDTH = 360

VERDICTS: dict[Exposure, tuple[str | Promise, str | Promise]] = {
    Exposure.WEAK_HINT: (gettext_lazy("A weak hint,"), gettext_lazy("never proof")),
    Exposure.HINT: (gettext_lazy("A hint,"), gettext_lazy("never proof")),
}
"""What one report says about a person, for the mechanisms that an example may have."""


@dataclass(frozen=True)
class Example:
    """What a coin flip does to the answers of a group, on average."""

    arrived: Fraction
    """The share of reports that are Yes."""
    estimate: float
    low: float
    high: float
    exposure: Exposure

    def get_context(self) -> dict[str, object]:
        low, high = format_limits(self.low, self.high)
        hint, proof = VERDICTS[self.exposure]
        return {
            "respondents": format_integer(RESPONDENTS),
            "yes": format_integer(int(RESPONDENTS * TRUE_SHARE)),
            "arrived": format_percent(float(self.arrived), 0),
            "estimate": format_percent(self.estimate, 0),
            "low": low,
            "high": high,
            "level": format_percent(CONFIDENCE_LEVEL, 0),
            "hint": hint,
            "proof": proof,
            # Coordinates in the drawings, with a decimal point in every language.
            "arrived_width": format_coordinate(float(self.arrived)),
            "estimate_place": format_coordinate(self.estimate),
            "interval_place": format_coordinate(self.low),
            "interval_width": format_coordinate(self.high - self.low),
        }


def format_coordinate(share: float) -> str:
    return f"{CHART_WIDTH * share:.1f}"


def compute_example() -> Example:
    """Compute the example from the weights of the coin flip."""
    mechanism = build("coin")
    answers = {"yes": TRUE_SHARE, "no": 1 - TRUE_SHARE}
    arrived = sum(
        (mechanism.probability("yes", given=each) * answers[each] for each in answers),
        Fraction(0),
    )
    yes = round(RESPONDENTS * arrived)
    sample = Sample.of(mechanism, {"yes": yes, "no": RESPONDENTS - yes})
    low, high = sample.interval("yes", CONFIDENCE_LEVEL)
    return Example(
        arrived, sample.raw("yes"), low, high, classify_exposure(mechanism.weights)
    )


@require_safe
def show_landing_page(request: HttpRequest) -> HttpResponse:
    """Show the landing page, or redirect to the login if LANDING_PAGE is off.

    Researchers' cookies are limited to the admin, so this page cannot know who is
    logged in. Its login link leads a logged-in researcher to the list of surveys.
    """
    if not settings.LANDING_PAGE:
        return redirect("admin:index")
    return render_for_visitors(
        request,
        "admin/landing.html",
        lambda: {
            "site_title": site.site_title,
            "title": site.site_header,
            "example": compute_example().get_context(),
            "demonstration": find_open_example(),
        },
    )


def render_for_visitors(
    request: HttpRequest, template: str, find_context: Callable[[], dict[str, Any]]
) -> HttpResponse:
    """Render a page in the language of the URL or the browser, without a cookie."""
    languages = settings.LANGUAGES_OF_RESEARCHERS
    chosen = request.GET.get("language")
    language = chosen if chosen in languages else choose_language(request)
    others = [
        (code, translation.get_language_info(code)["name_local"])
        for code in languages
        if code != language
    ]
    with translation.override(language):
        context = {"site_header": site.site_header, "others": others, **find_context()}
        response = render(request, template, context)
    patch_vary_headers(response, ["Accept-Language"])
    return response
