"""Factories with defaults, so that a test states only what matters to it."""

from unittest import mock

from django.contrib.auth.models import User
from django.test import override_settings

from respondents.collecting.pages import write_thanks_query
from respondents.models import Response, SealedPattern, close
from respondents.storage.invitations import Invitation
from respondents.tokens import fits
from surveys.design import get_design
from surveys.kinds import label_answers
from surveys.models import Survey
from surveys.models.epsilon import is_over_limit
from surveys.models.translations import NAMES

PASSWORD = "only-for-tests"  # noqa: S105


def make_user(username="owner", **fields):
    """A researcher who may log in to the admin."""
    fields = {"is_staff": True, **fields}
    return User.objects.create_user(username, password=PASSWORD, **fields)


def make_survey(
    questions=("coin",), *, opened=True, closed=False, counts=None, owner=None, **fields
):
    """An open survey, or a draft, or a closed one.

    A question is the name of its family, a pair of it and the parameters, or a
    dictionary of what `Survey.add_question` takes. `counts` has the sealed reports, by
    pattern.
    """
    fields = {
        "title": "Study habits",
        "slug": "study-habits",
        "organiser": "Institute of Examples",
        **fields,
    }
    owner = owner or User.objects.filter(username="owner").first() or make_user()
    survey = Survey.objects.create(owner=owner, **fields)
    for number, question in enumerate(questions, start=1):
        if isinstance(question, str):
            question = {"family": question}
        elif isinstance(question, tuple):
            question = dict(zip(("family", "parameters"), question, strict=True))
        survey.add_question(**{"text": f"Sensitive question {number}?", **question})
    if opened:
        give_reason(survey)
        open_survey(survey)
    if counts:
        SealedPattern.objects.add(survey, counts)
    if closed:
        close(survey)
    return survey


def give_reason(survey, reason="The test needs it."):
    """Write a reason if the total epsilon is above the limit of the site."""
    if is_over_limit(survey.compose_reports()) and not survey.epsilon_reason:
        survey.epsilon_reason = reason
        survey.save(update_fields=["epsilon_reason"])


def open_survey(survey):
    """Open the survey, even if this release refuses its group sizes."""
    breaks_a_rule = next(survey.find_group_size_problems(), None)
    if breaks_a_rule and not survey.is_simulated:
        open_as_earlier_release(survey)
    else:
        survey.open()


def open_as_earlier_release(survey):
    """Open the survey as an earlier release did, without a minimum group size."""
    with (
        mock.patch.object(Survey, "find_group_size_problems", return_value=()),
        mock.patch.object(Survey, "find_epsilon_problems", return_value=()),
        override_settings(LEAST_RESPONSES=None),
    ):
        survey.open()


def make_responses(survey, patterns):
    """Store one response for each pattern (bytes) as the server does."""
    for number, pattern in enumerate(patterns):
        Response.objects.store(survey, f"{number:032x}", pattern)


def find_thanks(survey, language=""):
    """Return the address of the page that a stored form leads to."""
    query = write_thanks_query(get_design(survey), language)
    return f"{survey.get_absolute_url()}thanks/?{query}"


def mistyped(token):
    """Return `token` with a wrong last character, which is always detected."""
    return token[:-1] + ("y" if token[-1] == "x" else "x")


def make_foreign_token(survey):
    """Return a token of another survey that the check of `survey` rejects."""
    other = make_survey(slug="another", access="invitation")
    return next(
        token
        for token in Invitation.objects.make(other, 9)
        if not fits(token, survey.design_digest)
    )


TITLES = {"ar": "عادات الدراسة", "de": "Lerngewohnheiten"}


def make_multilingual_survey(questions=("coin",), *, opened=True, **fields):
    """A survey in English that can be read in Arabic and German too."""
    survey = make_survey(questions, opened=False, **fields)
    give_reason(survey)
    survey.translations = {code: translate(survey, code) for code in TITLES}
    survey.save()
    for question in survey.questions.all():
        question.translations = {code: translate(question, code) for code in TITLES}
        question.save()
    if opened:
        open_survey(survey)
    return survey


def translate(written, code):
    names = {"ar": "Arabic", "de": "German"}
    texts = {
        name: f"{text} in {names[code]}"
        for name, text in written.get_originals().items()
        if text and name not in {"choices", *NAMES}
    }
    if isinstance(written, Survey):
        return {**texts, "title": TITLES[code]}
    labels = label_answers(written.mechanism, written.scale, code)
    return {**texts, "choices": list(labels)}
