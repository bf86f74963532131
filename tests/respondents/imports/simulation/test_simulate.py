from collections import Counter
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from scipy.stats import binomtest

from candor.mechanisms import ParameterError
from estimation.rows.shares import get_results
from respondents.distribution import rehearsal
from respondents.imports.simulation.delivery import SimulationError
from respondents.imports.simulation.simulate import (
    MAX_RESPONDENTS,
    MAX_WHILE_WAITING,
    draw_pattern,
    fill,
    read_shares,
    simulate,
)
from respondents.models import Receipt, Response, SealedPattern, close
from surveys.design import get_design, load_design
from surveys.models import Survey
from tests.factories import make_responses, make_survey

# A sound build fails one run in 10**10.
ALPHA = 1e-10


def run(*arguments):
    call_command("simulate", *arguments, stdout=StringIO())


def stored(survey):
    tail = Response.objects.filter(survey=survey).values_list("pattern", flat=True)
    return Counter(map(bytes, tail)) + Counter(SealedPattern.objects.counts(survey))


@pytest.mark.django_db
class TestInProcess:
    @pytest.mark.parametrize("mode", ["browser", "server", "hand"])
    def test_each_respondent_leaves_one_response_and_one_receipt(self, mode):
        survey = make_survey(["coin", "die"], mode=mode)
        simulate(survey, 7, {"q1": 0.2, "q2": "1/3"})
        assert sum(stored(survey).values()) == Receipt.objects.count() == 7
        assert all(is_valid_pattern(pattern) for pattern in stored(survey))

    def test_a_survey_with_responses_of_people_is_not_simulated(self):
        survey = make_survey()
        make_responses(survey, [b"\0"])
        with pytest.raises(SimulationError, match="responses of people"):
            simulate(survey, 1, {"q1": 0})
        Response.objects.seal(survey)
        with pytest.raises(SimulationError, match="responses of people"):
            simulate(survey, 1, {"q1": 0})
        assert not Survey.objects.get().is_simulated
        assert SealedPattern.objects.counts(survey) == {b"\0": 1}

    @pytest.mark.parametrize("family", ["one_bit_skip", "grid_skip"])
    def test_respondents_skip_scales(self, family):
        survey = make_survey([(family, {"epsilon": 2, "points": 5})], mode="server")
        simulate(survey, 90, {"q1": "0,0,0,0,0,1"})
        (mechanism,) = [each.mechanism for each in get_design(survey).questions]
        skipped = bytes([len(mechanism.reports) - 1])
        chance = float(mechanism.probability("skipped", given="skipped"))
        found = stored(survey)
        assert found.total() == 90
        assert binomtest(found[skipped], 90, chance).pvalue > ALPHA

    @pytest.mark.parametrize(
        ("condition", "is_shown"),
        [("1 is Yes and 2 is No", False), ("1 is Yes or 2 is No", True)],
    )
    def test_respondents_answer_only_what_they_are_shown(self, condition, is_shown):
        shown_to_some = {"family": "direct", "show_if": condition}
        survey = make_survey(["direct", "direct", shown_to_some])
        simulate(survey, 20, {"q1": 1, "q2": 1, "q3": 1})
        assert stored(survey) == {bytes([0, 0, 0 if is_shown else 1]): 20}

    def test_shares_that_end_the_survey_for_everyone_are_rejected(self):
        survey = make_survey([{"family": "direct", "ends_if": "No"}, "coin"])
        with pytest.raises(ParameterError, match="does not end the survey"):
            simulate(survey, 1, {"q1": 0, "q2": 1})
        simulate(survey, 9, {"q1": "0.3", "q2": 1})
        assert {pattern[0] for pattern in stored(survey)} == {0}

    def test_surveys_by_one_time_link_are_refused_and_not_marked(self):
        survey = make_survey(access="invitation", slug="invited")
        # Whatever the shares are: those of a survey that takes none are no one's fault.
        with pytest.raises(SimulationError, match="one-time links"):
            simulate(survey, 1, {"q7": "much"})
        survey.refresh_from_db()
        assert not survey.is_simulated

    def test_drafts_and_closed_surveys_are_refused(self):
        with pytest.raises(SimulationError, match="draft"):
            simulate(make_survey(slug="draft", opened=False), 1, {})
        survey = make_survey()
        close(survey)
        with pytest.raises(SimulationError, match="it is closed"):
            simulate(survey, 1, {"q7": "much"})

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (["nowhere", "--shares", "q1=0"], "no survey called 'nowhere'"),
            (["--shares", "q1=0", "--respondents", "0"], r"from 1 to 100000; got 0"),
            (
                ["--shares", "q1=0", "--respondents", str(MAX_RESPONDENTS + 1)],
                "respondents must be a whole number",
            ),
            (["--shares", "q1=1.5"], r"q1 must be a number from 0 to 1.*got '1.5'"),
            (["--shares", "q1=-0.1"], r"q1 must be a number from 0 to 1"),
            (["--shares", "q1=nan"], "got 'nan'"),
            (["--shares", "q1=0.12345678901"], "9 decimals at most"),
            (["--shares", "q2=0.1"], "shares must be one of q1; got 'q2'"),
            (["--shares", "0.1"], "takes NAME=VALUE"),
            (
                ["--shares", "q1=0", "--url", "ftp://127.0.0.1"],
                "url must be an address",
            ),
            (["--shares", "q1=0", "--url", "http://127.0.0.1:x"], "url must be"),
            (["--shares", "q1=0", "--url", "http://127.0.0.1:9"], "no server of this"),
        ],
        ids=str,
    )
    def test_bad_input_is_refused_and_marks_nothing(self, arguments, message):
        make_survey()
        if arguments[0].startswith("--"):
            arguments = ["study-habits", *arguments]
        with pytest.raises(CommandError, match=message):
            run(*arguments)
        assert not Survey.objects.get().is_simulated
        assert not Response.objects.exists()

    def test_three_answers_need_three_shares_that_sum_to_one(self):
        survey = make_survey([("k_ary", {"epsilon": 1, "choices": 3})])
        message = "q1 must be 3 numbers that sum to 1, such as 0.2,0.7,0.1; got "
        for shares in ("0.2,0.7", "0.2,0.7,0.2", "1,1,-1", "1/3,1/3,0.33", ",,", ""):
            with pytest.raises(ParameterError, match=message):
                simulate(survey, 1, {"q1": shares})
        assert not Survey.objects.get().is_simulated

    def test_shares_of_several_answers_are_read_exactly(self):
        survey = make_survey(["coin", ("k_ary", {"epsilon": 1, "choices": 3})])
        design = load_design(survey.pk, survey.design_digest)
        shares = {"q1": "0.25,3/4", "q2": "0.2,0.7,1/10"}
        assert read_shares(design, shares) == [(1, 3), (2, 7, 1)]

    def test_shares_of_several_answers_are_drawn_exactly(self):
        survey = make_survey([("k_ary", {"epsilon": 10, "choices": 3})])
        design = load_design(survey.pk, survey.design_digest)
        _, scale, _ = design.questions[0].mechanism.weights[0]
        # After two weights for untrue reports every row reports the truth.
        words = [word for remainder in range(10) for word in (remainder, 2 * scale)]
        draw = iter(words).__next__
        reports = [draw_pattern(design, [(2, 7, 1)], draw) for _ in range(10)]
        assert reports == [b"\0"] * 2 + [b"\1"] * 7 + [b"\2"]


