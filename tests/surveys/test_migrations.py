import pytest
from django.db import IntegrityError, connection
from django.db.migrations.executor import MigrationExecutor

from estimation.models import Publication
from estimation.rows.counts import count_reports_by_question
from respondents.models import Receipt, Response, SealedPattern
from respondents.storage.invitations import Invitation
from respondents.storage.sealed_tally import SealedTally
from surveys.models import Question, Survey
from tests.factories import make_responses, make_survey, open_as_earlier_release

pytestmark = [pytest.mark.storage, pytest.mark.usefixtures("migrate_back_to_newest")]


def migrate(*targets):
    """Go to these migrations, and to those that they need; with none, to the newest.

    Without what the command does besides: twice as long, and nothing of migrations.
    """
    executor = MigrationExecutor(connection)
    executor.migrate(list(targets) or executor.loader.graph.leaf_nodes())


LAST_RELEASE = [
    ("surveys", "0010_scales"),
    ("respondents", "0004_keep_no_samples_of_links"),
    ("estimation", "0003_releases_of_counts"),
]


@pytest.fixture
def migrate_back_to_newest(committed):
    yield
    migrate()


def test_data_survive_migrating_to_the_last_release_and_back():
    # On the way back to that release its promised group sizes would be lost.
    survey = make_survey(["coin", "coin"], opened=False)
    open_as_earlier_release(survey)
    make_responses(survey, [b"\x00\x01"] * 3)
    Response.objects.seal(survey)
    make_responses(make_survey(slug="another"), [b"\x01"])
    definition = survey.definition()
    invited = make_survey(slug="invited", access="invitation")
    used, unused = Invitation.objects.make(invited, 2)
    Response.objects.store_all_invited(invited, {used: b"\x01"})
    said = {"headline": "What we found", "note": "Whom we asked", "questions": [1]}
    publication = Publication.objects.create(survey=invited, **said)
    publication.switch(is_public=True)
    address = Survey.objects.get(slug="invited").results_address

    migrate(*LAST_RELEASE)
    migrate()

    assert Survey.objects.get(pk=survey.pk).definition() == definition
    counts = SealedPattern.objects.counts(survey)
    mechanisms = [each.mechanism for each in survey.questions.all()]
    assert count_reports_by_question(mechanisms, counts) == [
        {"yes": 3, "no": 0},
        {"yes": 0, "no": 3},
    ]
    # Counted again, since the way back has dropped what was kept.
    assert SealedTally.objects.find(survey).counts == [[3], [0, 3]]
    assert SealedTally.objects.find(survey).respondents == 3
    assert Response.objects.filter(survey__slug="another").count() == 1
    # What was sent before is known, and what was not is stored.
    make_responses(survey, [b"\x00\x01"] * 4)
    assert Receipt.objects.filter(survey=survey).count() == 4
    assert Response.objects.filter(survey=survey).count() == 1
    # Neither link is good for another response than its own.
    for token in used, unused, unused:
        Response.objects.store_all_invited(invited, {token: b"\x01"})
    assert Response.objects.filter(survey=invited).count() == 2
    kept = Publication.objects.get()
    assert (kept.token, kept.is_public) == (publication.token, True)
    assert {name: getattr(kept, name) for name in said} == said
    assert Survey.objects.get(slug="invited").results_address == address != ""
    with pytest.raises(IntegrityError, match="an opened survey is frozen"):
        Question.objects.update(position=7)
