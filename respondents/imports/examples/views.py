"""The page that makes a newcomer an example to look at."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from django.views.decorators.http import require_http_methods

from respondents.imports.examples.examples import (
    RESPONDENTS,
    find_example,
    make_example,
)
from surveys.authoring.pages import render_page
from surveys.log import record
from surveys.models import require_researcher
from surveys.text.numbers import format_integer


@require_http_methods(["GET", "HEAD", "POST"])
def example(request: HttpRequest) -> HttpResponse:
    """Offer an example, make it, and lead to its results."""
    owner = require_researcher(request.user)
    found = find_example(owner)
    if found is None and request.method == "POST":
        found = make_example(owner)
        record(owner, found, gettext_noop("Made as an example, of simulated answers."))
        messages.success(request, _("This is your example. Nobody gave its answers."))
    if found is not None:
        return redirect("admin:estimation_results", found.pk)
    return render_page(
        request,
        None,
        "respondents/imports/example.html",
        title=_("The demo"),
        respondents=format_integer(RESPONDENTS),
    )
