"""A researcher at the form, and what the browser complains of meanwhile."""

import pytest

from tests.browser.everybody import note_complaints
from tests.factories import make_user


@pytest.fixture
def researcher(site):
    return make_user()


@pytest.fixture
def complaints(page, site):
    """What the browser says against the content policy, and requests that leave."""
    return note_complaints(page, site)
