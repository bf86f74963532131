import csv
import re
from hashlib import sha256
from io import StringIO

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from candor.mechanisms import build
from estimation.rows.assumptions import find_forgery_interval
from estimation.rows.shares import question_result
from respondents.models import SealedPattern
from surveys.design import DesignQuestion, load_design
from tests.factories import make_responses, make_survey

pytestmark = pytest.mark.django_db

YES, NO = b"\0", b"\1"

PAGES = (
    "estimation_results",
    "estimation_csv",
    "estimation_chart",
    "estimation_overview",
)
CHART_ARGUMENTS = {
    "estimation_chart": {"position": 1, "file_format": "svg"},
    "estimation_overview": {"file_format": "svg"},
}


def address(page, survey, position=1):
    names = {"survey_id": survey.pk, **CHART_ARGUMENTS.get(page, {})}
    if "position" in names:
        names["position"] = position
    return reverse(f"admin:{page}", kwargs=names)


@pytest.fixture
def survey():
    return make_survey(counts={YES: 40, NO: 60})


def get(client, page, survey, **query):
    return client.get(address(page, survey), query)


@pytest.mark.parametrize("page", PAGES)
class TestAccess:
    def test_pages_are_read_only_and_unknown_surveys_not_found(
        self, page, owner, survey
    ):
        assert owner.post(address(page, survey)).status_code == 405
        survey.pk += 1
        assert get(owner, page, survey).status_code == 404

    @pytest.mark.parametrize(
        "query",
        [{"method": "guess"}, {"confidence_level": "2"}, {"confidence_level": "<b>"}],
        ids=str,
    )
    def test_a_bad_choice_is_refused(self, page, query, owner, survey):
        answer = get(owner, page, survey, **query)
        assert answer.status_code == 400
        assert "Select a valid choice" in answer.content.decode()
        assert b"<b>" not in answer.content or answer["Content-Type"] == "text/plain"


def test_a_draft_has_no_results_yet(client):
    draft = make_survey(opened=False)
    client.force_login(draft.owner)
    answer = get(client, "estimation_results", draft)
    assert answer["Location"] == reverse("admin:surveys_survey_change", args=[draft.pk])
    assert get(client, "estimation_csv", draft).status_code == 404
    assert get(client, "estimation_chart", draft).status_code == 404


def numbers_of(text):
    """Return the numbers before percent signs, in order."""
    return [float(number) for number in re.findall(r"([\d.]+)\s*%", text)]


def test_page_chart_and_csv_show_the_same_numbers(owner, survey):
    page = get(owner, "estimation_results", survey).content.decode()
    chart = get(owner, "estimation_chart", survey).content.decode()
    written = get(owner, "estimation_csv", survey).content.decode()
    yes = next(csv.DictReader(StringIO(written)))
    low, high, share = (float(yes[name]) for name in ("low", "high", "share"))
    # The sentence rounds the interval outwards to whole percents.
    (sentence,) = re.findall(r"[^>]*, between [^<]*", page)
    assert numbers_of(sentence) == [30, 11, 50]
    assert 0 <= 100 * low - 11 < 1
    assert abs(50 - 100 * high) < 1e-9
    assert share == pytest.approx(0.3)
    (alternative,) = re.findall(r'aria-label="([^"]*scale[^"]*)"', page)
    assert numbers_of(alternative) == [0, 100, 30, 95, 11, 50]
    labels = re.findall(r">([^<]*%)</text>", chart)
    assert [numbers_of(label) for label in labels[:2]] == [[30], [11, 50]]
    for name in ("raw", "share", "standard_error"):
        assert f'<data value="{yes[name]}">' in page
    assert f'<data value="{yes["low"]} {yes["high"]}">' in page
    assert f'<td class="numeric">{yes["count"]}</td>' in re.sub(r"\s*\n\s*", "", page)


def test_an_unchanged_chart_returns_304(owner, survey):
    first = get(owner, "estimation_chart", survey)
    assert first["Content-Type"] == "image/svg+xml"
    again = owner.get(
        address("estimation_chart", survey), headers={"If-None-Match": first["ETag"]}
    )
    assert (again.status_code, again.content) == (304, b"")
    other = get(owner, "estimation_chart", survey, method="pratt")
    assert other["ETag"] != first["ETag"]
    assert other["ETag"] == f'"{sha256(other.content).hexdigest()}"'


