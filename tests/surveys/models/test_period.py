"""The last day of a survey."""

from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError
from django.utils import timezone

from tests.factories import make_survey

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(("days", "is_over"), [(-1, True), (0, False), (1, False)])
def test_it_is_over_when_the_last_day_is(days, is_over):
    last_day = timezone.localdate() + timedelta(days=days)
    assert make_survey(opened=False, closes_on=last_day).is_over == is_over


def test_without_a_last_day_it_is_never_over():
    assert not make_survey().is_over


def test_a_draft_whose_last_day_is_over_cannot_be_opened():
    yesterday = timezone.localdate() - timedelta(days=1)
    survey = make_survey(opened=False, closes_on=yesterday)
    with pytest.raises(ValidationError, match="Choose a later last day"):
        survey.open()
