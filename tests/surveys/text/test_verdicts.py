"""The verdict for respondents follows all scrambled reports of one person together."""

from dataclasses import replace

import pytest

from candor.mechanisms import build
from candor.mechanisms.draws import DrawnGroup
from respondents.collecting.pages import render_survey
from respondents.distribution.materials import (
    summarise_protection,
)
from surveys.text.protection import Protection
from tests.surveys.tables import build_example, make_design, table_of

COIN, DIRECT = build_example("coin"), build_example("direct")
NEVER, CLEAR, CLOSE = "Never with certainty.", "A clear hint.", "Close to proof."
SOMETIMES, NEARLY_ALWAYS = "Sometimes.", "Nearly always."
COMBINED_WARNING = "All scrambled answers together can come close to proof."


UNSCRAMBLED_NOTE = "Not scrambled: question"


def odds(truth, other=1):
    return table_of([[truth, other], [other, truth]])


PROOF = table_of([[2, 0], [1, 1]])
TINY, HUGE = build("epsilon", epsilon="1/100"), build("epsilon", epsilon=10)

CASES = {
    "one coin": ([COIN], NEVER),
    "odds of 4, together": ([odds(2), odds(2)], NEVER),
    "odds above 4, together": ([odds(2), odds(2001, 1000)], CLEAR),
    "odds above 4, alone": ([odds(4001, 1000)], CLEAR),
    "two coins, odds of 9": ([COIN, COIN], CLEAR),
    "odds below 10, together": ([odds(2), odds(4999, 1000)], CLEAR),
    "odds of 10, together": ([odds(2), odds(5)], CLOSE),
    "ten coins": ([COIN] * 10, CLOSE),
    "some reports of one question": ([table_of([[10, 90], [1, 99]])], CLOSE),
    "a report that is proof": ([PROOF], SOMETIMES),
    "a report that is proof next to coins": ([COIN] * 9 + [PROOF], SOMETIMES),
    "a direct question next to a coin": ([COIN, DIRECT], NEVER),
    "a direct question next to ten coins": ([COIN] * 10 + [DIRECT], CLOSE),
    "nothing scrambled": ([DIRECT, DIRECT], "Yes."),
    "a tiny epsilon": ([TINY], NEVER),
    "a tiny epsilon, 200 times": ([TINY] * 200, CLEAR),
    "a huge epsilon": ([HUGE], NEARLY_ALWAYS),
    "a huge epsilon next to a coin": ([COIN, HUGE], NEARLY_ALWAYS),
    "200 coins": ([COIN] * 200, CLOSE),
    "a linked pair": ([build("linked_pair", epsilon=1, choices=4)], NEVER),
    "a linked pair and a coin": (
        [build("linked_pair", epsilon=1, choices=4), COIN],
        CLEAR,
    ),
    "two linked pairs": ([build("linked_pair", epsilon="6/5", choices=4)] * 2, CLOSE),
}


def verdict(design):
    return Protection(design).consequences[0].verdict


@pytest.mark.parametrize("case", CASES)
def test_the_verdict_follows_all_scrambled_reports(case):
    mechanisms, expected = CASES[case]
    assert verdict(make_design(*mechanisms)) == expected


@pytest.mark.parametrize(
    ("asked", "expected"), [(1, NEVER), (2, CLEAR), (3, CLOSE), (9, CLOSE)]
)
def test_the_verdict_counts_only_the_drawn_number_of_questions(asked, expected):
    group = DrawnGroup(asked=asked, questions=tuple(range(1, 11)))
    design = replace(make_design(*[COIN] * 10), groups=(group,))
    assert verdict(design) == expected


@pytest.mark.parametrize("mode", ["browser", "server", "hand"])
def test_every_mode_describes_all_reports_combined(mode):
    data, screen, page = Protection(make_design(*[COIN] * 10, mode=mode)).consequences
    assert data.verdict == CLOSE
    assert data.reason.startswith("All answers count together.")
    assert not any(each.verdict.startswith("Never") for each in (data, screen, page))
    # By hand, the screen shows what is sent, and a changed page learns no more.
    by_hand = [screen.verdict, page.verdict]
    assert (by_hand == [CLOSE, CLOSE]) is (mode == "hand")


def test_mode_server_never_claims_that_answers_were_never_there():
    for count in (1, 2, 3):
        design = make_design(*[COIN] * count, mode="server")
        text = Protection(design).consequences[0]
        assert "if they control the server while you answer" in text.reason
        assert "never there" not in text.reason
    one = Protection(make_design(COIN, mode="server")).consequences[0]
    assert one.verdict == "Never with certainty, once they are stored."


@pytest.mark.parametrize("count", [1, 2, 3, 10])
@pytest.mark.parametrize("others", [(), (DIRECT,)])
def test_the_welcome_page_warns_if_all_reports_are_close_to_proof(count, others):
    design = replace(make_design(*[COIN] * count, *others), slug="ten")
    page = render_survey("collecting/_welcome", design, is_simulated=False)
    assert page.count(COMBINED_WARNING) == (count > 2)
    assert (UNSCRAMBLED_NOTE in page) is bool(others)


@pytest.mark.parametrize("with_odds", [False, True])
def test_posters_and_invitations_show_the_warning_of_all_reports(with_odds):
    for count in (2, 3):
        protection = Protection(make_design(*[COIN] * count))
        said = summarise_protection(protection, with_odds=with_odds)
        assert (COMBINED_WARNING in said) is (count > 2)
