"""What plans promise and results keep: sizes, powers and coverages, counted out.

    python -m benchmarks.planned

Every figure is a sum over all counts; but the power between two means of points is
that of seeded surveys.
"""

import sys
from itertools import product
from time import perf_counter

import numpy as np
from scipy.optimize import brentq
from scipy.stats import binom

from benchmarks.means import reach, sent
from candor.binary import FloatArray
from candor.census import census_interval, chances_of_counts
from candor.dichotomies import make_channel
from candor.intervals import share_interval
from candor.mechanisms import Mechanism, build
from candor.planning.groups import compare, group_sizes
from candor.planning.power import ONE_SIDED, Claim, sample_size

TABLES = {
    "coin": build("coin"),
    "epsilon 2": build("epsilon", epsilon=2),
    "direct": build("direct"),
}
BOUNDS = ((0, 0.05), (0.1, 0.2), (0.2, 0.3), (0.5, 0.6), (0.9, 0.97))
METHODS = (ONE_SIDED, "feldman-cousins", "pratt")
CLASSES = (10, 30, 60)
LEVEL = 0.95
SURVEYS, SEED = 10_000, 16
SHAPES = {"peaked": 12.0, "flat": 0.0, "at both ends": -12.0}
"""Of answers around the middle: ln of how much rarer the ends are."""


def say(line: str) -> None:
    """Print a line."""
    sys.stdout.write(f"{line}\n")


def chance_of_interval_above(
    mechanism: Mechanism, *, respondents: int, share: float, against: float
) -> float:
    """Return how often the interval itself, looked at count by count, lies above."""
    law = make_channel(mechanism)
    design, chance = law.design(respondents), law.report_chance(share)
    count = int(respondents * law.report_chance(against))
    while count < respondents and share_interval(count + 1, design).low <= against:
        count += 1
    return float(binom.sf(count, respondents, chance))


def tests() -> bool:
    """Show what the planned number of people brings on the page of results."""
    kept = True
    say("to show a share above a bound, power .8: people, how often the 95 % interval")
    say("of Feldman-Cousins lies above it with so many, and the size of the test")
    for name, mechanism in TABLES.items():
        for against, share in BOUNDS:
            for method in METHODS:
                claim = Claim.of(mechanism, share=share, against=against, method=method)
                size = sample_size(
                    mechanism, share=share, against=against, method=method
                )
                if size.safe is None:
                    continue
                shown = chance_of_interval_above(
                    mechanism, respondents=size.safe, share=share, against=against
                )
                test = claim.test(size.safe)
                kept &= test.size <= test.alpha
                if method == "feldman-cousins":
                    kept &= shown >= size.power
                say(
                    f"{name:10} {against:4} {share:5} {method:16} {size.safe:6} "
                    f"{shown:.3f} {test.size:.4f}"
                )
    return kept


def groups() -> None:
    """Show sizes of two groups, the power there, and the time of ten thousand."""
    say("two groups, Fisher's exact test at 5 %: people in each, and the power")
    for name, mechanism in TABLES.items():
        for share, other in ((0.1, 0.2), (0.2, 0.4), (0.5, 0.6)):
            shares = {"share": share, "other_share": other}
            n = group_sizes(mechanism, **shares).respondents
            if n is not None:
                power = compare(mechanism, **shares).power(n, n)
                say(f"{name:10} {share:4} {other:4} {n:6} {power:.4f}")
    began = perf_counter()
    compare(TABLES["coin"], share=0.2, other_share=0.16).power(10_000, 10_000)
    say(f"10,000 in each: {perf_counter() - began:.3f} s")


def around(mean: float, *, shape: float, points: int) -> FloatArray:
    """Return shares of the points of a scale from 0 to 1 with this mean."""
    place = np.linspace(-0.5, 0.5, points)

    def tilted(by: float) -> FloatArray:
        logs = by * place - shape * place**2
        shares = np.exp(logs - logs.max())
        return np.asarray(shares / shares.sum(), dtype=np.float64)

    by = brentq(lambda by: float(tilted(by) @ place) + 0.5 - mean, -500, 500)
    return tilted(by)


def means() -> None:
    """Show how often seeded surveys of the planned size show a difference of means."""
    say(f"two means of points, Welch's t at 5 %, power .8: of {SURVEYS} surveys each,")
    say("least and largest part that shows it, fewest and most in the first group")
    found: dict[str, list[tuple[float, int]]] = {}
    kinds = product((1, 2, 4, 8), (5, 11), SHAPES.values(), (0.05, 0.1, 0.2), (1, 4))
    for epsilon, points, shape, apart, ratio in kinds:
        last, value = points - 1, np.arange(points)
        both = [
            around(0.5 + side * apart / 2, shape=shape, points=points)
            for side in (1, -1)
        ]
        sd = float(np.sqrt(both[0] @ value**2 - (both[0] @ value) ** 2))
        mechanism = build("grid", epsilon=epsilon, points=points)
        size = group_sizes(mechanism, difference=apart * last, sd=sd, ratio=ratio)
        sizes = size.respondents or 0, size.others or 0
        here, there = (
            sent(SEED + place, mechanism, n, shares, SURVEYS)
            for place, (n, shares) in enumerate(zip(sizes, both, strict=True))
        )
        difference = np.clip(here.raw, 0, last) - np.clip(there.raw, 0, last)
        shown = difference >= reach(sizes, (here.padded, there.padded))
        people = "200 and more" if sizes[0] >= 200 else "fewer than 200"
        found.setdefault(people, []).append((float(shown.mean()), sizes[0]))
    for name, plans in sorted(found.items()):
        parts, people = zip(*plans, strict=True)
        say(
            f"{name:15} {len(plans):4} {min(parts):.3f} {max(parts):.3f} "
            f"{min(people):6} {max(people):6}"
        )


def census() -> bool:
    """Show coverage and width of intervals for all of a group."""
    kept = True
    say("all of a group: smallest coverage, mean width, mean width of a sample's")
    for name, mechanism in TABLES.items():
        law = make_channel(mechanism)
        for n in CLASSES:
            found = [
                census_interval(
                    mechanism, dict(zip(mechanism.reports, (x, n - x), strict=True))
                )
                for x in range(n + 1)
            ]
            low = np.array([each.low for each in found])
            high = np.array([each.high for each in found])
            chances, people = chances_of_counts(n, law), np.arange(n + 1)[:, None]
            covers = (low <= people) & (people <= high)
            least = (chances * covers).sum(axis=1).min()
            sample = [share_interval(x, law.design(n)) for x in range(n + 1)]
            widths = np.array([each.high - each.low for each in sample])
            kept &= bool(least >= LEVEL)
            width = (chances @ (high - low)).mean() / n
            of_sample = (chances @ widths).mean()
            say(f"{name:10} {n:4} {least:.4f} {width:.3f} {of_sample:.3f}")
    return kept


def main() -> None:
    """Print the tables; the exit code is 1 where a promise is not kept."""
    kept = tests()
    groups()
    means()
    sys.exit(not (census() and kept))


if __name__ == "__main__":
    main()
