"""The lock that lets writers of SQLite wait in a fair order."""

import os
from fcntl import LOCK_EX, LOCK_NB, LOCK_UN, flock
from pathlib import Path

import pytest
from django.db import DEFAULT_DB_ALIAS, connection, connections

from respondents.models import Response
from respondents.storage import write_lock
from respondents.storage.invitations import Invitation
from tests.factories import make_survey


def test_the_lock_folder_stays_open_until_the_database_changes(monkeypatch, tmp_path):
    database = connections[DEFAULT_DB_ALIAS]
    place = write_lock.open_lock_folder(database)
    assert write_lock.open_lock_folder(database) is place
    monkeypatch.setitem(database.settings_dict, "NAME", str(tmp_path / "other"))
    other = write_lock.open_lock_folder(database)
    assert other.folder == str(tmp_path)
    handle = other.handle
    os.fstat(handle)
    monkeypatch.undo()
    write_lock.open_lock_folder(database)
    del other
    with pytest.raises(OSError, match="descriptor"):
        os.fstat(handle)


def test_a_transaction_takes_the_lock_once(committed, monkeypatch):
    survey, asked = make_survey(), []
    with write_lock.open_write_transaction(), monkeypatch.context() as meanwhile:
        meanwhile.setattr("fcntl.flock", lambda handle, kind: asked.append(kind))
        Response.objects.store(survey, "0" * 32, b"\x00")
    assert not asked


@pytest.mark.parametrize(
    "write",
    [
        lambda survey: Response.objects.store(survey, "0" * 32, b"\x00"),
        lambda survey: Invitation.objects.make(survey, 1),
    ],
    ids=["a response", "links"],
)
def test_writers_wait_for_each_other(committed, monkeypatch, write):
    survey = make_survey(access="invitation")
    place = os.open(Path(connection.settings_dict["NAME"]).parent, os.O_RDONLY)
    asked = []

    def lock_after_the_other(handle, kind):
        asked.append(kind)
        if kind == LOCK_EX:
            with pytest.raises(BlockingIOError):
                flock(handle, kind | LOCK_NB)
            os.close(place)
        flock(handle, kind)

    monkeypatch.setattr(write_lock, "LONG_SECONDS", 60)  # its end comes before
    monkeypatch.setattr("fcntl.flock", lock_after_the_other)
    flock(place, LOCK_EX)
    write(survey)
    assert asked == [LOCK_EX, LOCK_UN]
    assert Response.objects.count() + Invitation.objects.count() == 1
