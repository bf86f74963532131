"""Checks of samplers and tables, shared by the proofs and the broken controls.

A sampler takes (weights, answer, draw, word_bits=...) and returns a report, as
`candor.mechanisms.randomness.randomise` does. Each check raises AssertionError.
"""

import json
from collections.abc import Callable
from itertools import accumulate, product
from pathlib import Path

from candor.mechanisms import load_families

VECTORS = Path(__file__).parents[2] / "vectors"

Sampler = Callable[..., int]
Weights = tuple[tuple[int, ...], ...]

WORDS = 2**32

SAMPLED_WORDS = 200
"""Words between the thresholds to check in a large table."""


class OutOfWordsError(AssertionError):
    """The sampler requested more words than it was given."""


def only(*words):
    """Return a source of exactly these words."""
    rest = iter(words)

    def draw():
        for word in rest:
            return word
        raise OutOfWordsError

    return draw


def read_vectors(name):
    """Return a file of vectors; a family without one fails in test_layout.py alone."""
    path = VECTORS / f"{name}.json"
    if not path.exists():
        return {"tables": [], "refused": []}
    return json.loads(path.read_text(encoding="utf-8"))


def every_example():
    """Yield each family with its example and with each table of its vectors."""
    for name, family in load_families().items():
        examples = [{given.name: given.example for given in family.parameters}]
        examples += [table["parameters"] for table in read_vectors(name)["tables"]]
        for position, parameters in enumerate(examples):
            if parameters not in examples[:position]:
                yield name, parameters


def check_every_word(sampler, weights, word_bits):
    """Run all 2**word_bits words; counts must be exactly proportional to weights."""
    total = sum(weights[0])
    laps, beyond = divmod(2**word_bits, total)
    for answer, row in enumerate(weights):
        counts, drawn_again = [0] * len(row), 0
        for word in range(2**word_bits):
            try:
                report = sampler(weights, answer, only(word), word_bits=word_bits)
            except OutOfWordsError:
                drawn_again += 1
            else:
                counts[report] += 1
        assert counts == [laps * weight for weight in row]
        assert drawn_again == beyond


def check_every_pair(sampler, weights, word_bits):
    """Run all pairs of words for two reports in a row: they must be independent."""
    total = sum(weights[0])
    laps = 2**word_bits // total
    for first, second in product(range(len(weights)), repeat=2):
        counts = {}
        for words in product(range(laps * total), repeat=2):
            draw = only(*words)
            pair = (
                sampler(weights, first, draw, word_bits=word_bits),
                sampler(weights, second, draw, word_bits=word_bits),
            )
            counts[pair] = counts.get(pair, 0) + 1
        assert counts == {
            (one, two): laps**2 * weights[first][one] * weights[second][two]
            for one, two in product(range(len(weights[0])), repeat=2)
            if weights[first][one] and weights[second][two]
        }


def check_steps(sampler, weights):
    """Try 32-bit words on both sides of every step, in the first and last lap."""
    total = sum(weights[0])
    limit = WORDS - WORDS % total
    for answer, row in enumerate(weights):
        tops = list(accumulate(row))
        steps = {top + near for top in (0, *tops) for near in (-1, 0, 1)}
        between = {lap * total // SAMPLED_WORDS for lap in range(SAMPLED_WORDS)}
        looked_at = sorted(u for u in steps | between if 0 <= u < total)
        for start in {0, limit - total}:
            reports = [sampler(weights, answer, only(start + u)) for u in looked_at]
            assert reports == sorted(reports)
            for u, report in zip(looked_at, reports, strict=True):
                assert tops[report] - row[report] <= u < tops[report]


def check_rejection(sampler, weights):
    """Words beyond the last full lap must be drawn again, for every answer."""
    total = sum(weights[0])
    limit = WORDS - WORDS % total
    beyond = {limit, (limit + WORDS) // 2, WORDS - 1}
    refused = sorted(beyond) if limit < WORDS else []
    for answer, again in product(range(len(weights)), range(4)):
        words = [word for word in refused for _ in range(again)]
        draw = CountingDraw(only(*words, limit - 1, 0, 0))
        sampler(weights, answer, draw)
        assert draw.used == len(words) + 1


class CountingDraw:
    """A source that counts the words it returns."""

    def __init__(self, draw):
        self.draw = draw
        self.used = 0

    def __call__(self):
        self.used += 1
        return self.draw()


class Watched(tuple[tuple[int, ...], ...]):
    """A table that records which rows are read and when a word is drawn."""

    log: list[str]

    def __getitem__(self, row):
        self.log.append(f"row {row}")
        return super().__getitem__(row)

    def __iter__(self):
        self.log.append("all rows")
        return super().__iter__()


def check_draw_comes_first(sampler, weights):
    """Reads before the draw must not depend on the answer."""
    befores = set()
    for answer in range(len(weights)):
        watched = Watched(weights)
        watched.log = []

        def draw(log=watched.log):
            log.append("draw")
            return 0

        sampler(watched, answer, draw)
        assert "draw" in watched.log
        befores.add(tuple(watched.log[: watched.log.index("draw")]))
    assert len(befores) == 1


def rescaled(weights, total):
    """Return a table of similar shape whose rows have a small total."""
    rows = []
    for row in weights:
        tops = [round(top * total / sum(row)) for top in accumulate(row)]
        rows.append(tuple(b - a for a, b in zip([0, *tops], tops, strict=False)))
    return tuple(rows)


def check_streams_differ(streams):
    """No run of four words may occur in two streams: by chance, once in 2**100."""
    seen = set()
    for stream in streams:
        runs = {tuple(stream[start : start + 4]) for start in range(len(stream) - 3)}
        assert runs
        assert not runs & seen
        seen |= runs
