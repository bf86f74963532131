"""Fixtures of the authoring form."""

import pytest

from tests.browser.accessibility import watch_console
from tests.browser.authoring.steps import show_all_steps
from tests.factories import make_user


@pytest.fixture
def researcher(site):
    return make_user()


@pytest.fixture
def console_messages(page, site):
    """Errors in the console, and requests to other sites."""
    return watch_console(page, site)


@pytest.fixture
def all_steps(page):
    """Show all steps of the form at once, as without scripts."""
    show_all_steps(page.context)


@pytest.fixture
def clock(page):
    """Let tests advance the page's clock instead of waiting for automatic saves."""
    page.clock.install()
