"""People answer while a survey is sealed, closed, archived and its reports deleted."""

import secrets
from threading import Event

import pytest

from candor.files.table import FileError
from respondents.distribution.deletion import NothingToPurgeError, purge
from respondents.imports.archives.write import write_archive
from respondents.models import Receipt, Response, SealedPattern, SealedTally, close
from respondents.storage.exactly_once import SurveyClosedError
from surveys.models import Survey
from tests.concurrency import at_once
from tests.factories import make_survey

pytestmark = [pytest.mark.storage, pytest.mark.usefixtures("committed")]

ANSWERED, SECONDS = 60, 60


def test_every_archive_and_the_deletion_are_of_all_that_was_acknowledged(tmp_path):
    survey = make_survey(batch_size=5)
    enough, has_closed, is_archived = Event(), Event(), Event()
    acknowledged, archived, purged = [], [], []

    def now():
        return Survey.objects.get(pk=survey.pk)

    def answer():
        while not has_closed.is_set():
            sent = {secrets.token_hex(16): b"\1" for _ in range(3)}
            try:
                Response.objects.store_all(now(), sent)
            except SurveyClosedError:
                return
            acknowledged.extend(sent)
            if len(acknowledged) > ANSWERED:
                enough.set()

    def seal():
        while not has_closed.is_set():
            Response.objects.seal_if_due(now())

    def close_amid():
        assert enough.wait(SECONDS)
        close(now())
        has_closed.set()

    def archive():
        for number in range(10_000):
            try:
                written = write_archive(now(), tmp_path / f"{number}")
            except FileError:
                if now().purged_on:
                    return
                continue
            archived.append(written.respondents)
            is_archived.set()

    def delete():
        assert is_archived.wait(SECONDS)
        try:
            purged.append(purge(now()))
        except NothingToPurgeError:
            purged.append(None)

    at_once(*[answer] * 2, seal, close_amid, archive, *[delete] * 2)

    assert len(acknowledged) > ANSWERED
    assert set(archived) == {len(acknowledged)}
    assert sorted(purged, key=bool) == [None, len(acknowledged)]
    assert [*map(count_of, (Response, Receipt, SealedPattern, SealedTally))] == [0] * 4
    # One folder for each that was reported, and nothing half.
    assert len(list(tmp_path.iterdir())) == len(archived)


def count_of(model):
    return model.objects.count()
