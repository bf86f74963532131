"""Tables of the validation page; each function returns its rows."""

from collections.abc import Sequence
from decimal import Decimal
from itertools import accumulate

import numpy as np

from benchmarks.validation.coverage import Coverage
from benchmarks.validation.exact import ON_PAGES, TEXTBOOK, one_share
from candor.mechanisms import Mechanism, build, load_families
from candor.mechanisms.randomness import randomise

ENUMERATED = 1000
"""Tables with a total up to this are tried at every number, larger ones at both sides
of each step."""

MAX_ERROR = 1e-12
"""Largest accepted error of a stated epsilon."""

Row = tuple[str, ...]


def count_reports(mechanism: Mechanism, answer: int) -> list[int]:
    """Return how many of the `total` equally likely numbers give each report.

    The report is a step function of the number, so testing its steps is sufficient. The
    sampler runs at these numbers, and any other step ends the program.
    """
    total, row = mechanism.total, mechanism.weights[answer]
    tops = list(accumulate(row))[:-1]
    steps = {0, total - 1, *(top - side for top in tops for side in (0, 1))}
    numbers = range(total) if total <= ENUMERATED else sorted(steps)
    sent = [
        randomise(mechanism.weights, answer, lambda number=number: number)
        for number in numbers
    ]
    counts = [0] * len(row)
    ends = [*list(numbers)[1:], total]
    for number, end, report, after in zip(
        numbers, ends, sent, [*sent[1:], sent[-1]], strict=True
    ):
        if end - number > 1 and report != after:
            raise SystemExit(f"{mechanism}: a step between {number} and {end}")
        counts[report] += end - number
    return counts


def compute_epsilon(mechanism: Mechanism) -> Decimal | None:
    """Return the largest log ratio of two weights in a column, to 28 digits."""
    columns = list(zip(*mechanism.weights, strict=True))
    if any(min(column) == 0 < max(column) for column in columns):
        return None
    ratios = [Decimal(max(each)) / min(each) for each in columns if max(each)]
    return max(ratios).ln()


def check_families() -> None:
    """Exit if a family's reports or epsilon differ from its table.

    The parameters are those of the family's example.
    """
    for name, family in sorted(load_families().items()):
        mechanism = build(
            name, **{each.name: each.example for each in family.parameters}
        )
        found = tuple(
            tuple(count_reports(mechanism, answer))
            for answer in range(len(mechanism.answers))
        )
        if found != mechanism.weights:
            raise SystemExit(f"{name}: reports are not as frequent as the table says")
        exact = compute_epsilon(mechanism)
        if exact is not None and abs(float(exact) - mechanism.epsilon) > MAX_ERROR:
            raise SystemExit(
                f"{name}: epsilon is {exact}, and {mechanism.epsilon} is stated"
            )


def methods(sizes: Sequence[int] = (10, 30, 100, 300)) -> list[Row]:
    """Return smallest and mean coverage of each kind of interval for a share."""
    rows = []
    for method in (*ON_PAGES, *TEXTBOOK):
        cells = []
        for n in sizes:
            found = one_share(method, n).found
            lowest, mean = min(found), float(np.mean(found))
            cells.append(f"{format_proportion(lowest)}, {format_proportion(mean)}")
        rows.append((NAMES[method], *cells))
    return rows


NAMES = {
    "feldman-cousins": "Feldman-Cousins (default)",
    "pratt": "Pratt",
    "bayes": "Bayesian, uniform prior",
    "clopper-pearson": "Clopper-Pearson, carried over",
    "wilson": "Wilson, carried over",
    "wald": "Wald, carried over",
}


def format_proportion(value: float, digits: int = 3) -> str:
    """Format a proportion, rounded down so that no coverage is overstated."""
    scale = 10**digits
    text = f"{np.floor(value * scale + 1e-9) / scale:.{digits}f}"
    return text.removeprefix("0")


def intervals(found: Sequence[Coverage]) -> list[Row]:
    """Return a row for each kind of interval."""
    rows = []
    for each in found:
        promised = "" if each.promised is None else f"{each.promised:.2f}"[1:]
        how = "exact"
        if each.surveys:
            how = f"{each.surveys:,} surveys"
        rows.append(
            (
                each.interval,
                promised,
                format_proportion(min(each.found)),
                format_proportion(float(np.mean(each.found))),
                how,
            )
        )
    return rows
