"""Recompute published figures of papers and other programs."""

import json
from pathlib import Path

import numpy as np

from candor import fit_logistic
from candor.homogeneity import exact_test
from candor.joint import JointSample
from candor.mechanisms import build
from candor.sample import Sample
from candor.weighting import weigh

PUBLISHED = Path(__file__).resolve().parents[2] / "tests" / "published"

RAKED = {
    ("f", "y"): (60, 30),
    ("m", "y"): (90, 40),
    ("f", "o"): (40, 14),
    ("m", "o"): (210, 70),
}
"""Respondents and yes reports of each cell."""

MARGINS = [{"f": 0.52, "m": 0.48}, {"y": 0.3, "o": 0.7}]

Row = tuple[str, ...]


def studies() -> list[Row]:
    """Return a row for each figure: name, source, published and computed value."""
    rows = []
    for path in sorted(PUBLISHED.glob("*.json")):
        study = json.loads(path.read_text("utf-8"))
        sample = Sample.of(
            build(study["family"], **study["parameters"]), study["tally"]
        )
        what, source = study["label"], study["citation"]
        digits = study["decimals"]
        rows += [
            compare(f"{what}: share", source, study["raw"], sample.raw("yes"), digits),
            compare(
                "standard error",
                source,
                study["standard_error"],
                sample.standard_errors["yes"],
                digits,
            ),
        ]
    return [*rows, *regression(), *raking(), *joint(), *tea()]


def compare(what: str, source: str, theirs: float, ours: float, digits: int) -> Row:
    """Return a row, or exit if the values differ in the last digit."""
    if abs(theirs - ours) > 0.5000001 * 10**-digits:
        raise SystemExit(f"{what}: {source} has {theirs}, Candor has {ours}")
    return what, source, f"{theirs:.{digits}f}", f"{ours:.{digits + 1}f}"


def regression() -> list[Row]:
    i = np.arange(400)
    x = (37 * i % 101) / 50 - 1
    u = (61 * i % 397 + 0.5) / 397
    yes = u < 0.25 + 0.5 / (1 + np.exp(0.5 - 1.2 * x))
    fit = fit_logistic(
        np.column_stack([np.ones(400), x]),
        np.column_stack([yes, ~yes]).astype(float),
        names=["constant", "slope"],
        p_yes_given_yes=3 / 4,
        p_yes_given_no=1 / 4,
    )
    error = float(np.sqrt(fit.expected_covariance[1, 1]))
    source = "R, `glm` with the mechanism as link"
    return [
        compare(
            "Regression of 400 made rows, two coins: slope",
            source,
            1.190479,
            float(fit.estimates[1]),
            6,
        ),
        compare("standard error", source, 0.425513, error, 6),
        compare("log likelihood", source, -270.24239, fit.log_likelihood, 5),
    ]


def raking() -> list[Row]:
    counts = {
        (*cell, report): count
        for cell, (n, yes) in RAKED.items()
        for report, count in (("yes", yes), ("no", n - yes))
    }
    found = weigh(build("coin"), counts, MARGINS)
    source = "R, `survey` 4.1.1, `rake`"
    share, error = found.raw("yes"), found.standard_errors["yes"]
    return [
        compare(
            "Raking to two margins, 400 respondents: share",
            source,
            0.2676186510,
            share,
            8,
        ),
        compare("standard error", source, 0.0601958380, error, 8),
    ]


def joint() -> list[Row]:
    coin = build("coin")
    pairs = [(one, other) for one in coin.reports for other in coin.reports]
    counts = dict(zip(pairs, (310, 190, 170, 130), strict=True))
    found = JointSample.of(coin, coin, counts)
    source = "van den Hout & van der Heijden 2002, formulas"
    error = float(found.standard_errors[0, 0]) * np.sqrt(799 / 800)
    return [
        compare(
            "Two questions, two coins each: joint share",
            source,
            0.575,
            float(found.raw[0, 0]),
            3,
        ),
        compare("standard error", source, 0.04866, error, 5),
    ]


def tea() -> list[Row]:
    found = exact_test([[3, 1], [1, 3]])
    return [compare("The lady tasting tea: P", "Fisher 1935", 0.4857, found, 4)]
