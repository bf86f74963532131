"""Counting queries with noise: conditions on several questions."""

from decimal import Decimal
from fractions import Fraction

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse

from candor.releases.counts import Release, compute_count_interval
from candor.releases.noise import DiscreteLaplace
from estimation.models import Publication
from estimation.presentation.ledger import make_queries_table
from estimation.rows.queries import (
    count_matching,
    list_queries,
    read_query,
    store_query,
)
from estimation.rows.released import newest, spent
from surveys.design import get_design
from surveys.models import Survey
from tests.factories import make_survey

pytestmark = pytest.mark.django_db

SEXES, RESULTS = ("Female", "Male"), ("Failed", "Passed")
COUNTS = {
    b"\0\0\0": 12, b"\0\1\1": 30, b"\1\0\0": 25, b"\1\1\1": 40, b"\xff\0\1": 7,
}  # fmt: skip
BOTH = "1 is Female and 2 is Failed"


@pytest.fixture
def survey():
    direct = [{"family": "direct", "choices": each} for each in (SEXES, RESULTS)]
    return make_survey([*direct, "coin"], counts=COUNTS, closed=True)


@pytest.fixture
def publication(survey):
    return Publication.objects.create(survey=survey, questions=[1])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (BOTH, 12),
        ("1 is Male or 2 is Failed", 77),
        ("not (1 is Male and 2 is Passed)", 67),
        ("2 is Failed", 44),
        ("1 is not Male", 42),
    ],
)
def test_it_counts_respondents_that_satisfy_the_condition(publication, text, expected):
    """Seven were not asked the first question and count only for the second."""
    condition = read_query(text, get_design(publication.survey))
    assert count_matching(publication, condition) == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1 is Female and 3 is Yes", "Question 3 is scrambled: its reports are not"),
        ("4 is Yes", "There is no question 4"),
        ("0 is Yes", "There is no question 0"),
        ("1 is Dog", "Question 1 has no answer “Dog”"),
        ("1 > 3", "The answers to question 1 are not numbers"),
        ("female", "cannot be read"),
    ],
)
def test_conditions_that_cannot_be_counted_are_rejected(survey, text, message):
    with pytest.raises(ValidationError) as error:
        read_query(text, get_design(survey))
    assert message in error.value.messages[0]


def ask(client, survey, condition=BOTH, epsilon="0.50", after=0):
    sent = {"count-condition": condition, "count-epsilon": epsilon}
    return client.post(
        reverse("admin:estimation_publish_count", args=[survey.pk]),
        {**sent, "count-after": after},
        follow=True,
    ).content.decode()


def test_a_query_is_released_once_stored_and_shown(client, survey, monkeypatch):
    client.force_login(survey.owner)
    page = ask(client, survey)
    (query,) = list_queries(Publication.objects.get())
    assert (query.condition, query.epsilon) == (BOTH, Fraction(1, 2))
    assert "not public" in page.lower()
    assert BOTH in page
    low, high = query.interval(0.95)
    assert f"{low} to {high}" in page
    assert Survey.objects.get().released_epsilon == Decimal("0.5")
    # A double click or an old page.
    assert "Read first what the release costs." in ask(client, survey)
    ask(client, survey, epsilon="1.00", after=1)
    publication = Publication.objects.get()
    assert len(list_queries(publication)) == 2
    assert spent(publication) == Fraction(3, 2)
    assert newest(publication) is None


def test_the_noise_of_a_query_follows_its_epsilon(publication, monkeypatch):
    asked = []

    def release(count, *, epsilon):
        asked.append((count, epsilon))
        noise = DiscreteLaplace(Fraction(epsilon))
        return Release(
            released=count - 3, noise=noise, sensitivity=1, epsilon=1, delta=0
        )

    monkeypatch.setattr("estimation.rows.queries.release", release)
    assert store_query(publication, BOTH, Decimal("0.25"), after=0)
    assert asked == [(12, "0.25")]
    (query,) = list_queries(publication)
    assert query.released == 9
    assert query.interval(0.95) == compute_count_interval(
        9, DiscreteLaplace(Fraction(1, 4)), 0.95
    )


def test_a_count_below_zero_has_a_minus_sign(publication, monkeypatch):
    noise = DiscreteLaplace(Fraction(1, 4))
    below = Release(released=-3, noise=noise, sensitivity=1, epsilon=1, delta=0)
    monkeypatch.setattr("estimation.rows.queries.release", lambda *_, **__: below)
    assert store_query(publication, BOTH, Decimal("0.25"), after=0)
    ((_section, ((_condition, cells),)),) = make_queries_table(publication).bodies
    assert cells[0]["text"] == "\N{MINUS SIGN}3"


def test_only_the_owner_of_a_closed_survey_releases(client, survey, django_user_model):
    open_one = make_survey(["direct"], slug="open", owner=survey.owner)
    client.force_login(survey.owner)
    ask(client, open_one, condition="1 is Yes")
    other = django_user_model.objects.create_user("other", "other@example.org", "x")
    client.force_login(other)
    ask(client, survey)
    assert not Publication.objects.exists()


def test_an_exhausted_panel_budget_blocks_a_query(publication, monkeypatch):
    monkeypatch.setattr(
        "estimation.rows.queries.refuse_release", lambda _survey, _epsilon: "No."
    )
    assert not store_query(publication, BOTH, Decimal(1), after=0)
    assert Publication.objects.get().releases == []
