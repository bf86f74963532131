import pytest
from django.core.checks import run_checks


def found():
    return {message.id for message in run_checks() if message.id.startswith("candor.")}


PUBLIC, LOCAL = ["survey.example", "localhost"], ["localhost", "127.0.0.1"]


@pytest.mark.parametrize(
    ("hosts", "https", "debug", "expected"),
    [
        (PUBLIC, True, False, set()),
        (PUBLIC, False, False, {"candor.E001"}),
        (PUBLIC, True, True, {"candor.E002"}),
        (PUBLIC, False, True, {"candor.E001", "candor.E002"}),
        (LOCAL, False, True, set()),
    ],
)
def test_only_a_machine_by_itself_may_do_without(
    settings, hosts, https, debug, expected
):
    settings.ALLOWED_HOSTS, settings.HTTPS, settings.DEBUG = hosts, https, debug

    assert found() == expected
