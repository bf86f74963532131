"""`manage.py audit` against the running site."""

import json

import pytest
from django.core.management import CommandError, call_command

from estimation.management.commands import audit as command
from tests.factories import make_survey

ARGUMENTS = ["--draws", "200"]


def run(capsys, *arguments):
    """Return the exit code and what was printed."""
    try:
        call_command("audit", *arguments)
    except SystemExit as error:
        return error.code, capsys.readouterr().out
    return 0, capsys.readouterr().out


def test_it_audits_a_running_site_given_only_its_address(site, capsys):
    survey = make_survey(["coin", "die"])
    address = f"{site.url}{survey.get_absolute_url()}"

    options = [*ARGUMENTS, "--format", "json", "--digest", survey.design_digest]
    code, text = run(capsys, address, *options)
    assert (code, json.loads(text)["outcome"]) == (0, "passed")


def test_an_address_without_a_survey_exits_with_code_2(capsys):
    with pytest.raises(CommandError, match="Nothing was checked") as raised:
        call_command("audit", "http://127.0.0.1:9/s/none/")
    assert raised.value.returncode == 2
    with pytest.raises(CommandError, match="--draws must be in"):
        call_command("audit", "http://127.0.0.1:9/", "--draws", "0")


def test_an_endless_audit_times_out(monkeypatch):
    def endless(*args, **options):
        while True:
            pass

    monkeypatch.setattr(command, "audit", endless)
    monkeypatch.setattr(command, "FETCH_SECONDS", 0)
    monkeypatch.setattr(command, "READ_SECONDS", -0.95)
    with pytest.raises(CommandError, match=r"more than 0\.05 seconds") as raised:
        call_command("audit", "http://127.0.0.1:9/", "--seconds", "1")
    assert raised.value.returncode == 2
