"""Families as the author's form offers them."""

from surveys.authoring.families import WHEN, list_family_groups, list_grouped_choices
from surveys.kinds import YES_OR_NO, list_families, list_offered
from surveys.models import get_family_choices


def grouped():
    return {
        str(group.label): [each.family.identifier for each in group.families]
        for group in list_family_groups()
    }


def test_families_are_grouped_by_device():
    assert grouped() == {
        "No device": ["crosswise", "custom", "epsilon", "triangular"],
        "A coin": ["coin", "forced_no", "forced_yes"],
        "A die": ["die", "forced_response", "unrelated_question"],
        "Cards": ["kuk", "warner"],
    }


def test_every_family_has_advice_on_when_to_use_it():
    assert set(WHEN) == set(list_families(YES_OR_NO))
    for group in list_family_groups():
        for offered in group.families:
            assert 20 < len(str(offered.when)) < 100, offered.family.identifier


def test_every_family_can_be_chosen_once():
    chosen = [
        choice for _label, choices in list_grouped_choices() for choice in choices
    ]
    # A switch of the form makes a scale one that can be skipped.
    rest = set(get_family_choices()) - set(chosen)
    assert len(chosen) == len(set(chosen)) == len(list_offered())
    assert {name for name, _label in rest} == {"grid_skip", "one_bit_skip"}
