import io
import logging
import re

import pytest

from config.logs import RespondentRoutes
from tests.config.failing_urls import MARKER

pytestmark = pytest.mark.urls("tests.config.failing_urls")


@pytest.fixture
def log():
    """The output of the logging handler in the settings."""
    [handler] = [
        handler
        for handler in logging.getLogger().handlers
        if any(isinstance(one, RespondentRoutes) for one in handler.filters)
    ]
    written = io.StringIO()
    usual = handler.setStream(written)
    yield written
    handler.setStream(usual)


@pytest.fixture
def visitor(client):
    client.raise_request_exception = False
    return client


# What respondents answer, and where everybody reads published results.
OUTSIDE = pytest.mark.parametrize("path", ["/s/", "/r/"])


@OUTSIDE
def test_respondent_errors_log_only_type_and_location(visitor, log, path):
    sent = visitor.post(f"{path}{MARKER}/fail?{MARKER}", {"q": MARKER})
    assert sent.status_code == 500

    assert re.fullmatch(
        r"Error on a respondent's page: RuntimeError at \S*failing_urls\.py:\d+\n",
        log.getvalue(),
    )


def test_an_error_page_that_fails_itself_does_not_reach_the_server(
    visitor, log, settings, tmp_path
):
    # As where the static files were not collected: no page finds its style sheet.
    settings.STATIC_ROOT = tmp_path
    settings.STORAGES = settings.STORAGES | {
        "staticfiles": {
            "BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"
        }
    }

    response = visitor.post(f"/s/{MARKER}/fail", {"q": MARKER})

    assert response.content == b"Something went wrong. The fault is ours."
    assert MARKER not in log.getvalue()


@OUTSIDE
def test_a_busy_database_is_logged_without_the_page(visitor, log, path):
    assert visitor.get(f"{path}{MARKER}/be-busy").status_code == 503

    assert log.getvalue() == "Error on a respondent's page\n"


@OUTSIDE
@pytest.mark.parametrize("page", ["refuse", "unknown"])
def test_a_rejected_respondent_request_is_not_logged(visitor, log, page, path):
    sent = visitor.post(f"{path}{MARKER}/{page}", {"q": MARKER})
    assert sent.status_code in {400, 404}

    assert log.getvalue() == ""


def test_an_unknown_host_is_not_logged(visitor, log):
    assert (
        visitor.get(f"/s/{MARKER}/fail", HTTP_HOST="other.example").status_code == 400
    )

    assert log.getvalue() == ""


@pytest.mark.parametrize("path", ["/s", "/S/habits/", "/habits/", "//s/habits/"])
def test_a_mistyped_address_is_not_logged(visitor, log, path):
    """Who typed it meant to answer: the line would say when, and to what."""
    assert visitor.get(path).status_code == 404

    assert log.getvalue() == ""


def test_an_error_on_a_researchers_page_is_logged_in_full(visitor, log):
    assert visitor.get(f"/admin/{MARKER}/fail").status_code == 500

    assert f"Internal Server Error: /admin/{MARKER}/fail" in log.getvalue()
    assert f"RuntimeError: cannot read {MARKER}" in log.getvalue()
    assert "Traceback" in log.getvalue()


def test_a_refused_researcher_is_logged(visitor, log):
    assert visitor.get(f"/admin/{MARKER}/refuse").status_code == 400

    assert MARKER in log.getvalue()
