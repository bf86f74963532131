"""The progress of a survey: numbers change in batches, and no shares appear."""

import json
import re
from datetime import date, timedelta

import pytest

from estimation.presentation.progress import bar_ends, live_texts, live_values
from estimation.rows.progress import Progress, get_progress
from estimation.rows.shares import MIN_RESPONDENTS
from respondents.models import Response, SealedPattern, close
from surveys.models import Survey
from tests.factories import make_responses, make_survey

YES, NO = b"\0", b"\1"


def page_of(survey, name=""):
    return f"/admin/surveys/survey/{survey.pk}/monitor/{name}"


@pytest.fixture
def read_numbers_as_owner(client, db):
    """Return the page's numbers as the owner sees them."""

    def look(survey):
        client.force_login(survey.owner)
        answer = client.get(page_of(survey, "numbers/"))
        assert answer.status_code == 200
        return json.loads(answer.content)

    return look


def test_the_monitor_changes_only_when_a_batch_is_sealed(read_numbers_as_owner):
    survey = make_survey(batch_size=5, target=10, wanted_margin=5)
    seen = [read_numbers_as_owner(survey)]
    for number in range(1, 17):
        Response.objects.store(survey, f"{number:032x}", YES)
        seen.append(read_numbers_as_owner(survey))
    assert [each["texts"]["responses"] for each in seen] == (
        ["0"] * 10 + ["5"] * 5 + ["10"] * 2
    )
    # The response is identical until a batch is sealed.
    for start, end in ((0, 10), (10, 15), (15, 17)):
        assert all(each == seen[start] for each in seen[start:end])


def test_page_and_update_show_the_same_numbers(client, read_numbers_as_owner):
    counts = {b"\0\0": 30, b"\1\0": 70}
    survey = make_survey(["coin", "die"], counts=counts, wanted_margin=5, target=400)
    numbers = read_numbers_as_owner(survey)
    page = client.get(page_of(survey)).content.decode()
    shown = dict(re.findall(r'data-live="([\w-]+)">\s*([^<]*?)\s*<', page))
    assert {name: numbers["texts"][name] for name in shown} == shown
    assert set(shown) == set(numbers["texts"])
    bars = re.findall(r'max="(\d+)"\s+value="(\d+)"\s+data-bar="([\w-]+)"', page)
    assert {name: (int(end), int(value)) for end, value, name in bars} == {
        name: (numbers["ends"][name], value)
        for name, value in numbers["values"].items()
    }


def test_no_share_is_ever_shown(read_numbers_as_owner):
    counts = {YES: 61, NO: 39}  # a share of 72 %
    numbers = json.dumps(
        read_numbers_as_owner(make_survey(counts=counts, wanted_margin=5))
    )
    assert not re.search(r"\b(0?\.72|72|61|39)\b", numbers)


@pytest.mark.parametrize("respondents", [0, 1, MIN_RESPONDENTS - 1, MIN_RESPONDENTS])
def test_few_responses_have_no_precision(db, respondents):
    counts = {YES: respondents} if respondents else {}
    progress = get_progress(make_survey(counts=counts, wanted_margin=5))
    texts = live_texts(progress)
    has_enough = respondents == MIN_RESPONDENTS
    assert (progress.widest is not None) is has_enough
    assert (texts["margin"] != "—") is has_enough
    # The first two batches of 20 are counted.
    text = f"question has {30 if respondents else 40} responses"
    assert (text in texts["precision"]) is not has_enough


def test_too_few_responses_show_only_the_planned_number(db):
    """The number missing is then the planned one for any reports."""
    texts = [
        live_texts(
            get_progress(make_survey(counts=counts, wanted_margin=5, slug=f"s{n}"))
        )
        for n, counts in enumerate([{YES: 20}, {YES: 7, NO: 13}, {NO: 20}])
    ]
    assert texts[0] == texts[1] == texts[2]
    # 1.96^2 * 1/4 / (1/2)^2 / 0.05^2, rounded up: choosing-protection.md
    assert "about 1,537 responses in all" in texts[0]["lacking"]


