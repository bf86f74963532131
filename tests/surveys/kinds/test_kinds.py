"""The kinds of question, and what each of them promises to the code that asks it."""

import pytest

from candor.mechanisms import Mechanism, build, load_families
from surveys.authoring.forms.question import LISTED_KINDS
from surveys.kinds import (
    BACKGROUND,
    KINDS,
    LINKED_PAIR,
    SCALE,
    SEVERAL_ANSWERS,
    YES_OR_NO,
    find_kind,
    find_kind_of_table,
    label_answers,
    list_offered,
    recognise_skip,
)
from surveys.kinds.labels import get_default_labels

FAMILIES = load_families()


def test_every_family_is_of_one_kind():
    for name, family in FAMILIES.items():
        assert [kind.includes(family) for kind in KINDS].count(True) == 1, name


def test_every_offered_family_is_listed_once():
    listed = [name for kind in LISTED_KINDS for name in kind.families]
    assert sorted(listed) == sorted(each.identifier for each in list_offered())
    (several,) = (each for each in LISTED_KINDS if each.family == "k_ary")
    assert several.families == ["k_ary", "linked_pair"]


def test_the_default_family_of_a_kind_belongs_to_it():
    for kind in KINDS:
        assert find_kind(FAMILIES[kind.family]) is kind


def test_only_background_questions_are_not_scrambled():
    for name, family in FAMILIES.items():
        assert (find_kind(family) is BACKGROUND) == (not family.is_protected), name


def test_every_switch_is_reversible_within_the_listed_families():
    ways = {switch.of: switch.to for kind in KINDS for switch in kind.switches}
    assert ways["k_ary"] == "linked_pair"
    for of, to in ways.items():
        assert ways[to] == of
        assert any({of, to} <= set(each.families) for each in LISTED_KINDS)


@pytest.mark.parametrize(
    ("table", "kind"),
    [
        (build("coin"), YES_OR_NO),
        (build("k_ary", epsilon=1, choices=3), SEVERAL_ANSWERS),
        (build("one_bit", epsilon=1, points=5), SCALE),
    ],
)
def test_the_kind_of_a_table_is_found_without_its_family(table, kind):
    gone = Mechanism.from_dict({**table.to_dict(), "family": "gone"})
    assert find_kind_of_table(gone) is find_kind_of_table(table) is kind
    assert len(label_answers(gone, None, "en")) == len(gone.answers)


@pytest.mark.parametrize("language", ["en", "ar"])
@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("coin", {}),
        ("epsilon", {"epsilon": "2"}),
        ("k_ary", {"epsilon": "1"}),
        ("direct", {}),
        ("direct_choice", {}),
        ("one_bit", {"epsilon": "1"}),
        ("grid", {"epsilon": "1"}),
    ],
)
def test_skippable_questions_are_recognised(name, given, language):
    family = FAMILIES[name]
    kind = find_kind(family)
    labels = get_default_labels(language)[:2] if family.answers else ("a", "b", "c")
    with_skip = kind.add_skip_label(labels, language)
    assert with_skip == (*labels, get_default_labels(language)[-1])
    skipped, parameters = kind.add_skip(family, given, with_skip)
    table = skipped.build(**parameters)
    assert len(table.answers) == len(with_skip)
    found = recognise_skip(skipped, table.parameters, with_skip, language)
    assert found.pop("family") == name
    values = {field.partition("__")[2]: value for field, value in found.items()}
    assert values.items() <= given.items()


@pytest.mark.parametrize("kind", [kind for kind in KINDS if not kind.skippable])
def test_other_questions_are_not_recognised_as_skippable(kind):
    assert kind is LINKED_PAIR
    table = build("linked_pair", epsilon=1, choices=4)
    labels = label_answers(table, None, "en")
    assert recognise_skip(FAMILIES["linked_pair"], {}, labels, "en") == {}


def test_answer_sets_refer_to_answers_of_the_table():
    table = build("linked_pair", epsilon=1, choices=4)
    labels = label_answers(table, None, "en")
    found = {
        labels[each.labelled]: [labels[place] for place in each.answers]
        for each in LINKED_PAIR.list_answer_sets()
    }
    assert found == {
        "Only the first": ["Both", "Only the first"],
        "Only the second": ["Both", "Only the second"],
    }


@pytest.mark.parametrize(
    ("labels", "shape"),
    [
        (["0 (never)", *map(str, range(1, 7)), "7 (always)"], "scale"),
        (["1: never", "2", "3: always"], "scale"),
        (["-50", "0", "50"], "scale"),
        (["Never", "Sometimes", "Always"], ""),
        (["0", "often", "2"], ""),
        ([f"{1000 * each:,}" for each in range(12)], ""),
        ([f"{1000 * each:,}" for each in range(13)], "scale wider"),
    ],
)
def test_the_layout_of_a_scale_depends_on_its_labels(labels, shape):
    assert SCALE.arrange(labels, None, is_by_hand=False)["shape"] == shape


def test_the_declining_answer_follows_the_points_of_a_scale():
    labels = ["0: never", "1", "2: always", "Prefer not to answer"]
    made = SCALE.arrange(labels, 3, is_by_hand=False)
    assert made["options"] == [
        ("0", ": never"), ("1", ""), ("2", ": always"), ("Prefer not to answer", "")
    ]  # fmt: skip
    assert made["ends"] == ("0: never", "2: always")
