import pytest
from django.test import Client

from tests.respondents.ways import ComparingClient


@pytest.fixture
def client():
    """Every request of these tests is answered in both ways, with the same result."""
    return ComparingClient()


@pytest.fixture
def framework():
    """Django alone, to count what it does for an answer."""
    return Client()