def is_valid_pattern(pattern):
    return len(pattern) == 2 and set(pattern) <= {0, 1}


@pytest.mark.server
def test_four_hundred_respondents_over_http_leave_the_stated_distribution(site):
    survey = make_survey([("epsilon", {"epsilon": 1})])
    run("study-habits", "--respondents", "400", "--shares", "q1=0.2", "--url", site.url)
    found = stored(survey)
    assert sum(found.values()) == 400
    # P(yes report) = .2 e / (e + 1) + .8 / (e + 1) = .362117...
    expected = 0.2 * 0.7310585786 + 0.8 * 0.2689414214
    assert binomtest(found[b"\0"], 400, expected).pvalue > ALPHA
    close(survey)
    yes = get_results(survey, confidence_level=1 - ALPHA).questions[0].rows[0]
    assert yes.low <= 0.2 <= yes.high


def test_a_server_without_the_survey_is_rejected_before_marking(site):
    make_survey()
    with pytest.raises(CommandError, match="no server of this survey"):
        run("study-habits", "--shares", "q1=1", "--url", f"{site.url}/elsewhere")
    assert not Survey.objects.get().is_simulated


@pytest.mark.django_db
class TestRehearsal:
    def start(self, questions=("coin",), **fields):
        return rehearsal.start(make_survey(questions, opened=False, **fields))

    def test_intervals_of_simulated_results_contain_the_true_shares(self):
        test = self.start([("k_ary", {"epsilon": 2, "choices": 3})])
        fill(test, 2000, {"q1": "0.2,0.7,0.1"})
        [question] = get_results(test, confidence_level=1 - ALPHA).questions
        assert question.respondents == 2000
        for row, share in zip(question.rows, (0.2, 0.7, 0.1), strict=True):
            assert row.low <= share <= row.high

    def test_an_ended_rehearsal_accepts_no_simulated_responses(self):
        test = self.start()
        rehearsal.wipe(test.rehearsal_of)
        with pytest.raises(SimulationError, match="ended meanwhile"):
            fill(test, 1, {"q1": "0.2"})

    @pytest.mark.parametrize("respondents", [0, MAX_WHILE_WAITING + 1])
    def test_too_many_respondents_are_refused(self, respondents):
        with pytest.raises(ParameterError, match=r"in \[1, 10000\]"):
            fill(self.start(), respondents, {"q1": "0.2"})


@pytest.mark.parametrize("mode", ["server", "hand"])
def test_forms_can_be_simulated_over_http(site, mode):
    survey = make_survey(["coin"], mode=mode)
    run("study-habits", "--respondents", "3", "--shares", "q1=0.2", "--url", site.url)
    assert sum(stored(survey).values()) == 3
