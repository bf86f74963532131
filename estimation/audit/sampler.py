"""Audit the script that randomises."""

import json
import math
import re
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from candor.mechanisms.epsilon import compute_epsilon, epsilon_rounded_up, worst_ratio
from candor.mechanisms.randomness import WORD_BITS
from candor.mechanisms.sampling import Word, randomise_many, words
from candor.mechanisms.table import Weights
from candor.sampler_audit import FALSE_ALARM, least_epsilon, row_fit
from estimation.audit import engine
from estimation.audit.engine import Engine, ScriptError, TooSlowError, translate_errors
from estimation.audit.fetch import Fetched
from estimation.audit.page import ServedPage
from estimation.audit.release import compute_sha256, fingerprint, strip_fingerprint
from estimation.audit.report import Check, checked, unchecked
from surveys.design import Design

SPARE = 12
"""Standard deviations above the mean number of words; no correct sampler needs more."""

AS_MANY_AGAIN = 2
"""Provided words as a multiple of those needed, so that a script that draws too many
still returns reports to check."""

ONLY_SOURCE = "Uint32Array"


@dataclass(frozen=True)
class Drawn:
    """Reports of one table.

    Attributes
    ----------
    counts : list of lists of int
        Shape (answers, reports).
    differing : int
        Number of draws whose report differs from that of this release with the same
        words.
    words : int
        Number of words that the script used; `words_due` is that of this release.
    """

    weights: Weights
    counts: list[list[int]]
    differing: int
    words: int
    words_due: int


@dataclass(frozen=True)
class Run:
    drawn: list[Drawn]
    sources: dict[str, int]
    """Number of random fills by kind of array, such as "Uint32Array(1)"."""
    touched: list[str]
    """Other objects that the script accessed, which no sampler needs."""


def run_sampler(
    script: str, tables: Sequence[Weights], *, draws: int, seconds: float
) -> Run:
    """Return the reports of the script `randomise.js`, `draws` for each answer.

    Raises
    ------
    ScriptError
        If it cannot be read, exports no `randomise`, returns invalid reports, or uses
        too much memory or too many words.
    TooSlowError
        If it takes more than `seconds`.
    """
    deadline = time.monotonic() + seconds
    sampler = Engine(script, {"randomise": "auditedSampler"}, seconds=seconds)
    drawn = [draw_table(sampler, table, draws, deadline) for table in tables]
    return Run(drawn, *sampler.trace())


def draw_table(sampler: Engine, weights: Weights, draws: int, deadline: float) -> Drawn:
    counts, differing, used, due = [], 0, 0, 0
    for answer, row in enumerate(weights):
        if (left := deadline - time.monotonic()) <= 0:
            raise TooSlowError
        drawn = words(count_words_needed(draws, sum(row)))
        function = f"() => auditedSampler({json.dumps(weights)}, {answer})"
        done = sampler.call(draws, function, words=drawn.tolist(), seconds=left)
        with translate_errors():
            reports = [int(report) for report in done["results"]]
            if len(reports) != draws or not set(reports) <= set(range(len(row))):
                raise ValueError("it gives what is no report of the table")
        given_again = InOrder(drawn)
        ours = randomise_many(weights, np.full(draws, answer), given_again.take)
        counts.append(np.bincount(reports, minlength=len(row)).tolist())
        differing += int(np.count_nonzero(ours != np.array(reports)))
        used += done["used"]
        due += given_again.taken
    return Drawn(weights, counts, differing, used, due)


@dataclass
class InOrder:
    """The same words for this release, in order, each used once."""

    words: npt.NDArray[Word]
    taken: int = 0

    def take(self, count: int) -> npt.NDArray[Word]:
        start, self.taken = self.taken, self.taken + count
        return self.words[start : self.taken]


def count_words_needed(draws: int, total: int) -> int:
    every = 2**WORD_BITS
    taken = (every - every % total) / every  # at least half of all words
    spread = (draws * (1 - taken)) ** 0.5 / taken
    return AS_MANY_AGAIN * (int(draws / taken + SPARE * spread) + SPARE**2)


PREDICTABLE = re.compile(
    r"\bMath\b[\s\S]{0,40}?\brandom\b|\brandom\b[^;]{0,40}=\s*Math"
)

