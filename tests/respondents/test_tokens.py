"""Tokens of one-time links: what is read, and what a mistake in them is worth."""

import json
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from respondents import tokens
from respondents.tokens import ALPHABET, TOKEN_LENGTH, fits, make_token, read_token
from scripts.make_vectors import FOLDER
from tests import reference

VECTORS = json.loads((FOLDER / "tokens.json").read_text("utf-8"))

MISSED = 2**-15
"""Chance that the check characters fit a mistake among the random ones."""

MAX_MISSED = 4
"""Of up to 868 mistakes made in one token 0.03 are missed on average; five or more in
one token of 10**10, which with 170 tokens is one run in 10**7."""

digests = st.binary(min_size=32, max_size=32).map(bytes.hex)
randoms = st.text(alphabet=ALPHABET, min_size=25, max_size=25)


def read_as_ours(text, digest):
    token = read_token(text)
    return bool(token) and fits(token, digest)


@pytest.mark.parametrize("case", VECTORS["read"])
def test_accepted_spellings_of_tokens_are_read(case):
    assert read_token(case["typed"]) == case["token"]


@pytest.mark.parametrize("typed", VECTORS["refused"])
def test_invalid_tokens_are_not_read(typed):
    assert read_token(typed) == ""


def test_a_token_matches_the_reference_and_fits_only_its_survey():
    for case in VECTORS["tokens"]:
        assert read_token(case["token"]) == case["token"]
        for digest in VECTORS["digests"]:
            assert fits(case["token"], digest) == (digest == case["digest"])


def test_old_tokens_fit_every_survey():
    for old in VECTORS["old"]:
        assert all(fits(old, digest) for digest in VECTORS["digests"])


@given(digests)
def test_a_new_token_matches_the_reference_and_is_read_unchanged(digest):
    token = make_token(digest)
    assert len(token) == TOKEN_LENGTH
    assert read_token(token) == token
    assert fits(token, digest)
    assert token == reference.token(token.replace("-", "")[:25], digest)


def test_random_bytes_give_token_characters_uniformly(monkeypatch):
    monkeypatch.setattr(tokens.secrets, "token_bytes", lambda n: bytes(range(n)))
    assert make_token("").replace("-", "")[:25] == ALPHABET[:25]
    drawn = iter(range(256))
    monkeypatch.setattr(
        tokens.secrets, "token_bytes", lambda n: bytes([next(drawn)] * n)
    )
    firsts = [make_token("")[0] for _ in range(256)]
    assert {firsts.count(each) for each in ALPHABET} == {8}


@given(digests, randoms)
@settings(max_examples=20, deadline=None)
def test_a_wrong_character_is_detected(digest, random):
    characters = reference.token(random, digest).replace("-", "")
    missed = [
        place
        for place, right in enumerate(characters)
        for wrong in ALPHABET.replace(right, "")
        if read_as_ours(characters[:place] + wrong + characters[place + 1 :], digest)
    ]
    assert len(missed) <= MAX_MISSED
    # In the check characters themselves every mistake is.
    assert all(place < tokens.RANDOM_CHARACTERS for place in missed)


@given(digests, randoms)
@settings(max_examples=100, deadline=None)
def test_transposed_characters_are_detected(digest, random):
    characters = reference.token(random, digest).replace("-", "")
    swapped = {
        characters[:n] + characters[n + 1] + characters[n] + characters[n + 2 :]
        for n in range(len(characters) - 1)
    } - {characters}
    missed = [each for each in swapped if read_as_ours(each, digest)]
    assert len(missed) <= MAX_MISSED


@given(digests, randoms)
@settings(max_examples=20, deadline=None)
def test_an_incomplete_link_is_always_detected(digest, random):
    token = reference.token(random, digest)
    for start, end in combinations(range(TOKEN_LENGTH + 1), 2):
        piece = token[start:end]
        assert read_as_ours(piece, digest) is is_whole(piece)


def is_whole(text):
    """Whether a piece is complete, which only the token itself is."""
    return len(text.replace("-", "")) == tokens.CHARACTERS


@given(digests, digests, randoms)
@settings(max_examples=30)
def test_a_token_of_another_survey_is_refused(digest, other, random):
    prefixes = [ALPHABET[n] + random[1:] for n in range(len(ALPHABET))]
    missed = [each for each in prefixes if fits(reference.token(each, digest), other)]
    assert len(missed) <= MAX_MISSED or digest == other


def test_undetected_errors_have_the_stated_frequency():
    """Of 2**17 foreign tokens 4 on average; twice the chance would make 8."""
    digest, other = "0" * 64, "1" * 64
    words = reference.stream("candor/foreign")
    foreign = 2**17
    missed = 0
    for _ in range(foreign):
        random = f"{next(words):025d}"
        missed += tokens.compute_check(random, digest) == tokens.compute_check(
            random, other
        )
    assert 1 <= missed <= 10
    assert foreign * MISSED == 4
