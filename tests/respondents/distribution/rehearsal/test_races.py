"""Starting, answering and opening at the same time."""

import pytest
from django.core.exceptions import ValidationError

from respondents.distribution import rehearsal
from respondents.models import Receipt, Response
from respondents.storage.exactly_once import SurveyClosedError
from surveys.models import Survey
from tests.concurrency import run_concurrently
from tests.factories import make_survey

pytestmark = [pytest.mark.storage, pytest.mark.usefixtures("committed")]

ROUNDS = 3


def survey_again(survey):
    return Survey.objects.get(pk=survey.pk)


def or_refused(job):
    """Return a job that may come too late."""

    def run():
        try:
            job()
        except (SurveyClosedError, ValidationError, Survey.DoesNotExist):
            return "refused"
        return "done"

    return run


def answer(test, number):
    return or_refused(lambda: Response.objects.store(test, f"{number:032x}", b"\1\1"))


def test_simultaneous_starts_create_one_rehearsal():
    draft = make_survey(["coin", "die"], opened=False)
    for _ in range(ROUNDS):
        started = run_concurrently(*[lambda: rehearsal.start(survey_again(draft))] * 3)
        test = rehearsal.find(draft)
        assert test.pk == max(each.pk for each in started)
        assert {each.slug for each in started} == {test.slug}
        assert Survey.objects.count() == 2
        assert test.questions.count() == 2


def test_no_rehearsal_answer_is_stored_while_the_survey_opens():
    for number in range(ROUNDS):
        draft = make_survey(["coin", "die"], opened=False, slug=f"round-{number}")
        test = rehearsal.start(draft)
        answer(test, 0)()
        outcomes = run_concurrently(
            answer(test, 1),
            or_refused(lambda: rehearsal.open_survey(survey_again(draft))),  # noqa: B023
            answer(test, 2),
            answer(test, 3),
        )
        assert outcomes[1] == "done"
        assert survey_again(draft).is_open
        assert not Response.objects.exists()
        assert not Receipt.objects.exists()


def test_a_rehearsal_started_during_opening_does_not_remain():
    for number in range(ROUNDS):
        draft = make_survey(opened=False, slug=f"round-{number}")
        rehearsal.start(draft)
        _started, opened = run_concurrently(
            or_refused(lambda: rehearsal.start(survey_again(draft))),  # noqa: B023
            or_refused(lambda: rehearsal.open_survey(survey_again(draft))),  # noqa: B023
        )
        assert opened == "done"
        assert rehearsal.find(draft) is None
        assert survey_again(draft).is_open