def test_a_chart_does_not_seal_a_due_batch(owner):
    survey = make_survey(slug="moving", batch_size=10)
    make_responses(survey, [YES, NO] * 10)
    assert get(owner, "estimation_chart", survey).status_code == 404
    get(owner, "estimation_results", survey)
    assert get(owner, "estimation_chart", survey).status_code == 200


def test_results_queries_do_not_depend_on_the_size(owner):
    costs = []
    for questions, responses in ((1, 1), (9, 128)):
        patterns = {
            bytes(number >> place & 1 for place in range(questions)): 10
            for number in range(responses)
        }
        made = make_survey(
            ["coin"] * questions, slug=f"survey-{questions}", counts=patterns
        )
        load_design.cache_clear()
        with CaptureQueriesContext(connection) as queries:
            assert get(owner, "estimation_results", made).status_code == 200
        costs.append(len(queries))
    # session, user, what the user and the user's groups may; the survey; is a batch
    # due; the design's survey, questions and choices; patterns
    assert costs == [10, 10]


def test_a_chart_reads_only_the_counts_of_its_question(
    owner, django_assert_num_queries
):
    position = 9
    # Reports that fit the design, and not those of another question.
    patterns = {
        bytes(number >> place % 3 & 1 for place in range(9)): 5 + number
        for number in range(8)
    }
    made = make_survey(["coin"] * 9, slug="nine", counts=patterns)
    page = get(owner, "estimation_results", made).content.decode()
    # session, user, survey; and one row for any number of patterns
    with django_assert_num_queries(4) as queries:
        chart = owner.get(address("estimation_chart", made, position))
    last = queries.captured_queries[-1]["sql"]
    assert "respondents_sealedtally" in last
    assert "pattern" not in last
    labels = [
        numbers_of(each)
        for each in re.findall(r">([^<]*%)</text>", chart.content.decode())
    ]
    alternative = re.findall(r'aria-label="(A scale[^"]*)"', page)[position - 1]
    share, _, low, high = numbers_of(alternative)[2:6]
    assert labels[:2] == [[share], [low, high]]


def test_the_overview_chart_reads_the_counts_once(
    owner, survey, django_assert_num_queries
):
    get(owner, "estimation_results", survey)
    # session, user, survey; patterns
    with django_assert_num_queries(4):
        get(owner, "estimation_overview", survey)


def test_cached_results_follow_language_counts_and_method(owner, survey):
    def headings():
        page = get(owner, "estimation_results", survey).content.decode()
        return re.findall(r'<th scope="col"[^>]*>(.*?)</th>', page), ">100</b>" in page

    english, is_of_100 = headings()
    assert is_of_100
    owner.cookies["django_language"] = "de"
    german, _ = headings()
    assert len(english) == len(german)
    assert english != german
    del owner.cookies["django_language"]
    SealedPattern.objects.add(survey, {YES: 20})
    assert headings() == (english, False)
    page = get(owner, "estimation_results", survey, method="pratt").content.decode()
    # The chart of the table, and that of the card.
    assert page.count("png?confidence_level=0.95&amp;method=pratt") == 2


def test_forgery_intervals_have_the_shown_confidence_level():
    """Otherwise intervals that allow for forgers would look narrower."""
    question = DesignQuestion(
        "?", "", ("A", "B", "C"), build("k_ary", epsilon=1, choices=3)
    )
    report_counts = tuple(zip(question.mechanism.reports, (285, 467, 248), strict=True))
    options = {"confidence_level": 0.8, "method": "feldman-cousins"}
    each, simultaneous = (
        question_result(question, report_counts, **options, simultaneous=simultaneous)
        for simultaneous in (False, True)
    )
    for row, wider in zip(each.rows, simultaneous.rows, strict=True):
        low, high = find_forgery_interval(each, row, 1)
        lower, higher = find_forgery_interval(simultaneous, wider, 1)
        assert lower < low < row.low
        assert row.high < high < higher
        assert lower < wider.low
        assert wider.high < higher
