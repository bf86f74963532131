import pytest
from django.core.management import call_command
from django.db import IntegrityError
from django.urls import reverse

from estimation.models import Publication
from estimation.results.tallies import tallies
from respondents.models import Response, SealedPattern, close
from respondents.tally import SealedTally
from surveys.models import Question, Survey
from tests.factories import make_responses, make_survey

pytestmark = [pytest.mark.storage, pytest.mark.usefixtures("back_to_the_newest")]


def migrate(*target):
    call_command("migrate", *target, verbosity=0)


@pytest.fixture
def back_to_the_newest(committed):
    yield
    migrate()


def test_data_survive_the_way_to_the_first_migrations_and_back():
    survey = make_survey(["coin", "coin"])
    make_responses(survey, [b"\x00\x01"] * 3)
    Response.objects.seal(survey)
    make_responses(make_survey(slug="another"), [b"\x01"])
    definition = survey.definition()

    migrate("respondents", "0001")
    migrate("surveys", "0001")
    Question.objects.update(position=7)  # no trigger refuses it here
    Question.objects.filter(survey=survey).update(position=1)
    migrate()

    assert Survey.objects.get(pk=survey.pk).definition() == definition
    counts = SealedPattern.objects.counts(survey)
    assert tallies(survey.questions.all(), counts) == [
        {"yes": 3, "no": 0},
        {"yes": 0, "no": 3},
    ]
    # Added up anew, since the way back has dropped what was kept.
    assert SealedTally.objects.of(survey).counts == [[3], [0, 3]]
    assert SealedTally.objects.of(survey).respondents == 3
    assert Response.objects.count() == 1
    with pytest.raises(IntegrityError, match="an opened survey is frozen"):
        Question.objects.update(position=7)


def test_surveys_learn_where_their_results_are_public_by_now():
    online, off = (make_survey(slug=slug) for slug in ("online", "off"))
    for survey in (online, off):
        close(survey)
    publication = Publication.objects.create(survey=online)
    publication.switch(is_public=True)
    Publication.objects.create(survey=off)

    migrate("estimation", "0001")
    assert addresses() == {"online": "", "off": ""}
    migrate()

    address = reverse("published:results", args=[publication.token])
    assert addresses() == {"online": address, "off": ""}


def addresses():
    return dict(Survey.objects.values_list("slug", "results_address"))


def test_every_migration_can_be_taken_back():
    make_responses(make_survey(), [b"\x01"])

    migrate("respondents", "zero")
    migrate("surveys", "zero")
    migrate()

    assert not Survey.objects.exists()
    make_responses(make_survey(), [b"\x01"])