# Not \s, which matches line ends and takes quadratic time in a file of empty lines.
COMMENT = re.compile(r"^[^\S\n]*//.*$", re.MULTILINE)


def check_sampler(
    served: ServedPage,
    files: Mapping[str, Fetched],
    design: Design | None,
    *,
    draws: int,
    seconds: float,
) -> Iterator[Check]:
    sampler = "sampler", "What is drawn follows the tables, answer by answer"
    source = "source", "Chance comes from the browser's cryptographic source alone"
    why = ""
    if not served.sampler:
        why = "answers are not scrambled by a script: no one can look from outside"
    elif served.sampler not in files:
        why = "there is no script"
    elif not engine.is_available():
        why = f"there is no engine to run the script: {engine.INSTALL_ENGINE}"
    elif design is None:
        why = "there are no tables to draw by"
    if why or design is None:
        yield unchecked(*sampler, why)
        yield unchecked(*source, why)
        return
    tables = list(dict.fromkeys(each.mechanism.weights for each in design.questions))
    try:
        run = run_sampler(
            files[served.sampler].text, tables, draws=draws, seconds=seconds
        )
    except ScriptError as error:
        yield checked(*sampler, [str(error)])
        yield unchecked(*source, "the script did not run")
        return
    except TooSlowError:
        why = f"{draws:,} draws for each answer took more than {seconds:g} seconds"
        yield unchecked(*sampler, why)
        yield unchecked(*source, why)
        return
    yield checked(
        *sampler,
        find_draw_faults(run),
        draws=draws,
        alpha=FALSE_ALARM,
        tables=summarise_draws(run),
        differing=sum(each.differing for each in run.drawn),
    )
    scripts = {name: files[name].text for name in served.scripts if name in files}
    yield checked(*source, find_source_faults(run, scripts), asked=run.sources)


def summarise_draws(run: Run) -> list[dict[str, Any]]:
    found = []
    for drawn in run.drawn:
        epsilon = compute_epsilon(ratio := worst_ratio(drawn.weights))
        rows = zip(drawn.weights, drawn.counts, strict=True)
        found.append(
            {
                "weights": drawn.weights,
                "counts": drawn.counts,
                "epsilon": epsilon if math.isfinite(epsilon) else None,
                "epsilon_rounded_up": epsilon_rounded_up(ratio),
                "least_epsilon": least_epsilon(
                    drawn.counts, alpha=FALSE_ALARM / len(run.drawn)
                ),
                "chi_square_p_values": [row_fit(*row) for row in rows],
            }
        )
    return found


def find_draw_faults(run: Run) -> Iterator[str]:
    rows = sum(len(each.weights) for each in run.drawn)
    numbered = enumerate(zip(run.drawn, summarise_draws(run), strict=True), start=1)
    for number, (drawn, found) in numbered:
        stated, least = found["epsilon"], found["least_epsilon"]
        if stated is not None and least > stated:
            yield f"table {number}: epsilon is {least:.3f} or more, not {stated:.3f}"
        for answer, p_value in enumerate(found["chi_square_p_values"], start=1):
            if p_value < FALSE_ALARM / rows:
                yield (
                    f"table {number}, answer {answer}: reports do not follow the row "
                    f"(chi-square, p = {p_value:.1e})"
                )
        if drawn.differing:
            yield (
                f"table {number}: {drawn.differing:,} reports are not what the same "
                "chance gives in this release"
            )
        if drawn.words != drawn.words_due:
            yield (
                f"table {number}: {drawn.words:,} numbers were drawn where "
                f"{drawn.words_due:,} are due"
            )


def find_source_faults(run: Run, scripts: Mapping[str, str]) -> Iterator[str]:
    for kind in run.sources:
        if kind != f"{ONLY_SOURCE}(1)":
            yield f"the sampler asked for chance in {kind}"
    for name in run.touched:
        yield f"the sampler asked for {name}"
    for name, script in scripts.items():
        if PREDICTABLE.search(COMMENT.sub("", script)) and compute_sha256(
            name
        ) != fingerprint(name, script.encode()):
            yield f"{strip_fingerprint(name) or name} names Math.random"
