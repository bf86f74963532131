"""A researcher at the form, and what the browser complains of meanwhile."""

import pytest

from tests.browser.accessibility import watch_console
from tests.browser.authoring.steps import show_all_steps
from tests.factories import make_user


@pytest.fixture
def researcher(site):
    return make_user()


@pytest.fixture
def console_messages(page, site):
    """What the browser says against the content policy, and requests that leave."""
    return watch_console(page, site)


@pytest.fixture
def all_steps(page):
    """The form with its steps below one another, as without scripts."""
    show_all_steps(page.context)
