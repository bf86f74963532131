"""The planned number, the wanted margin and the last day on the authoring form."""

from datetime import date

import pytest

from surveys.models import Survey
from tests.factories import make_survey
from tests.surveys.authoring.posted import ADD, page_of, posted, text_of


def test_the_last_day_is_rendered_in_iso_format(client, researcher):
    survey = make_survey(opened=False, closes_on=date(2031, 2, 28))
    page = text_of(client.get(page_of(survey)))
    assert '<input type="date" name="closes_on" value="2031-02-28"' in page


@pytest.mark.parametrize(
    ("name", "typed", "message"),
    [
        ("closes_on", "2020-02-28", "Enter today or a later day."),
        ("closes_at_target", "on", "Enter the number at which it closes."),
    ],
)
def test_invalid_field_plans_are_rejected(client, researcher, name, typed, message):
    page = text_of(client.post(ADD, posted({}, **{name: typed})))
    assert "There is a problem" in page
    assert message in page
    assert not Survey.objects.exists()
