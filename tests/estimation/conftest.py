import pytest

from tests.factories import make_user


@pytest.fixture
def researcher(client, db):
    """A researcher who is logged in."""
    user = make_user()
    client.force_login(user)
    return user


@pytest.fixture
def owner(client, survey):
    """A client of the survey's owner."""
    client.force_login(survey.owner)
    return client