def test_missing_responses_are_shown_until_they_arrive(db):
    survey = make_survey(counts={YES: 50, NO: 50}, wanted_margin=10)
    progress = get_progress(survey)
    # 1.96^2 * 1/4 / (1/2)^2 / 0.1^2 = 384.1, so 385 in all
    assert progress.more == 285
    assert live_texts(progress)["lacking"] == (
        "More responses needed for ±\N{NO-BREAK SPACE}10\N{NO-BREAK SPACE}points: "
        "about 285."
    )
    SealedPattern.objects.add(survey, {YES: 143, NO: 142})
    progress = get_progress(survey)
    assert progress.more == 0
    assert progress.widest <= 0.1
    assert "is reached" in live_texts(progress)["lacking"]


class TestDrawnQuestions:
    """Needed respondents = needed reports / probability of being asked."""

    @pytest.mark.parametrize(
        ("questions", "draws", "needed"),
        [
            # 1.96^2 * 1/4 / (1/2)^2 / 0.1^2: 385 reports of a coin, each
            (2, "", 385),
            (2, "1 of 1, 2", 770),
            # Question 2 needs most; question 1 is always asked.
            (3, "1 of 2, 3", 770),
        ],
    )
    def test_needed_responses_depend_on_the_probability_of_being_asked(
        self, db, questions, draws, needed
    ):
        survey = make_survey(["coin"] * questions, draws=draws, wanted_margin=10)
        lacking = live_texts(get_progress(survey))["lacking"]
        assert f"needs about {needed} responses in all" in lacking

    def test_the_monitor_agrees_with_the_planner(self, client, db):
        survey = make_survey(
            ["die", "coin", "coin", "coin"],
            draws="1 of 2-4",
            wanted_margin=10,
            target=400,
            opened=False,
        )
        client.force_login(survey.owner)
        planned = client.get(f"/admin/surveys/survey/{survey.pk}/change/")
        survey.open()
        lacking = live_texts(get_progress(survey))["lacking"]
        # The die needs 865 reports of everybody, a coin 385 of a third of them.
        assert "about 1,155 responses in all" in lacking
        _widest, needed, _planned = planned.context["planner"].survey.facts
        assert needed.number == "1,155"

    def test_missing_numbers_are_responses_rather_than_reports(self, db):
        # Of 100 each was asked one of two: 385 - 50 = 335 reports of each are missing.
        asked_one = {b"\0\xff": 25, b"\1\xff": 25, b"\xff\0": 25, b"\xff\1": 25}
        survey = make_survey(
            ["coin", "coin"], counts=asked_one, draws="1 of 1, 2", wanted_margin=10
        )
        progress = get_progress(survey)
        assert [each.more for each in progress.questions] == [670, 670]
        assert progress.more == 670
        texts = live_texts(progress)
        assert "about 670." in texts["lacking"]
        assert texts["more-1"] == "about 670 more"
        # The bar shows reports, not respondents.
        assert bar_ends(progress)["bar-1"] == 385
        assert live_values(progress)["bar-1"] == 50


def on(day, **fields):
    survey = Survey(state="open", **fields)
    return Progress(
        survey=survey, questions=(), respondents=0, confidence_level=0.95, day=day
    )


@pytest.mark.parametrize(
    ("days", "expected"), [(0, "1 day"), (1, "2 days"), (12, "13 days"), (-1, "0 days")]
)
def test_remaining_days_include_the_last_day(days, expected):
    today = date(2026, 11, 20)
    texts = live_texts(on(today, closes_on=today + timedelta(days)))
    assert texts["days"] == expected
    assert texts["last_day"].startswith("The survey closes in a few") is (days < 0)


def test_a_closed_survey_stops_polling(client, read_numbers_as_owner):
    survey = make_survey()
    make_responses(survey, [YES, NO])
    close(survey)
    numbers = read_numbers_as_owner(survey)
    assert not numbers["open"]
    assert numbers["texts"]["responses"] == "2"
    assert "monitor.js" not in client.get(page_of(survey)).content.decode()


def test_a_draft_has_nothing_to_watch(client, db):
    survey = make_survey(opened=False)
    client.force_login(survey.owner)
    assert client.get(page_of(survey))["Location"].endswith("/change/")
    assert client.get(page_of(survey, "numbers/")).status_code == 404


def test_monitor_queries_do_not_depend_on_the_number_of_questions(
    client, db, django_assert_num_queries
):
    counts = []
    for number in (1, 5):
        survey = make_survey(["coin"] * number, slug=f"{number}")
        client.force_login(survey.owner)
        client.get(page_of(survey, "numbers/"))
        # Session, user, survey; waiting and sealed responses.
        with django_assert_num_queries(5):
            counts.append(client.get(page_of(survey, "numbers/")))
