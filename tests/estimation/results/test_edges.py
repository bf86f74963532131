"""Extreme numbers on pages and in files."""

import csv
from io import StringIO

import pytest
from django.utils import translation

from config.home import list_surveys
from estimation.presentation.progress import live_texts, live_values
from estimation.presentation.survey import SurveyPanel
from estimation.rows.progress import get_progress
from estimation.rows.row import DisplayStatus
from surveys.numbers import format_percent
from tests.estimation.results_of import panel_of, result_of, seal
from tests.factories import make_survey

SPACE = "\N{NO-BREAK SPACE}"
WEAK = ("epsilon", {"epsilon": "0.01"})


@pytest.mark.parametrize(
    ("counts", "family", "display_status"),
    [
        ((0, 0), "coin", DisplayStatus.NO_REPORTS),
        ((1, 0), "coin", DisplayStatus.UNINFORMATIVE),
        ((3, 5), "coin", DisplayStatus.UNINFORMATIVE),
        ((4, 6), "coin", DisplayStatus.ESTIMATED),
        ((13, 87), "coin", DisplayStatus.MISFIT),
        ((14, 86), "coin", DisplayStatus.ESTIMATED),
        ((0, 100), "direct", DisplayStatus.ESTIMATED),
    ],
)
def test_a_share_has_the_status_of_its_counts(counts, family, display_status):
    result = result_of(*counts, family=family)
    assert {row.display_status for row in result.rows} == {display_status}


def test_a_direct_question_is_never_shown_as_less_precise():
    """At the edges an exact interval may be short; pages do not comment on it."""
    for epsilon in ("0.5", "2", "10"):
        for yes in range(0, 101, 4):
            panel = panel_of(yes, 100 - yes, family="epsilon", epsilon=epsilon)
            if not panel.direct_line:
                continue
            words = panel.direct_line.replace(",", "").split()
            needed = int(words[-1].rstrip("."))
            direct, width = (
                float(words[place - 1].lstrip("("))
                for place, word in enumerate(words)
                if word.startswith("points")
            )
            assert needed <= 100
            assert direct <= width


def test_negative_numbers_keep_their_sign_in_right_to_left_text():
    with translation.override("ar"):
        shown = format_percent(-0.05, 0)
        assert shown == f"\u2066\N{MINUS SIGN}5{SPACE}%\u2069"
        assert "\u2066" not in format_percent(0.05)
    assert format_percent(-0.05, 0) == f"\N{MINUS SIGN}5{SPACE}%"


@pytest.mark.django_db
class TestSurveys:
    @pytest.mark.parametrize(
        ("questions", "counts", "message"),
        [
            (["coin"], {b"\0": 50, b"\1": 50}, f"±{SPACE}19.6{SPACE}points"),
            (["coin"], {b"\0": 13, b"\1": 87}, "does not fit the design"),
            ([WEAK], {b"\0": 50, b"\1": 50}, "tells nothing"),
            (["coin"], {b"\0": 14, b"\1": 15}, "\N{EM DASH}"),
        ],
        ids=["sound", "misfit", "epsilon .01", "few"],
    )
    def test_home_monitor_and_results_agree_on_precision(
        self, questions, counts, message
    ):
        survey = make_survey(questions)
        results = seal(survey, counts)
        monitor = live_texts(get_progress(survey))["margin"]
        responses = {survey.pk: sum(counts.values())}
        (home,) = list_surveys([survey], responses, survey.owner)
        assert monitor == home.precision == message
        panel = SurveyPanel(results)
        precision, least = panel.precision, panel.least_respondents
        is_missing = message == "\N{EM DASH}"
        assert least == (
            "Shown once every question has 30 responses." if is_missing else ""
        )
        if is_missing or message == "tells nothing":
            assert precision == message
        else:
            assert precision.startswith(message)

    def test_a_misfit_does_not_count_as_reaching_the_margin(self):
        survey = make_survey(wanted_margin=20)
        seal(survey, {b"\0": 13, b"\1": 87})
        progress = get_progress(survey)
        texts = live_texts(progress)
        assert "do not fit the design: 1." in texts["lacking"]
        assert texts["precision"] == ""
        assert texts["summary"].endswith(f" {texts['lacking']}")
        assert texts["more-1"] == "\N{EM DASH}"
        assert live_values(progress)["bar-1"] == 0


@pytest.mark.django_db
def test_two_direct_questions_have_intervals_of_the_chosen_method(client):
    method = "pratt"
    counts = {b"\0\0": 40, b"\0\1": 30, b"\1\0": 10, b"\1\1": 20}
    survey = make_survey(["direct", "direct"], counts=counts)
    client.force_login(survey.owner)
    address = f"/admin/surveys/survey/{survey.pk}/results/compare"
    query = {"first": 1, "second": 2, "method": method}
    page = client.get(f"{address}/", query)
    assert "profile likelihood" not in page.content.decode()
    file = client.get(f"{address}.csv", query).content.decode()
    row, *_others = csv.DictReader(StringIO(file))
    assert row["method_joint"] == method
    # 40 of 100: the exact interval of a direct question with 40 yes and 60 no.
    expected = result_of(40, 60, family="direct", method=method).rows[0]
    assert float(row["joint_low"]) == pytest.approx(expected.low)
    assert float(row["joint_high"]) == pytest.approx(expected.high)
