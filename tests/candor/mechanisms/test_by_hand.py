"""Instructions carried out by hand: every toss, side and card once."""

import re
from fractions import Fraction
from itertools import product

import pytest

from candor.mechanisms import ParameterError, build, load_families
from candor.mechanisms.by_hand import find_device

LABELS = {"yes": "HAVE", "no": "NEVER", "innocuous_question": "Born in May?"}
ANSWERS = (0, 1)

CHANCES = sorted({Fraction(a, b) for b in (2, 3, 4, 5, 6, 10) for a in range(1, b)})
CHANCES += [Fraction(1, 12), Fraction(37, 100)]

GIVEN = {
    "coin": [{}],
    "die": [{}],
    "warner": [{"p": p} for p in CHANCES],
    "crosswise": [{"prevalence": p} for p in CHANCES],
    "forced_no": [{"forced_no": p} for p in CHANCES],
    "forced_yes": [{"forced_yes": p} for p in CHANCES],
    "forced_response": [
        {"forced_yes": a, "forced_no": b} for a, b in product(CHANCES, repeat=2)
    ],
    "kuk": [
        {"p_red_given_yes": a, "p_red_given_no": b}
        for a, b in product(CHANCES, repeat=2)
    ],
    "triangular": [{"prevalence": p} for p in CHANCES],
    "unrelated_question": [
        {"p_sensitive": a, "prevalence": b} for a, b in product(CHANCES, repeat=2)
    ],
}

COIN = """\
Toss a coin twice. What does it say?
First toss is heads: answer truthfully.
First toss is tails: enter what the second toss says. Heads is HAVE, tails is NEVER."""

COMPARE = """\
Answer two questions in your head.
The survey's question, and this one: Born in May?
"""

CROSSWISE = (
    COMPARE
    + """\
HAVE and Yes, or NEVER and No: enter Same.
Any other pair: enter Different."""
)

TRIANGULAR = (
    COMPARE
    + """\
NEVER and No: enter Neither.
Any other pair: enter Either."""
)

ONE_TOSS = "Toss a coin. What does it say?"

KUK = re.compile(
    r"Shuffle two packs of (\d+) cards\. Draw one card from each\.\n"
    r"Your true answer is HAVE: enter the colour of the card from the HAVE pack "
    r"\((\d+) red, (\d+) black\)\.\n"
    r"Your true answer is NEVER: enter the colour of the card from the NEVER pack "
    r"\((\d+) red, (\d+) black\)\."
)

DIE = "Roll a die. What does it say?"
CARDS = re.compile(
    r"Shuffle cards numbered 1 to (\d+) and draw one\. What does it say\?"
)
CARDS_OF_TWO = "Shuffle cards numbered 1 to 2 and draw one. What does it say?"
SIDES = re.compile(r"(\d+)(?:\u2013(\d+))?: (.*)")

KEEP_IT = "Keep it to yourself."

TRUTH = "answer truthfully."
OPPOSITE = (
    "enter the opposite (NEVER if your true answer is HAVE, HAVE if it is NEVER)."
)
FORCED_YES = "enter HAVE, whatever is true."
FORCED_NO = "enter NEVER, whatever is true."
HARMLESS = (
    "answer this question instead and enter HAVE for Yes, NEVER for No: Born in May?"
)


