"""What researchers read about their tables."""

import math
import re
from dataclasses import replace
from fractions import Fraction

import pytest

from candor.mechanisms.composition import Composition
from surveys.text.explanations import TotalProtection, format_chance
from tests.factories import give_reason, make_survey
from tests.surveys.authoring.posted import page_of, text_of


def test_short_chances_are_shown_exactly(client, researcher):
    page = text_of(client.get(page_of(make_survey(["coin"]))))
    assert "3/<wbr>4 = 0.75" in page
    assert "1/<wbr>4 = 0.25" in page
    texts = [format_chance(Fraction(quarters, 4)) for quarters in (0, 1, 4)]
    assert texts == ["0", "1/4 =\xa00.25", "1"]
    assert format_chance(Fraction(1, 22027)) == "1/22027 ≈\xa00.0000453988"
    assert format_chance(Fraction(1, 2**20)) == "1/1048576 ≈\xa00.000000953674"


@pytest.mark.parametrize(
    ("coins", "warned"),
    # 4 ln 3 = 4.39 and 5 ln 3 = 5.49; the warning starts at ln 100 = 4.605.
    [(4, False), (5, True)],
)
def test_a_large_total_epsilon_causes_a_warning(client, researcher, coins, warned):
    survey = make_survey(["coin"] * coins, opened=False)
    give_reason(survey)
    page = text_of(client.get(page_of(survey, "open")))
    assert ("Weak protection: epsilon 5.50 in total" in page) == warned
    page = text_of(client.get(page_of(survey, "change")))
    assert ("weak protection" in page) == warned


@pytest.mark.parametrize(
    ("ratio", "title", "level"),
    [
        (2, "All scrambled answers together: a weak hint, never proof.", "good"),
        (
            Fraction(2001, 1000),
            "All scrambled answers together: a hint, never proof.",
            "good",
        ),
        (4, "All scrambled answers together: a hint, never proof.", "good"),
        (
            Fraction(4001, 1000),
            "All scrambled answers together: a strong hint, never proof.",
            "good",
        ),
        (10, "All scrambled answers together can come close to proof.", "note"),
        (
            Fraction(9999, 100),
            "All scrambled answers together can come close to proof.",
            "note",
        ),
        (100, "Weak protection.", "warning"),
        (None, "Some reports show the answer.", "warning"),
    ],
)
def test_all_reports_use_the_scale_of_one_report(ratio, title, level):
    exact = ratio and Fraction(ratio)
    numbers = Composition(ratio=exact, scrambled=(1,), unscrambled=())
    protection = TotalProtection(numbers)
    assert (protection.title, protection.level) == (title, level)
    # A direct question next to them is no praise, and does not hide what they are.
    mixed = TotalProtection(replace(numbers, unscrambled=(2,)))
    assert mixed.title == title
    assert mixed.level == ("note" if level == "good" else level)
    assert mixed.sentence.startswith("Asked directly: question 2. The answer itself")


def test_prior_and_posterior_suspicion_are_shown():
    # Epsilon 4.6 of one tenth: odds of 1/9 times 99.5.
    ratio = Fraction(round(1000 * math.exp(4.6)), 1000)
    numbers = Composition(ratio=ratio, scrambled=(1,), unscrambled=())
    assert float(numbers.posterior(Fraction(1, 10))) == pytest.approx(
        99.484 / (99.484 + 9), abs=1e-5
    )
    text = TotalProtection(numbers).sentence.replace("\N{NO-BREAK SPACE}", " ")
    assert "a suspicion of 10 % becomes at most 92 %." in text


@pytest.mark.parametrize(
    ("epsilon", "shown"),
    [
        # Odds of 1/9 times e^epsilon: 665.1/674.1, 19930/19939, 162755/162764
        (6.5, "a suspicion of 10 % becomes at most 99 %."),
        (9.9, "a suspicion of 10 % becomes at most 99.96 %."),
        (12, "a suspicion of 10 % becomes at most 99.995 %."),
        (13.8, "a suspicion of 10 % becomes at most 99.9991 %."),
        # Beyond a million.
        (13.9, "can make a suspicion practically certain."),
        (99, "can make a suspicion practically certain."),
    ],
)
def test_near_certainty_is_not_shown_as_certainty(epsilon, shown):
    ratio = Fraction(math.exp(epsilon))
    numbers = Composition(ratio=ratio, scrambled=(1,), unscrambled=())
    text = TotalProtection(numbers).sentence.replace("\N{NO-BREAK SPACE}", " ")
    assert shown in text
    assert bool(re.search(r"\d", text)) is ("practically" not in shown)


def test_advice_is_given_where_it_can_be_followed():
    numbers = Composition(ratio=Fraction(1000), scrambled=(1,), unscrambled=())
    advice = "Ask fewer questions, or choose stronger mechanisms."
    assert advice in TotalProtection(numbers).sentence
    assert advice not in TotalProtection(numbers, can_change=False).sentence
