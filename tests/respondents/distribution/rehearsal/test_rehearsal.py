"""A test of a draft: what is copied, how it is kept apart, and that it goes."""

import pytest
from django.apps import apps
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction

from respondents.distribution import rehearsal
from respondents.models import Response
from respondents.storage.secure_deletion import Unerased
from surveys.frozen import FrozenError
from surveys.models import Survey
from tests.factories import make_responses, make_survey

pytestmark = pytest.mark.django_db

THREE = ("k_ary", {"epsilon": 1, "choices": 3})


@pytest.fixture
def draft():
    return make_survey(
        ["coin", THREE],
        opened=False,
        access="invitation",
        least_links=30,
        batch_size=50,
        closes_on="2100-01-01",
        closes_at_target=True,
        target=1,
        consent="I am 18 or older.",
    )


def asked(survey):
    return [
        (
            question.position,
            question.text,
            question.family,
            question.parameters,
            question.mechanism.weights,
            [choice.label for choice in question.choices.all()],
        )
        for question in survey.questions.all()
    ]


def test_a_rehearsal_copies_the_draft_and_is_open_by_link(draft):
    draft.questions.first().set_choices(["Aye", "Nay"])
    before = Survey.objects.filter(pk=draft.pk).values().get()
    test = rehearsal.start(draft)
    assert test.is_open
    assert test.is_simulated
    assert test.rehearsal_of == draft
    assert test.owner == draft.owner
    assert asked(test) == asked(draft)
    assert test.consent == "I am 18 or older."
    assert (test.access, test.step, test.held_back) == ("link", 1, 0)
    assert (test.closes_on, test.closes_at_target) == (None, False)
    # The draft stays as it is.
    assert Survey.objects.filter(pk=draft.pk).values().get() == before
    assert [question.table for question in draft.questions.all()] == [None, None]


def test_the_address_of_a_rehearsal_is_random(draft):
    other = make_survey(slug="other", opened=False)
    slugs = [rehearsal.start(survey).slug for survey in (draft, other)]
    assert len({*slugs}) == 2
    # 128 random bits, in hexadecimal.
    assert all(slug.startswith("try-") and len(slug) == 4 + 32 for slug in slugs)


def test_a_new_rehearsal_keeps_the_address_and_drops_old_answers(draft):
    first = rehearsal.start(draft)
    make_responses(first, [b"\0\0", b"\1\2"])
    assert rehearsal.count_responses(first) == 2

    draft.add_question("One more?")
    second = rehearsal.start(draft)

    assert second.slug == first.slug
    assert second.pk != first.pk
    assert asked(second) == asked(draft)
    assert rehearsal.count_responses(second) == 0
    assert Survey.objects.count() == 2


def test_an_invalid_draft_keeps_its_previous_rehearsal(draft):
    test = rehearsal.start(draft)
    draft.questions.all().delete()
    with pytest.raises(ValidationError, match="no question yet"):
        rehearsal.start(draft)
    assert rehearsal.find(draft) == test
    assert len(asked(test)) == 2


def test_only_a_draft_can_be_tried(draft):
    test = rehearsal.start(draft)
    with pytest.raises(FrozenError):
        rehearsal.start(test)


def rows():
    """Return every row of every table of ours, people and log left out.

    And the note of what is to be overwritten, which is done after the commit.
    """
    tables = [*apps.get_app_config("surveys").get_models()]
    tables += {*apps.get_app_config("respondents").get_models()} - {Unerased}
    return {
        table.__name__: list(table.objects.order_by("pk").values()) for table in tables
    }


@pytest.mark.storage
def test_wiping_a_rehearsal_restores_every_table(draft):
    other = make_survey(slug="other", questions=["coin", "die"])
    make_responses(other, [b"\0\1"])
    before = rows()
    test = rehearsal.start(draft)
    make_responses(test, [b"\0\0", b"\1\2"])
    Response.objects.seal(test)
    Response.objects.store(test, "f" * 32, b"\0\1")
    assert rows() != before

    assert rehearsal.wipe(draft)
    assert rows() == before
    assert not rehearsal.wipe(draft)


def test_the_model_rejects_opening_while_a_rehearsal_exists(draft):
    rehearsal.start(draft)
    with pytest.raises(ValidationError, match="its answers are still stored"):
        draft.open()


def test_failed_opening_keeps_the_draft_and_its_rehearsal(draft, monkeypatch):
    test = rehearsal.start(draft)
    make_responses(test, [b"\0\0"])
    before = rows()

    def fail(self):
        self.questions.all().delete()
        raise ValidationError("No.")

    monkeypatch.setattr(Survey, "open", fail)
    with pytest.raises(ValidationError):
        rehearsal.open_survey(draft)
    assert rows() == before


@pytest.mark.storage
def test_a_draft_has_at_most_one_rehearsal(draft):
    test = rehearsal.start(draft)
    with pytest.raises(IntegrityError):
        Survey.objects.create(
            title="Another",
            slug="another",
            owner=draft.owner,
            rehearsal_of=test.rehearsal_of,
            is_simulated=True,
        )


CHANGES = {
    "title": lambda draft: Survey.objects.filter(pk=draft.pk).update(title="New"),
    "mode": lambda draft: Survey.objects.filter(pk=draft.pk).update(mode="server"),
    "text": lambda draft: draft.questions.update(text="New?"),
    "choice": lambda draft: draft.questions.first().set_choices(["Aye", "Nay"]),
    "table": lambda draft: draft.questions.filter(position=1).update(family="die"),
    "no mechanism": lambda draft: draft.questions.update(family="gone"),
    "question": lambda draft: draft.add_question("One more?"),
    "batch size": lambda draft: Survey.objects.filter(pk=draft.pk).update(batch_size=9),
    "order": lambda draft: draft.questions.filter(position=1).update(position=9),
}


def test_a_changed_draft_makes_its_rehearsal_outdated(draft):
    test = rehearsal.start(draft)
    assert not rehearsal.is_outdated(test, draft)
    for name, change in CHANGES.items():
        with transaction.atomic():
            change(draft)
            assert rehearsal.is_outdated(test, Survey.objects.get(pk=draft.pk)), name
            transaction.set_rollback(True)
