"""Demo surveys: two closed ones with simulated answers, and an open one."""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field

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
from surveys.log import record
from surveys.models import Survey, Visitor, require_researcher
from surveys.models.epsilon import is_over_limit
from surveys.numbers import format_integer

RESPONDENTS = 1000


@dataclass(frozen=True)
class Example:
    """A question, its mechanism, and the true shares of simulated answers."""

    text: str
    family: str
    parameters: Mapping[str, str] = field(default_factory=dict)
    true_shares: str = ""
    scale: Mapping[str, str] | None = None


CLOSED_SLUG, OPEN_SLUG = "closed-example", "open-example"
SCALE_SLUG = "scale-example"

SLUG_BYTES = 4
"""Each researcher has an own example; enough bytes to avoid equal addresses."""

ORGANISER = "The makers of Candor"

ABOUT_CLOSED = {
    "title": "A closed example",
    "organiser": ORGANISER,
    "purpose": "It shows what results look like. A program drew all of its answers.",
}

# Chosen so that the reports of one person, combined, are not called weakly protected.
CLOSED_QUESTIONS = (
    Example(
        "In the last 12 months, did you copy from someone else in an exam?",
        family="coin",
        true_shares="0.22",
    ),
    Example(
        "Have you ever handed in a text as your own that someone else, or a program, "
        "had written?",
        family="forced_response",
        parameters={"forced_yes": "1/6", "forced_no": "1/6"},
        true_shares="0.35",
    ),
    Example(
        "In the last 12 months, did you take medicine that no one had prescribed to "
        "you, in order to study longer?",
        family="epsilon",
        parameters={"epsilon": "1/2"},
        true_shares="0.12",
    ),
    Example(
        "In the last month, did you miss a class because of alcohol or other drugs?",
        family="crosswise",
        parameters={"prevalence": "1/3"},
        true_shares="0.28",
    ),
    Example(
        "In the last two weeks, was there a day on which you had no money left for "
        "food?",
        family="k_ary",
        parameters={"epsilon": "3/5", "choices": "3"},
        true_shares="0.16,0.72,0.12",
    ),
)

SCALE_QUESTIONS = (
    Example(
        "How content are you with your studies, from 0 (not at all) to 10 (entirely)?",
        family="one_bit",
        parameters={"epsilon": "1", "points": "11"},
        scale={"low": "0", "high": "10"},
        true_shares="0.03,0.03,0.05,0.07,0.1,0.15,0.17,0.18,0.12,0.06,0.04",
    ),
    Example(
        "How often did you feel under pressure in the last two weeks, from 1 (never) "
        "to 5 (always)?",
        family="grid",
        parameters={"epsilon": "3/2", "points": "5"},
        scale={"low": "1", "high": "5"},
        true_shares="0.1,0.2,0.35,0.25,0.1",
    ),
    Example(
        "In the last 12 months, did you take a book from a library without borrowing "
        "it?",
        family="coin",
        true_shares="0.08",
    ),
    Example(
        "In the last 12 months, did you skip a test by saying that you were ill?",
        family="die",
        true_shares="0.3",
    ),
)

ABOUT_SCALE = {
    "draws": "1 of 3, 4",
    "title": "A closed example with scales and a draw",
    "organiser": ORGANISER,
    "purpose": "It shows means, and questions of which each person was asked one. A "
    "program drew all of its answers.",
}

OPEN_QUESTIONS = (
    Example(
        "In the last 12 months, did you give a made-up reason in order to get a later "
        "deadline?",
        family="coin",
    ),
    Example(
        "Have you ever signed an attendance list for someone who was not there?",
        family="forced_response",
        parameters={"forced_yes": "1/6", "forced_no": "1/6"},
    ),
    Example(
        "In the last two weeks, did you think about giving up your studies?",
        family="k_ary",
        parameters={"epsilon": "1", "choices": "3"},
    ),
)


def prepare(
    owner: User, *, with_progress_bar: bool = False
) -> tuple[Survey, Survey, Survey]:
    """Return both closed surveys and the open one; existing surveys are not changed."""
    filled = find_or_open(
        CLOSED_QUESTIONS, owner=owner, slug=CLOSED_SLUG, **ABOUT_CLOSED
    )
    if filled.is_open:
        if (lacking := RESPONDENTS - count_responses(filled)) > 0:
            shares = map_true_shares(CLOSED_QUESTIONS)
            simulate(filled, lacking, shares, with_progress_bar=with_progress_bar)
        if filled.is_simulated:
            close(filled)
    empty = find_or_open(
        OPEN_QUESTIONS,
        owner=owner,
        slug=OPEN_SLUG,
        title="An open example",
        organiser=ORGANISER,
        purpose="Answer it yourself. It is no real study. As in any survey, results "
        "show when two whole batches have arrived.",
    )
    scales = find_or_fill(SCALE_QUESTIONS, owner=owner, slug=SCALE_SLUG, **ABOUT_SCALE)
    return filled, scales, empty


@transaction.atomic
def find_or_fill(
    questions: tuple[Example, ...], *, owner: User, slug: str, **fields: object
) -> Survey:
    """Return the closed survey at `slug`; make and fill it if there is none."""
    survey = find_or_open(
        questions, owner=owner, slug=slug, is_simulated=True, **fields
    )
    if survey.is_open and survey.is_simulated:
        fill(survey, RESPONDENTS, map_true_shares(questions))
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
    return find_or_fill(CLOSED_QUESTIONS, owner=owner, slug=slug, **ABOUT_CLOSED)


def map_true_shares(questions: tuple[Example, ...]) -> dict[str, str]:
    return {
        f"q{number}": question.true_shares
        for number, question in enumerate(questions, start=1)
    }


@transaction.atomic
def find_or_open(
    questions: tuple[Example, ...], *, owner: User, slug: str, **fields: object
) -> Survey:
    """Return the survey at `slug`; make and open it if there is none."""
    if found := Survey.objects.filter(slug=slug).first():
        return found
    survey = Survey.objects.create(owner=owner, slug=slug, **fields)
    for question in questions:
        survey.add_question(
            question.text,
            family=question.family,
            parameters=question.parameters,
            scale=question.scale,
        )
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
