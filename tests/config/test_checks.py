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


@pytest.mark.parametrize(
    ("address", "behind_proxy", "expected"),
    [
        ("127.0.0.1", False, set()),
        ("127.8.0.1", False, set()),
        ("::1", False, set()),
        ("localhost", False, set()),
        ("0.0.0.0", True, set()),  # noqa: S104 - within a container, say
        ("0.0.0.0", False, {"candor.E003"}),  # noqa: S104
        ("192.168.1.7", False, {"candor.E003"}),
        ("::", False, {"candor.E003"}),
        ("survey.example", False, {"candor.E003"}),
    ],
)
def test_nobody_else_reaches_the_server_but_through_a_proxy(
    settings, address, behind_proxy, expected
):
    """Three connections that announce 200 bytes and send one held up everybody."""
    settings.ADDRESS, settings.BEHIND_PROXY = address, behind_proxy

    assert found() == expected
