"""Demo surveys: two closed ones with simulated answers, and an open one."""

import json
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from django.contrib.auth.models import User
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from django.views.decorators.http import require_http_methods

from respondents.imports.simulation.simulate import fill, simulate
from respondents.models import Response, SealedPattern, close
from surveys.authoring.pages import render_page
from surveys.files.definition import Definition, make_draft
from surveys.files.read import read_parsed
from surveys.log import record
from surveys.models import Survey, Visitor, require_researcher
from surveys.models.epsilon import is_over_limit
from surveys.numbers import format_integer

RESPONDENTS = 1000

CLOSED_SLUG, OPEN_SLUG = "closed-example", "open-example"
SCALE_SLUG = "scale-example"

SLUG_BYTES = 4
"""Each researcher has an own example; enough bytes to avoid equal addresses."""

ORGANISER = "The makers of Candor"

FILE = Path(__file__).with_name("examples.json")
"""Survey files by address, with the true shares of simulated answers. The shares of
the closed one are such that the reports of one person, combined, are not called weakly
protected."""


@dataclass(frozen=True)
class Example:
    definition: Definition
    true_shares: Mapping[str, str]
    """As `simulate` reads them."""


@cache
def read_example(name: str) -> Example:
    written = json.loads(FILE.read_text("utf-8"))[name]
    true_shares = {
        f"q{number}": question.pop("true_shares", "")
        for number, question in enumerate(written["questions"], start=1)
    }
    return Example(read_parsed(written), true_shares)


def prepare(
    owner: User, *, with_progress_bar: bool = False
) -> tuple[Survey, Survey, Survey]:
    """Return both closed surveys and the open one; existing surveys are not changed."""
    filled = find_or_open(CLOSED_SLUG, owner)
    if filled.is_open:
        if (lacking := RESPONDENTS - count_responses(filled)) > 0:
            shares = read_example(CLOSED_SLUG).true_shares
            simulate(filled, lacking, shares, with_progress_bar=with_progress_bar)
        if filled.is_simulated:
            close(filled)
    empty = find_or_open(OPEN_SLUG, owner)
    scales = find_or_fill(SCALE_SLUG, owner)
    return filled, scales, empty


@transaction.atomic
def find_or_fill(name: str, owner: User, *, slug: str = "") -> Survey:
    """Return the closed survey at `slug`; make and fill it if there is none."""
    survey = find_or_open(name, owner, slug=slug, is_simulated=True)
    if survey.is_open and survey.is_simulated:
        fill(survey, RESPONDENTS, read_example(name).true_shares)
        close(survey)
    return survey


def find_example(user: Visitor) -> Survey | None:
    """Return a closed survey with simulated answers that `user` may view."""
    seen = Survey.objects.for_user(user).listed().exclude(slug=SCALE_SLUG)
    return seen.filter(is_simulated=True, state=Survey.State.CLOSED).first()


def find_open_example() -> Survey | None:
    """Return the demo survey that all visitors may answer, if there is one."""
    survey = Survey.objects.filter(
        slug=OPEN_SLUG,
        organiser=ORGANISER,
        state=Survey.State.OPEN,
        archived_on=None,
    ).first()
    return None if survey is None or survey.has_ended else survey


@transaction.atomic
def make_example(owner: User) -> Survey:
    """Return a closed example that belongs to `owner`, filled in this request."""
    User.objects.select_for_update().get(pk=owner.pk)
    # A second click waits here, and finds the example that the first click made.
    if found := find_example(owner):
        return found
    slug = f"{CLOSED_SLUG}-{secrets.token_hex(SLUG_BYTES)}"
    return find_or_fill(CLOSED_SLUG, owner, slug=slug)


@transaction.atomic
def find_or_open(
    name: str, owner: User, *, slug: str = "", is_simulated: bool = False
) -> Survey:
    """Return the survey at `slug`, by default `name`; make and open it if needed."""
    slug = slug or name
    if found := Survey.objects.filter(slug=slug).first():
        return found
    definition = read_example(name).definition
    fields = {**definition.fields, "slug": slug, "is_simulated": is_simulated}
    survey = make_draft(replace(definition, fields=fields), owner)
    if (numbers := survey.compose_reports()) and is_over_limit(numbers):
        survey.epsilon_reason = "This is an example. It is no real study."
        survey.save(update_fields=["epsilon_reason"])
    survey.open()
    return survey


def count_responses(survey: Survey) -> int:
    sealed = SealedPattern.objects.respondents(survey)
    return sealed + Response.objects.filter(survey=survey).count()


@require_http_methods(["GET", "HEAD", "POST"])
def example(request: HttpRequest) -> HttpResponse:
    owner = require_researcher(request.user)
    survey = find_example(owner)
    if survey is None and request.method == "POST":
        survey = make_example(owner)
        record(owner, survey, gettext_noop("Made as an example, of simulated answers."))
    if survey is not None:
        return redirect("admin:estimation_results", survey.pk)
    return render_page(
        request,
        None,
        "respondents/imports/example.html",
        title=_("The demo"),
        respondents=format_integer(RESPONDENTS),
    )
