"""A researcher at the form, and what the browser complains of meanwhile."""

import pytest

from tests.browser.authoring.steps import show_all_steps
from tests.browser.everybody import note_complaints
from tests.factories import make_user


@pytest.fixture
def researcher(site):
    return make_user()


@pytest.fixture
def complaints(page, site):
    """What the browser says against the content policy, and requests that leave."""
    return note_complaints(page, site)


@pytest.fixture
def all_steps(page):
    """The form with its steps below one another, as without scripts."""
    show_all_steps(page.context)
