"""Results of a tick list: items on one card with simultaneous intervals."""

import re

import pytest
from django.urls import reverse

from candor.mechanisms.draws import NOT_ASKED
from estimation.models import Publication
from estimation.rows.shares import compute_item_level, get_results
from estimation.rows.tick_lists import list_tick_lists
from respondents.models import close
from tests.factories import make_survey

pytestmark = pytest.mark.django_db

LIST = "Which of these have you done?"
ITEMS = ("Copied", "Cheated", "Paid")
_ = NOT_ASKED
COUNTS = {
    bytes([0, 0, _, _]): 40,
    bytes([1, 1, _, _]): 60,
    bytes([0, _, 0, _]): 50,
    bytes([1, _, 1, _]): 50,
    bytes([0, _, _, 0]): 30,
    bytes([1, _, _, 1]): 70,
}


def make_ticks(counts=COUNTS, question="coin", **fields):
    first, *others = ({"text": text} for text in ITEMS)
    items = [{**first, "tick_list": LIST}, *others]
    return make_survey([question, *items], draws="1 of 2-4", counts=counts, **fields)


def test_joint_intervals_of_items_use_a_third_of_the_error():
    results = get_results(make_ticks(), confidence_level=0.9)
    (found,) = list_tick_lists(results)
    assert [item.label for item in found.items] == list(ITEMS)
    assert compute_item_level(0.9, 3) == pytest.approx(1 - 0.1 / 3)
    wider = get_results(results.survey, confidence_level=1 - 0.1 / 3)
    for item, alone, other in zip(
        found.items, results.questions[1:], wider.questions[1:], strict=True
    ):
        assert item.row == alone.rows[0]
        simultaneous = item.simultaneous
        assert (simultaneous.low, simultaneous.high) == pytest.approx(
            (other.rows[0].low, other.rows[0].high)
        )
        assert simultaneous.low <= item.row.low
        assert item.row.high < simultaneous.high


def test_the_public_page_groups_the_items_that_it_shows(client):
    survey = make_ticks()
    close(survey)
    publication = Publication.objects.create(survey=survey, questions=[1, 3, 4])
    publication.switch(is_public=True)
    html = client.get(f"/r/{publication.token}/").content.decode()
    assert f"<h2>{LIST}</h2>" in html
    assert re.search(r'<th scope="row">3\. Cheated</th>', html)
    assert "Copied" not in html
    assert "for all 3 items" in html


@pytest.mark.parametrize(
    "page", ["compare", "regression", "weighted", "monitor", "publish"]
)
def test_pages_name_the_list_of_an_item(client, page):
    survey = make_ticks(question="direct")
    close(survey)
    client.force_login(survey.owner)
    query = {"first": 3, "second": 1, "outcome": 3, "predictors": [1], "known1_1": 40}
    address = reverse(f"admin:estimation_{page}", args=[survey.pk])
    html = client.get(address, query).content.decode()
    assert f"{LIST} \N{EN DASH} Cheated" in html
    assert not re.search(r">\s*(3\. )?Cheated", html)
