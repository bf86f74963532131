"""A survey by one-time links, its links, and the respondents who come with them."""

import pytest

from respondents.storage.invitations import Invitation
from tests.browser.invited import invited
from tests.browser.journey import note_posts
from tests.factories import make_survey


@pytest.fixture
def survey(site):
    return make_survey(
        ["coin"] * 3, access="invitation", batch_size=1000, contact="me@example.org"
    )


@pytest.fixture
def tokens(survey):
    return Invitation.objects.make(survey, 3)


@pytest.fixture
def come(site, tokens):
    """A function: a respondent at a page, with a link of their own."""

    def start(page, token=tokens[0], **options):
        return invited(page, site, token, **options)

    return start


@pytest.fixture
def posts(page):
    return note_posts(page)
