import pytest

from candor.sample import MISFIT
from estimation.rows.shares import MIN_RESPONDENTS
from tests.estimation.results_of import panel_of, seal_and_show
from tests.factories import make_responses, make_survey

YES, NO = b"\0", b"\1"


def levels(result):
    return [caution.level for caution in result.cautions]


def texts(result):
    return " ".join(caution.text for caution in result.cautions)


def test_a_sound_result_needs_no_caution():
    assert panel_of(40, 60).cautions == []


@pytest.mark.parametrize(
    # (0.24 - 0.25) / 0.5 = -0.02 and (0.77 - 0.25) / 0.5 = 1.04
    ("counts", "raw", "edge"),
    [((24, 76), "\u22122\xa0%", "0"), ((77, 23), "104\xa0%", "100")],
)
def test_a_raw_estimate_off_the_scale_is_explained(counts, raw, edge):
    found = texts(panel_of(*counts))
    assert raw in found
    assert f"close to {edge}" in found


def test_reports_that_no_share_explains_raise_the_alarm():
    # Twice P(X <= 13 | n = 100, 1/4) = 0.0025, and twice P(X <= 14) = 0.0054: tables
    # of the binomial distribution.
    assert "do not fit the design" in texts(panel_of(13, 87))
    assert "P\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}0.005" in texts(panel_of(13, 87))
    assert "do not fit the design" not in texts(panel_of(14, 86))
    assert "P\N{NO-BREAK SPACE}<\N{NO-BREAK SPACE}0.0001" in texts(panel_of(2, 98))


@pytest.mark.parametrize("respondents", [1, 2, MIN_RESPONDENTS - 1])
def test_small_groups_get_a_warning(respondents):
    assert f"Only {respondents} response" in texts(panel_of(0, respondents))


def test_groups_that_are_large_enough_get_none():
    assert "Only" not in texts(panel_of(10, MIN_RESPONDENTS - 10))


def test_no_responses_are_no_alarm():
    assert panel_of(0, 0).cautions == []


def test_an_unprotected_question_is_named_before_the_first_response():
    assert levels(panel_of(0, 0, family="direct")) == ["danger"]


def test_the_alarm_is_rarer_than_one_in_a_hundred():
    assert MISFIT <= 0.01


@pytest.mark.django_db
class TestSurveys:
    def test_an_open_survey_says_in_which_steps_it_moves(self):
        results = seal_and_show(make_survey(batch_size=25), {YES: 25})
        assert levels(results) == ["note", "note"]
        assert "steps of at least 25 responses" in texts(results)

    def test_an_open_survey_without_a_batch_says_when_results_appear(self):
        survey = make_survey()
        make_responses(survey, [YES])
        assert "after 40 responses" in texts(seal_and_show(survey, {}))

    def test_a_batch_of_one_is_a_warning(self):
        results = seal_and_show(make_survey(batch_size=1), {YES: 10})
        assert levels(results) == ["note", "warning"]
        assert "every response" in texts(results)

    def test_an_open_link_does_not_promise_one_response_per_person(self):
        assert "may have answered more than once" in texts(
            seal_and_show(make_survey(), {})
        )
        invited = make_survey(slug="invited", access="invitation")
        assert "per person" not in texts(seal_and_show(invited, {}))

    def test_a_study_by_hand_has_no_link_to_speak_of(self):
        assert "Open link" not in texts(seal_and_show(make_survey(mode="hand"), {}))

    def test_simulated_answers_are_called_so(self):
        survey = make_survey()
        survey.is_simulated = True
        survey.save()
        assert "Simulated answers" in texts(seal_and_show(survey, {YES: 100}))
