"""The only source of randomness is exact and unpredictable."""

import ast
import itertools
import os
import random  # noqa: TID251 - the control that must be caught
from pathlib import Path

import pytest

from candor.mechanisms import randomness
from candor.mechanisms.randomness import shuffle, uniform_below, word
from tests.candor.mechanisms.checks import OutOfWordsError, check_streams_differ, only

PROJECT = Path(__file__).parents[3]
PACKAGES = ["surveys", "respondents", "estimation", "config"]

WORDS_PER_WORKER = 200

# Modules whose numbers are predictable or bypass `randomness`.
BANNED = {"random", "numpy.random", "scipy.stats.sampling", "uuid.uuid1"}
BANNED_CALLS = {"rvs", "default_rng", "RandomState", "random_state"}


def test_a_word_is_four_bytes_of_the_system_read_big_endian(monkeypatch):
    asked = []

    def token_bytes(size):
        asked.append(size)
        return b"\x01\x02\x03\x04"

    monkeypatch.setattr(os, "urandom", token_bytes)
    assert word() == 0x01020304
    assert asked == [4]


@pytest.mark.parametrize("word_bits", range(1, 9))
def test_every_number_below_n_comes_from_equally_many_words(word_bits):
    words = 2**word_bits
    for n in range(1, words + 1):
        counts, drawn_again = [0] * n, 0
        for forced in range(words):
            try:
                counts[uniform_below(n, only(forced), word_bits=word_bits)] += 1
            except OutOfWordsError:
                drawn_again += 1
        assert counts == [words // n] * n
        assert drawn_again == words % n


def test_every_order_comes_from_equally_many_words():
    # With four items, numbers below 4, 3 and 2 are drawn, each in two ways: 8 times 24
    # draws and 24 orders.
    orders = []
    for words in itertools.product(range(8), range(6), range(4)):
        items = ["a", "b", "c", "d"]
        shuffle(items, only(*words))
        orders.append(tuple(items))
    assert sorted(orders) == sorted([*itertools.permutations("abcd")] * 8)


def test_the_largest_n_takes_every_word_as_it_is():
    for forced in (0, 1, 2**31, 2**32 - 1):
        assert uniform_below(2**32, only(forced)) == forced
        assert uniform_below(1, only(forced)) == 0


@pytest.mark.parametrize("n", [0, -1, 257])
def test_a_range_larger_than_a_word_is_rejected(n):
    with pytest.raises(ValueError, match=rf"n must be in \[1, 2\*\*8\]; got {n}"):
        uniform_below(n, only(0), word_bits=8)


def draw_in_workers(draw, workers=2):
    """Return the words of this process and of workers forked from it."""
    draw()  # a source with its own state would be seeded here
    streams = []
    for _ in range(workers):
        reading, writing = os.pipe()
        if (child := os.fork()) == 0:
            words = [draw() for _ in range(WORDS_PER_WORKER)]
            os.write(writing, b"".join(w.to_bytes(4, "big") for w in words))
            os._exit(0)  # skip the cleanup of the tests
        os.close(writing)
        with os.fdopen(reading, "rb") as pipe:
            sent = pipe.read()
        os.waitpid(child, 0)
        streams.append(
            [int.from_bytes(sent[i : i + 4], "big") for i in range(0, len(sent), 4)]
        )
    return [*streams, [draw() for _ in range(WORDS_PER_WORKER)]]


# Newer Pythons warn of forks with threads; these children only draw and exit.
forks = pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")


@pytest.mark.parametrize("answer", [-1, 2])
def test_an_answer_outside_the_table_is_rejected(answer):
    with pytest.raises(ValueError, match=rf"answer must be in \[0, 2\); got {answer}"):
        randomness.randomise([[3, 1], [1, 3]], answer)


@forks
def test_forked_workers_never_draw_the_same_stream():
    streams = draw_in_workers(word)
    assert [len(stream) for stream in streams] == [WORDS_PER_WORKER] * 3
    check_streams_differ(streams)


@forks
def test_a_source_that_workers_inherit_is_caught():
    inherited = random.Random(1)  # noqa: S311 - the control
    streams = draw_in_workers(lambda: inherited.getrandbits(32))
    with pytest.raises(AssertionError):
        check_streams_differ(streams)


def find_predictable_sources(source):
    """Return the names in a Python file that bypass `randomness`."""
    found = []
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Import(names=names):
                used = [alias.name for alias in names]
            case ast.ImportFrom(module=module, names=names):
                used = [module or "", *(f"{module}.{alias.name}" for alias in names)]
            case ast.Attribute():
                used = [ast.unparse(node).replace("np.", "numpy.", 1)]
                found += [node.attr] if node.attr in BANNED_CALLS else []
            case ast.keyword(arg=str(name)) if name in BANNED_CALLS:
                used = []
                found.append(name)
            case ast.Call(func=ast.Name(id="__import__")):
                used = ["random"]
            case _:
                continue
        found += [name for name in used if name in BANNED or is_within(name)]
    return found


def is_within(name):
    return any(name.startswith(f"{banned}.") for banned in BANNED)


@pytest.mark.parametrize(
    "source",
    [
        "import random as secure",
        "from random import SystemRandom",
        "import numpy as np\nnp.random.default_rng()",
        "from numpy.random import default_rng",
        "def f():\n    import random",
        "binom.rvs(10, 0.5, random_state=1)",
        "from uuid import uuid1",
        "__import__('random')",
    ],
)
def test_the_scan_finds_other_sources(source):
    assert find_predictable_sources(source)


@pytest.mark.parametrize("package", PACKAGES)
def test_no_package_uses_another_random_source(package):
    files = sorted((PROJECT / package).rglob("*.py"))
    assert files
    used = {
        str(path.relative_to(PROJECT)): find_predictable_sources(
            path.read_text("utf-8")
        )
        for path in files
    }
    assert {path: names for path, names in used.items() if names} == {}


def test_the_random_source_imports_only_os():
    tree = ast.parse(Path(randomness.__file__).read_text("utf-8"))
    imports = {
        alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.Import)
        for alias in node.names
    }
    assert imports == {"os"}
