"""Mechanisms worked out a second time, for comparison: shares no code with Candor.

Where it can, it counts differently: coins and dice are enumerated, e**x is a series of
fractions with a bound on its rest, the sampler divides instead of comparing to a limit.
"""

import math
from bisect import bisect_right
from collections.abc import Iterator
from fractions import Fraction
from hashlib import sha256
from itertools import accumulate, count, product

WORDS = 2**32

Table = list[list[int]]


def exp_bounds(x: Fraction, *, digits: int = 60) -> tuple[Fraction, Fraction]:
    """Return two fractions that hold e**x between them, for x in [0, 25]."""
    term, total = Fraction(1), Fraction(0)
    for k in count(1):
        total += term
        term *= x / k
        # From here on every term is at most half the one before: the rest <= 2 terms.
        if k > 2 * x and term < Fraction(1, 10**digits):
            return total, total + 2 * term
    raise AssertionError


def epsilon_text(weights: Table) -> str:
    """Return the epsilon of a table, rounded up to two decimals."""
    ratio = worst_ratio(weights)
    if ratio is None:
        return "∞"
    hundredths = round(100 * math.log(ratio)) - 2
    while exp_bounds(Fraction(hundredths, 100))[0] < ratio:
        hundredths += 1
    return f"{hundredths / 100:.2f}"


def worst_ratio(weights: Table) -> Fraction | None:
    """Return the largest P(report | answer) / P(report | other answer)."""
    ratios = []
    for one, other in product(weights, repeat=2):
        for high, low in zip(one, other, strict=True):
            if high and not low:
                return None
            if high:
                ratios.append(Fraction(high, low))
    return max(ratios)


def read_number(given: str | float) -> Fraction:
    """Return the number meant; a long decimal means the short fraction it prints."""
    text = str(given)
    number = Fraction(text)
    if "/" in text or number.denominator <= WORDS:
        return number
    # Two fractions with denominators up to 2**16 lie 2**-32 apart: at most one fits.
    value, (one, many) = float(number), number.as_integer_ratio()
    for denominator in range(1, 2**16 + 1):
        numerator = (2 * one * denominator + many) // (2 * many)  # rounded
        if numerator / denominator == value:
            return Fraction(numerator, denominator)
    return number