def carry_out(text, prevalence):
    """Return P(first report | answer) for each answer, by following the text.

    `prevalence` is the share of Yes to the harmless question, which the text omits.
    """
    if text == COIN:
        tosses = list(product("HT", repeat=2))
        entered = [
            [answer if first == "H" else "HT".index(second) for first, second in tosses]
            for answer in ANSWERS
        ]
        return [Fraction(row.count(0), len(tosses)) for row in entered]
    if text == CROSSWISE:
        return [prevalence, 1 - prevalence]
    if text == TRIANGULAR:
        # Either: always with a Yes, and with the harmless one otherwise.
        return [1, prevalence]
    if cards := KUK.fullmatch(text):
        size, *counts = map(int, cards.groups())
        assert counts[0] + counts[1] == counts[2] + counts[3] == size
        return [Fraction(counts[0], size), Fraction(counts[2], size)]
    steps = text.split("\n")
    if steps[0] == ONE_TOSS:
        sides = {"Heads": "1", "Tails": "2"}
        named = [step.partition(": ") for step in steps[1:]]
        texts = [f"{sides[side]}: {action}" for side, _colon, action in named]
        return carry_out_sides([CARDS_OF_TWO, *texts], prevalence)
    return carry_out_sides(steps, prevalence)


def carry_out_sides(steps, prevalence):
    sides = 6 if steps[0] == DIE else int(CARDS.fullmatch(steps[0])[1])
    done = {}
    for step in steps[1:]:
        first, last, action = SIDES.fullmatch(step).groups()
        for side in range(int(first), int(last or first) + 1):
            assert side not in done
            done[side] = action
    assert sorted(done) == list(range(1, sides + 1))
    # For each action, P(first report) by answer.
    chances = {
        TRUTH: (1, 0),
        OPPOSITE: (0, 1),
        FORCED_YES: (1, 1),
        FORCED_NO: (0, 0),
        HARMLESS: (prevalence, prevalence),
    }
    return [
        sum(Fraction(chances[action][answer]) for action in done.values()) / sides
        for answer in ANSWERS
    ]


def rendered(instruction):
    """Return the lines of an instruction, except those on secrecy."""
    note = [] if instruction.note == KEEP_IT else [instruction.note]
    outcomes = (f"{each.when}: {each.then}" for each in instruction.outcomes)
    lines = (instruction.start, *note, *outcomes)
    return "\n".join(line % {**instruction.values, **LABELS} for line in lines)


@pytest.mark.parametrize("family", GIVEN)
def test_instructions_reproduce_the_probabilities_of_the_table(family):
    carried_out = 0
    for parameters in GIVEN[family]:
        try:
            mechanism = build(family, **parameters)
        except ParameterError:
            continue
        if (instruction := load_families()[family].by_hand(**parameters)) is None:
            continue
        done = carry_out(rendered(instruction), parameters.get("prevalence"))
        first = mechanism.reports[0]
        assert done == [
            mechanism.probability(first, given=given) for given in mechanism.answers
        ]
        carried_out += 1
    assert carried_out >= min(len(GIVEN[family]), len(CHANCES) - 2)


def example_instruction(family):
    values = family.parse({p.name: p.example for p in family.parameters})
    return family.by_hand(**values)


@pytest.mark.parametrize("name", sorted(set(load_families()) - set(GIVEN)))
def test_families_without_a_check_have_no_instruction(name):
    assert example_instruction(load_families()[name]) is None


@pytest.mark.parametrize("name", load_families())
def test_instructions_and_forms_agree_on_the_innocuous_question(name):
    family = load_families()[name]
    instruction = example_instruction(family)
    text = rendered(instruction) if instruction else ""
    assert ("Born in May?" in text) == family.needs_innocuous_question


@pytest.mark.parametrize("name", GIVEN)
def test_instruction_pictures_match_the_randomising_device(name):
    instruction = example_instruction(load_families()[name])
    faces = {each.face and each.face.value for each in instruction.outcomes}
    shown = {"coin": {"heads", "tails"}, "die": {"die"}, "cards": {"card"}}
    assert faces in ({None}, shown.get(instruction.device.value))


def test_more_than_a_hundred_cards_cannot_be_used_by_hand():
    assert find_device(Fraction(1, 101)) is None
    assert find_device(Fraction(1, 7), Fraction(1, 15)) is None  # 105 cards
    assert find_device(Fraction(1, 100)).sides == 100
    assert load_families()["warner"].by_hand(p=Fraction(60, 101)) is None
