"""At which number a survey closes by itself, wherever that is stated."""

import pytest

from respondents.models import Response
from surveys.authoring.checklist import make_checklist
from surveys.authoring.forms.survey import SurveyForm
from surveys.log import read_log
from surveys.models import Survey
from surveys.text.explanations import describe_closing
from tests.factories import make_survey

AT_40 = (
    "It closes at 40 responses, the first whole batch of 20 that reaches the planned "
    "25."
)


@pytest.mark.parametrize(
    ("target", "batch", "sealed", "number"),
    [
        (25, 20, 0, 40),
        (40, 20, 0, 40),
        (41, 20, 0, 60),
        (1, 20, 0, 40),
        (25, 1, 0, 25),
        # Sealed without a whole number of batches, before it was closed.
        (50, 20, 23, 63),
        (70, 20, 23, 83),
    ],
)
def test_the_closing_number_is_a_whole_number_of_batches(target, batch, sealed, number):
    survey = Survey(target=target, batch_size=batch, closes_at_target=True)
    assert survey.closes_at(sealed) == number


@pytest.mark.parametrize(
    "fields", [{"target": 25}, {"closes_at_target": True}, {}], ids=str
)
def test_surveys_without_automatic_closing_have_no_closing_number(fields):
    assert Survey(**fields).closes_at() is None
    assert describe_closing(Survey(**fields)) == ""


@pytest.mark.django_db
def test_a_survey_closes_at_the_shown_number_and_logs_it():
    survey = make_survey(batch_size=20, target=25, closes_at_target=True)
    assert describe_closing(survey) == AT_40
    for number in range(40):
        survey.refresh_from_db()
        assert survey.is_open, number
        Response.objects.store(survey, f"{number:032x}", b"\0")
        # What a commit does, which no test of one transaction sees.
        Response.objects.seal_if_due(survey)
    survey.refresh_from_db()
    assert survey.is_closed
    (line,) = read_log(survey)
    assert line.what == ("Closed by itself at 40 responses.",)


@pytest.mark.django_db
def test_form_checklist_and_pages_show_the_closing_number(client):
    draft = make_survey(opened=False, batch_size=20, target=25, closes_at_target=True)
    help_text = SurveyForm(instance=draft).fields["closes_at_target"].help_text
    assert help_text == (AT_40)
    (check,) = [
        each for each in make_checklist(draft).checks if each.place == "id_target"
    ]
    assert AT_40 in check.text
    draft.open()
    client.force_login(draft.owner)
    for name in ("change", "period", "monitor"):
        page = client.get(f"/admin/surveys/survey/{draft.pk}/{name}/")
        assert AT_40 in " ".join(page.content.decode().split()), name
