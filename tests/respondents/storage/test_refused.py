"""Where the database cannot write, nothing is acknowledged and a retry is stored."""

import pytest
from django.db import InternalError, OperationalError, connection

from respondents.models import Receipt, Response, SealedPattern
from tests.factories import make_survey
from tests.respondents.storage.obstacles import OBSTACLES

pytestmark = [pytest.mark.storage, pytest.mark.usefixtures("committed")]


@pytest.mark.parametrize("obstacle", OBSTACLES[connection.vendor])
def test_it_stores_nothing_and_takes_the_retry(obstacle):
    survey = make_survey()

    with obstacle(), pytest.raises((OperationalError, InternalError)):
        Response.objects.store(survey, "a" * 32, b"\x01")
    assert not Receipt.objects.exists()

    Response.objects.store(survey, "a" * 32, b"\x01")
    Response.objects.seal(survey)
    assert SealedPattern.objects.counts(survey) == {b"\x01": 1}
