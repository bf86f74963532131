"""Figures of docs/background/comparison.md: randomised and direct answers compared.

    python -m benchmarks.comparison

All figures follow from formulas: nothing is simulated, and it takes a second.
"""

from collections.abc import Iterator

from scipy.optimize import brentq

import candor
from candor.mechanisms import Mechanism, build
from candor.planning.assumptions import assume

DIRECT = build("direct")
STRENGTHS = {
    "Light": build("epsilon", epsilon=2),
    "Coin flip": build("coin"),
    "Strong": build("epsilon", epsilon="0.5"),
}
SHARE, RESPONDENTS, MARGIN = 0.2, 1000, 0.05
SITUATIONS = [(share, n) for share in (0.05, 0.2) for n in (200, 1000, 5000)]


def mean_squared_error(
    mechanism: Mechanism, *, share: float, respondents: int, denied: float = 0
) -> float:
    """Return the mean squared error of the unbiased estimate of a share.

    `denied` is the proportion, in [0, 1], of respondents with the sensitive answer who
    give the other one.
    """
    admitted = share * (1 - denied)
    variance = assume(mechanism, share=admitted).variance / respondents
    return (share - admitted) ** 2 + variance


def break_even(
    mechanism: Mechanism, *, share: float, respondents: int, still_denied: float = 0
) -> float | None:
    """Return the proportion of denials at which a direct question has the same error.

    `still_denied` is the proportion of them, in [0, 1), who also deny the randomised
    question. None if the direct question has the smaller error for all proportions.
    """

    def excess(denied: float) -> float:
        direct, randomised = (
            mean_squared_error(
                each, share=share, respondents=respondents, denied=part * denied
            )
            for each, part in ((DIRECT, 1), (mechanism, still_denied))
        )
        return direct - randomised

    # A parabola in `denied`, negative at 0, with at most one root in (0, 1].
    return float(brentq(excess, 0, 1)) if excess(1) > 0 else None


def precision_rows() -> Iterator[str]:
    for name, mechanism in {"Direct question": DIRECT, **STRENGTHS}.items():
        planned = candor.plan(
            mechanism, share=SHARE, respondents=RESPONDENTS, margin=MARGIN
        )
        epsilon = f"{mechanism.epsilon:.2f}".replace("inf", "none")
        margin, people = planned.precision.margin, planned.size.respondents
        yield f"| {name} | {epsilon} | ± {100 * margin:.1f} points | {people:,} |"


def break_even_rows() -> Iterator[str]:
    for share, respondents in SITUATIONS:
        found = [
            break_even(each, share=share, respondents=respondents)
            for each in STRENGTHS.values()
        ]
        found.append(
            break_even(
                STRENGTHS["Coin flip"],
                share=share,
                respondents=respondents,
                still_denied=1 / 2,
            )
        )
        cells = ["never" if each is None else f"{each:.0%}" for each in found]
        shown = " | ".join(cell.replace("%", " %") for cell in cells)
        yield f"| {share:.0%} of {respondents:,} | {shown} |".replace("% of", " % of")


TABLES = {
    "Share of 20 %, 1,000 respondents; people for ± 5 points": precision_rows,
    "Part that must deny a direct question": break_even_rows,
}


def main() -> None:
    for title, rows in TABLES.items():
        print(title)  # noqa: T201
        print(*rows(), sep="\n", end="\n\n")  # noqa: T201


if __name__ == "__main__":
    main()
