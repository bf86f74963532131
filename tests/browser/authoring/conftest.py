"""A researcher at the form, and what the browser complains of meanwhile."""

import pytest

from tests.factories import make_user


@pytest.fixture
def researcher(site):
    return make_user()


@pytest.fixture
def complaints(page, site):
    """What the browser says against the content policy, and requests that leave."""
    found = []

    def note_console(message):
        if "Content Security Policy" in message.text:
            found.append(message.text)

    def note_request(request):
        if not request.url.startswith(site.url):
            found.append(request.url)

    page.on("console", note_console)
    page.on("pageerror", lambda error: found.append(str(error)))
    page.on("request", note_request)
    return found