def table_of(a: Fraction, b: Fraction) -> Table:
    """Return the table with P(first report | yes) = a and P(first report | no) = b."""
    total = math.lcm(a.denominator, b.denominator)
    if total > WORDS:
        total = WORDS
        down_a, down_b = (x.numerator * total // x.denominator for x in (a, b))
        # Neither is a whole multiple twice over, so rounding up is one more.
        up_a = down_a + (Fraction(down_a, total) != a)
        up_b = down_b + (Fraction(down_b, total) != b)
        first, second = (down_a, up_b) if a > b else (up_a, down_b)
    else:
        first = a.numerator * (total // a.denominator)
        second = b.numerator * (total // b.denominator)
    return [[first, total - first], [second, total - second]]


def coin() -> Table:
    weights = [[0, 0], [0, 0]]
    for answer, first, second in product((0, 1), "HT", "HT"):
        report = answer if first == "H" else "HT".index(second)
        weights[answer][report] += 1
    return weights


def die() -> Table:
    weights = [[0, 0], [0, 0]]
    for answer, side in product((0, 1), range(1, 7)):
        weights[answer][answer if side <= 4 else 1 - answer] += 1
    return [[weight // 2 for weight in row] for row in weights]


def direct() -> Table:
    return direct_choice(Fraction(2))


def direct_choice(choices: Fraction) -> Table:
    places = range(choices.numerator)
    return [[int(answer == report) for report in places] for answer in places]


def warner(p: Fraction) -> Table:
    return table_of(p, 1 - p)


def crosswise(prevalence: Fraction) -> Table:
    return table_of(prevalence, 1 - prevalence)


def forced_yes(forced_yes: Fraction) -> Table:
    return table_of(Fraction(1), forced_yes)


def forced_no(forced_no: Fraction) -> Table:
    return table_of(1 - forced_no, Fraction(0))


def triangular(prevalence: Fraction) -> Table:
    return table_of(Fraction(1), prevalence)


def forced_response(forced_yes: Fraction, forced_no: Fraction) -> Table:
    truth = 1 - forced_yes - forced_no
    return table_of(truth + forced_yes, forced_yes)


def unrelated_question(p_sensitive: Fraction, prevalence: Fraction) -> Table:
    p_harmless = 1 - p_sensitive
    return table_of(p_sensitive + p_harmless * prevalence, p_harmless * prevalence)


def kuk(p_red_given_yes: Fraction, p_red_given_no: Fraction) -> Table:
    return table_of(p_red_given_yes, p_red_given_no)


def custom(p_yes_given_yes: Fraction, p_yes_given_no: Fraction) -> Table:
    return table_of(p_yes_given_yes, p_yes_given_no)


def epsilon(epsilon: Fraction) -> Table:
    return k_ary(epsilon, Fraction(2))


def k_ary(epsilon: Fraction, choices: Fraction) -> Table:
    low, high = exp_bounds(epsilon)
    others = choices.numerator - 1
    scale = 2**20
    while scale * others + scale * high > WORDS:
        scale //= 2
    truth = math.floor(scale * low)
    if truth != math.floor(scale * high):
        raise AssertionError("too few digits of e**epsilon")
    first = [truth] + others * [scale]
    # Each row is the one above, moved on by one place.
    return [first[-turn:] + first[:-turn] for turn in range(len(first))]


def grid(epsilon: Fraction, points: Fraction) -> Table:
    return k_ary(epsilon, points)


def one_bit(epsilon: Fraction, points: Fraction) -> Table:
    low, high = exp_bounds(epsilon)
    last = points.numerator - 1
    scale = 2**20
    while last * scale * (math.floor(low) + 2) > WORDS:
        scale //= 2
    top = math.floor(scale * low)
    if top != math.floor(scale * high):
        raise AssertionError("too few digits of e**epsilon")
    # From the bottom up: each point moves as much from the second report to the first.
    table = [[last * scale, last * top]]
    for _ in range(last):
        first, second = table[-1]
        table.append([first + top - scale, second - top + scale])
    return table


def grid_skip(epsilon: Fraction, points: Fraction) -> Table:
    return k_ary(epsilon, points + 1)


def one_bit_skip(epsilon: Fraction, points: Fraction) -> Table:
    low, high = exp_bounds(epsilon)
    last = points.numerator - 1
    scale = 2**20
    while last * scale * (math.floor(low) + 3) > WORDS:
        scale //= 2
    top = math.floor(scale * low)
    if top != math.floor(scale * high):
        raise AssertionError("too few digits of e**epsilon")
    # Each point is rounded to an end by chance, and the end sent as one of three.
    ends = [[top, scale, scale], [scale, top, scale]]
    rows = [
        [point * up + (last - point) * down for up, down in zip(*ends, strict=True)]
        for point in range(last + 1)
    ]
    return [*rows, [last * scale, last * scale, last * top]]


def sample(weights: Table, answer: int, words: Iterator[int]) -> tuple[int, int]:
    """Return the report and the number of words it took."""
    total = sum(weights[answer])
    for used in count(1):
        lap, u = divmod(next(words), total)
        if lap < WORDS // total:
            return bisect_right(list(accumulate(weights[answer])), u), used
    raise AssertionError


def stream(seed: str) -> Iterator[int]:
    """Give 32-bit words: SHA-256(seed || counter), the counter in four bytes."""
    for counter in count():
        block = sha256(seed.encode() + counter.to_bytes(4, "big")).digest()
        for start in range(0, len(block), 4):
            yield int.from_bytes(block[start : start + 4], "big")


CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


def token(random: str, digest: str) -> str:
    """Return the token of a one-time link with its check characters, in groups."""
    drawn = sha256(f"candor one-time link {digest} {random}".encode()).hexdigest()
    bits = f"{int(drawn, 16):0256b}"
    check = [CROCKFORD[int(bits[start : start + 5], 2)] for start in (0, 5, 10)]
    quartets = zip(*[iter(random + "".join(check).lower())] * 4, strict=True)
    return "-".join(map("".join, quartets))


def random_characters(words: Iterator[int]) -> str:
    """Return 25 characters of a token."""
    return "".join(CROCKFORD[next(words) % 32] for _ in range(25)).lower()


def linked_pair(epsilon: Fraction, choices: Fraction) -> Table:
    return k_ary(epsilon, choices)
