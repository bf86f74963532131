"""What a question is before any mechanism, and what helps to choose one."""

from candor.mechanisms import load_families
from surveys.authoring.kinds import (
    BACKGROUND,
    FAMILY_SWITCHES,
    KINDS,
    SEVERAL_ANSWERS,
    WHEN,
    YES_OR_NO,
    family_groups,
    find_kind,
    grouped_choices,
    list_offered,
)
from surveys.authoring.strengths import STRENGTHS
from surveys.models import get_family_choices


def grouped():
    return {
        str(group.label): [each.family.identifier for each in group.families]
        for group in family_groups()
    }


def test_every_family_is_of_one_kind():
    listed = [name for kind in KINDS for name in kind.families]
    assert sorted(listed) == sorted(each.identifier for each in list_offered())
    others = [each for each in load_families().values() if each not in list_offered()]
    assert {each.without_skip for each in others} <= set(listed)


def test_a_kind_begins_with_a_family_of_its_own():
    for kind in KINDS:
        assert find_kind(load_families()[kind.family]) is kind


def test_only_background_questions_are_not_scrambled():
    for name, family in load_families().items():
        assert (find_kind(family) is BACKGROUND) == (not family.is_protected), name
    assert SEVERAL_ANSWERS.families == ["k_ary", "linked_pair"]


def test_strengths_are_those_of_yes_and_no():
    for strength in STRENGTHS:
        assert strength.family in YES_OR_NO.families


def test_families_are_grouped_by_what_it_takes_by_hand():
    assert grouped() == {
        "No device": ["crosswise", "custom", "epsilon", "triangular"],
        "A coin": ["coin", "forced_no", "forced_yes"],
        "A die": ["die", "forced_response", "unrelated_question"],
        "Cards": ["kuk", "warner"],
    }


def test_every_design_says_when_to_take_it():
    assert set(WHEN) == set(YES_OR_NO.families)
    for group in family_groups():
        for offered in group.families:
            assert 20 < len(str(offered.when)) < 100, offered.family.identifier


def test_every_family_can_be_chosen_once():
    chosen = [choice for _label, choices in grouped_choices() for choice in choices]
    # A switch of the form makes a scale one that can be skipped.
    rest = set(get_family_choices()) - set(chosen)
    assert len(chosen) == len(set(chosen)) == len(list_offered())
    assert {name for name, _label in rest} == {"grid_skip", "one_bit_skip"}


def test_every_family_switch_has_a_way_back_within_its_kind():
    ways = {turn.of: turn.to for turn in FAMILY_SWITCHES}
    assert ways["k_ary"] == "linked_pair"
    for of, to in ways.items():
        assert ways[to] == of
        assert find_kind(load_families()[of]) is find_kind(load_families()[to])
