"""Draws of questions for respondents: every set is equally likely."""

import itertools
from collections import Counter
from fractions import Fraction

import pytest

from candor.mechanisms import build
from candor.mechanisms.composition import compose
from candor.mechanisms.draws import (
    NOT_ASKED,
    DrawnGroup,
    decode_pattern,
    draw_asked,
    encode_pattern,
    is_possible_draw,
    select_usable_groups,
)
from tests.candor.mechanisms.checks import only
from tests.surveys.tables import table_of


def group(asked, *questions):
    return DrawnGroup(asked=asked, questions=questions)


@pytest.mark.parametrize("asked", [1, 2, 3, 4])
def test_every_set_of_asked_questions_is_equally_likely(asked):
    # Numbers below 5, 4, 3, 2 and 1 are drawn: every sequence once.
    sets = Counter(
        draw_asked(7, [group(asked, 2, 3, 5, 6, 7)], only(*words))
        for words in itertools.product(range(5), range(4), range(3), range(2), range(1))
    )
    expected = {
        tuple(n in {1, 4, *chosen} for n in range(1, 8))
        for chosen in itertools.combinations((2, 3, 5, 6, 7), asked)
    }
    assert set(sets) == expected
    assert len(set(sets.values())) == 1


def test_groups_are_drawn_independently():
    groups = [group(1, 1, 4), group(1, 2, 3)]
    found = Counter(
        draw_asked(4, groups, only(first, 0, second, 0))
        for first, second in itertools.product(range(2), repeat=2)
    )
    assert len(found) == 4


def test_without_groups_everything_is_asked_and_no_word_is_drawn():
    assert draw_asked(3, [], only()) == (True, True, True)


def test_groups_with_a_missing_question_are_ignored():
    groups = [group(1, 1, 4), group(1, 2, 3)]
    assert select_usable_groups(groups, 4) is groups
    assert select_usable_groups(groups, 3) == ()


def test_only_drawable_sets_count_as_possible_draws():
    groups = [group(1, 2, 3), group(2, 4, 5, 6)]
    drawable = {
        asked
        for asked in itertools.product([False, True], repeat=7)
        if is_possible_draw(asked, groups)
    }
    assert drawable == {
        (True, *first, *second, True)
        for first in ((1, 0), (0, 1))
        for second in ((1, 1, 0), (1, 0, 1), (0, 1, 1))
    }


def test_a_pattern_has_a_byte_for_each_question_not_asked():
    assert encode_pattern([0, None, 2]) == bytes([0, NOT_ASKED, 2])
    assert decode_pattern(encode_pattern([0, None, 2])) == [0, None, 2]


class TestComposition:
    coin, die = build("coin"), build("die")  # ratios 3 and 2

    def test_a_group_counts_its_most_revealing_questions(self):
        mechanisms = [self.die, self.coin, self.die, self.coin]
        found = compose(mechanisms, [group(2, 1, 2, 3)])
        assert found.ratio == 3 * 2 * 3
        assert found.scrambled == (1, 2, 3, 4)

    def test_the_composed_ratio_is_the_maximum_over_all_draws(self):
        mechanisms = [
            self.coin, self.die, build("warner", p="4/5"), build("direct"), self.die
        ]  # fmt: skip
        groups = [group(2, 1, 2, 3, 4)]
        ratios = [
            compose([m for m, is_in in zip(mechanisms, asked, strict=True) if is_in])
            for asked in itertools.product([False, True], repeat=5)
            if is_possible_draw(asked, groups)
        ]
        assert compose(mechanisms, groups).ratio == max(each.ratio for each in ratios)

    def test_one_unbounded_draw_makes_the_ratio_unbounded(self):
        proof = table_of([[2, 0], [1, 1]])
        assert compose([self.coin, proof], [group(1, 1, 2)]).ratio is None

    def test_only_one_of_two_arms_counts(self):
        assert compose([self.coin, self.coin], [group(1, 1, 2)]).ratio == Fraction(3)
