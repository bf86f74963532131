"""Sentences of several answers, read back and compared with the table."""

import re

from hypothesis import example, given, settings
from hypothesis import strategies as st

from candor.mechanisms import build
from surveys.text.tables import TableDescription

LABELS = ("Yes", "No", "Prefer not to answer")

fixed = settings(derandomize=True, deadline=None, max_examples=60, database=None)

SENTENCE = re.compile(
    r"Of ([\d,]+) people (?:whose answer is (.+)|with the same answer), "
    r"about ([\d,]+) arrive as (.+)\. "
    r"(?:About ([\d,]+) arrive as each of the others"
    r"|The other ([\d,]+) spread evenly over the other answers)\."
    r"( This is so for every answer\.)?"
)


def describe(epsilon, choices):
    mechanism = build("k_ary", epsilon=epsilon, choices=choices)
    labels = (*LABELS, *"ABCDE")[:choices]
    return TableDescription(numbers=(1,), mechanism=mechanism, choices=labels)


def whole(text):
    return int(text.replace(",", ""))


@fixed
@given(st.fractions("1/50", 10, max_denominator=1000), st.integers(3, 8))
@example(1, 3)
@example("0.9", 3)
@example(10, 8)
def test_sentences_and_table_agree_and_add_up(epsilon, choices):
    words = describe(epsilon, choices)
    truth, other = words.mechanism.weights[0][:2]
    named, about_all = [], []
    for sentence in words.sentences:
        found = SENTENCE.fullmatch(sentence).groups()
        base, answer, same, report, each, rest, for_all = found
        assert report == (answer or "that answer")
        named.append(answer)
        about_all.append(bool(for_all))
        base, same = whole(base), whole(same)
        others = whole(rest) if rest else (choices - 1) * whole(each)
        assert same + others == base == words.odds.base
        total = words.mechanism.total
        assert abs(same - base * truth / total) < 1
        assert abs(others - base * (choices - 1) * other / total) < 1
    assert named == ([None] if choices > 3 else list(words.choices))
    assert about_all == [choices > 3] * len(named)
