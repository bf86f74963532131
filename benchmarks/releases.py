"""How often the interval of a share from released counts holds the share.

`python -m benchmarks.releases` prints the table of releases.md: every outcome of
the reports and of the noise is added up, so nothing is simulated.
"""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from scipy.stats import binom

from candor.dichotomies import dichotomy_of_answer
from candor.mechanisms import Mechanism, build
from candor.releases.noise import DiscreteLaplace
from candor.releases.shares import share_interval_released

TAIL = 1e-5
"""Noise beyond is counted as a miss."""

SHARES = (0.0, 0.02, 0.1, 0.3, 0.5, 0.8, 1.0)


def coverage(
    mechanism: Mechanism,
    *,
    respondents: int,
    epsilon: str,
    shares: Sequence[float],
    confidence_level: float = 0.95,
) -> list[float]:
    """Return the coverage at each share of yes, noise of epsilon on both counts."""
    noise, dichotomy = (
        DiscreteLaplace(Fraction(epsilon)),
        dichotomy_of_answer(mechanism, 0),
    )
    reach = noise.reach(TAIL)
    laws = [
        binom.pmf(
            np.arange(respondents + 1),
            respondents,
            dichotomy.channel.report_chance(share),
        )
        for share in shares
    ]
    covered = np.zeros(len(shares))
    yes = np.arange(-reach, respondents + reach + 1)
    # P(released yes, yes sent) and P(released no | yes sent)
    first = noise.probability(yes[:, None] - np.arange(respondents + 1))
    for place, released in enumerate(yes.tolist()):
        for other in yes.tolist():
            second = noise.probability(other - np.arange(respondents, -1, -1))
            chances = first[place] * second
            if chances.max() < TAIL / len(yes) ** 2 / 100:
                continue
            low, high = share_interval_released(
                [released, other], dichotomy, noise, confidence_level=confidence_level
            )
            for each, (share, law) in enumerate(zip(shares, laws, strict=True)):
                if low <= share <= high:
                    covered[each] += float(law @ chances)
    return covered.tolist()


def main() -> None:
    """Print a row for each table, number of respondents and epsilon."""
    print("| table | n | epsilon of a count | smallest | mean |")  # noqa: T201
    print("|---|---|---|---|---|")  # noqa: T201
    for name in ("direct", "coin"):
        for respondents, epsilon in ((10, "2"), (30, "1"), (30, "1/2"), (100, "1")):
            found = coverage(
                build(name), respondents=respondents, epsilon=epsilon, shares=SHARES
            )
            mean = sum(found) / len(found)
            cells = name, respondents, epsilon, f"{min(found):.3f}", f"{mean:.3f}"
            print("|", " | ".join(map(str, cells)), "|")  # noqa: T201


if __name__ == "__main__":
    main()
