"""Bulk sampling gives the reports of the scalar sampler for the same words."""

import os
from contextlib import suppress
from functools import partial
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from candor.mechanisms import load_families, randomness
from candor.mechanisms.sampling import (
    draw_many_below,
    randomise_by_byte,
    randomise_many,
    words,
)
from tests.candor.mechanisms.checks import OutOfWordsError, only, read_vectors


def from_list(given_words):
    """A source of exactly these words, in pieces of any size."""
    draw = only(*given_words)
    return lambda count: np.array([draw() for _ in range(count)], dtype=np.uint32)


def test_words_are_four_bytes_of_the_system_each_read_big_endian(monkeypatch):
    asked = []

    def token_bytes(size):
        asked.append(size)
        return bytes(range(1, size + 1))

    monkeypatch.setattr(os, "urandom", token_bytes)
    assert words(2).tolist() == [0x01020304, 0x05060708]
    assert words(2, 16).tolist() == [0x0102, 0x0304]
    assert words(2, 8).tolist() == [1, 2]
    assert asked == [8, 4, 2]


@pytest.mark.parametrize("n", [0, -1, 2**8 + 1])
def test_an_invalid_number_of_outcomes_is_rejected(n):
    with pytest.raises(ValueError, match="n must be in"):
        draw_many_below(n, 1, word_bits=8)


@pytest.mark.parametrize(
    "weights",
    [
        ((3, 1), (1, 3)),
        ((5, 1), (1, 5)),
        ((5, 1, 1), (1, 5, 1), (1, 1, 5)),
        ((7, 0), (0, 7)),
    ],
)
def test_every_word_gives_the_report_of_the_scalar_sampler(weights):
    # All words of 8 bits for every answer; an accepted word follows each rejected one.
    for answer in range(len(weights)):
        source = [word for pair in product(range(256), [0]) for word in pair]
        expected, draw = [], only(*source)
        with suppress(OutOfWordsError):
            while True:
                expected.append(
                    randomness.randomise(weights, answer, draw, word_bits=8)
                )
        answers = np.full(len(expected), answer)
        found = randomise_many(weights, answers, from_list(source), word_bits=8)
        assert found.tolist() == expected


@pytest.mark.parametrize(
    "weights",
    [
        ((3, 1), (1, 3)),
        ((5, 1, 1), (1, 5, 1), (1, 1, 5)),
        ((7, 0), (0, 7)),
        ((13,),),
        ((300, 1), (1, 300)),
    ],
)
def test_the_byte_sampler_gives_reports_in_proportion_to_weights(weights):
    # Every byte with every number that can follow: each report must come 256 times
    # for each unit of its weight.
    total = sum(weights[0])
    for answer, row in enumerate(weights):
        found = np.zeros(len(row), dtype=int)
        for v in range(total):
            reports = randomise_by_byte(
                weights,
                np.full(256, answer),
                np.arange(256, dtype=np.uint8),
                partial(np.full, fill_value=v, dtype=np.uint32),
            )
            found += np.bincount(reports, minlength=len(row))
        assert found.tolist() == [256 * weight for weight in row]


@pytest.mark.parametrize(
    ("answers", "error", "message"),
    [
        ([0, 2], ValueError, r"answers must be in \[0, 2\); got 2"),
        ([0, -1], ValueError, r"answers must be in \[0, 2\); got -1"),
        ([0.0, 1.0], TypeError, "answers must be whole numbers; got float64"),
    ],
)
@pytest.mark.parametrize("draw", [None, words])
def test_answers_outside_the_table_are_rejected(answers, error, message, draw):
    with pytest.raises(error, match=message):
        randomise_many([[3, 1], [1, 3]], np.array(answers), draw)


@given(
    n=st.integers(1, 2**32),
    source=st.lists(st.integers(0, 2**32 - 1), min_size=1, max_size=30),
)
def test_bulk_sampling_reads_words_like_scalar_sampling(n, source):
    draw, expected = only(*source), []
    with suppress(OutOfWordsError):
        while True:
            expected.append(randomness.uniform_below(n, draw))
    assert draw_many_below(n, len(expected), from_list(source)).tolist() == expected


@pytest.mark.parametrize("family", load_families())
def test_bulk_sampling_matches_the_vectors_of_every_family(family):
    for table in read_vectors(family)["tables"]:
        for case in table["cases"]:
            answers, source = np.array([case["answer"]]), from_list(case["words"])
            found = randomise_many(table["weights"], answers, source)
            assert found.tolist() == [case["report"]]


def test_bulk_sampling_handles_weights_of_a_full_word():
    # The first report has all the weight, so the second never occurs.
    weights = ((2**32, 0), (0, 2**32))
    source = [0, 2**31, 2**32 - 1]
    for answer in (0, 1):
        found = randomise_many(weights, np.full(3, answer), from_list(source))
        assert found.tolist() == [answer] * 3
