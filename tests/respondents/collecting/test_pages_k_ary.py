"""A question that people may leave: pages and forms of modes browser and server."""

import re

import pytest

from respondents.models import Response
from tests.factories import make_survey
from tests.respondents.collecting.views.test_plain import post
from tests.respondents.markup import Markup

URL = "/s/study-habits/"

LABELS = ["Yes", "No", "Prefer not to answer"]


@pytest.fixture
def survey(db, request):
    three = ("k_ary", {"epsilon": "1", "choices": 3})
    return make_survey([three], mode=getattr(request, "param", "server"))


both_modes = pytest.mark.parametrize("survey", ["browser", "server"], indirect=True)


@both_modes
def test_every_answer_has_its_radio_and_its_sentence_of_odds(client, survey):
    html = client.get(URL).content.decode()
    radios = re.findall(
        r'<input type="radio".*?<span[^>]*>(.*?)</span>', html, re.DOTALL
    )
    assert radios == LABELS
    # e/(e + 2) = .576, 1/(e + 2) = .212
    text = " ".join(Markup(html).blocks)
    for label in LABELS:
        assert (
            f"Of 100 people whose answer is {label}, about 58 arrive as {label}. "
            "About 21 arrive as each of the others."
        ) in text


def test_the_server_scrambles_the_third_answer_too(client, survey):
    for number in range(100):
        sent = {"submission": f"{number:032x}", "consent": "on", "q1": "2"}
        assert post(client, sent).status_code == 303
    patterns = Response.objects.values_list("pattern", flat=True)
    reports = [bytes(pattern) for pattern in patterns]
    assert len(reports) == 100
    # 100 reports without Yes or without No: twice .788**100, once in 10**10.
    assert set(reports) == {b"\0", b"\1", b"\2"}


def test_the_page_of_many_answers_stays_small(client, db):
    make_survey([("k_ary", {"epsilon": "2", "choices": 20})])
    page = client.get(URL, headers={"accept-encoding": "gzip"})
    # The first page with its style and scripts may take 30 KB.
    assert len(page.content) < 10_000
