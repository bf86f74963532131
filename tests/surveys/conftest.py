import pytest

from tests.factories import make_user


@pytest.fixture
def researcher(client, db):
    """A researcher who is logged in."""
    owner = make_user()
    client.force_login(owner)
    return owner
