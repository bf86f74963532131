"""The script that scrambles, run as it was served.

In QuickJS, an engine without a network, files, a page or a clock: a script that means
harm finds nothing there to do harm with, and may use so much time and memory. Chance is
handed in: words of the operating system's source, 32 bits each, by the one function
that the script may ask. So the same words can be given to this release's own sampler,
and then not only the shares of the reports must be right but every single one.
"""

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
from estimation.audit.fetch import Fetched
from estimation.audit.page import ServedPage
from estimation.audit.release import fingerprint, sha256_of, strip_fingerprint
from estimation.audit.report import Check, checked, unchecked
from surveys.design import Design

try:
    import quickjs
except ImportError:  # a server has no use for it
    quickjs = None

INSTALL_ENGINE = (
    ".venv/bin/pip install --require-hashes --requirement requirements-audit.txt"
)

MEMORY = 256_000_000
"""Bytes that the engine may take: 100,000 draws take some 20 million."""

SPARE = 12
"""Standard deviations: no sampler that draws as it should needs more words, ever."""

AS_MANY_AGAIN = 2
"""So many times what is needed is there, lest a script that draws too much stops before
its reports can be looked at."""

ONLY_SOURCE = "Uint32Array"
"""What the sampler has filled with chance."""

# Everything that a browser has besides and that a sampler has no business with. Who
# asks whether it is there may want to know whether somebody looks.
NOT_FOR_A_SAMPLER = (
    "Date", "performance", "document", "window", "self", "location", "navigator",
    "history", "localStorage", "sessionStorage", "indexedDB", "caches", "fetch",
    "XMLHttpRequest", "WebSocket", "EventSource", "Worker", "SharedWorker", "Image",
    "setTimeout", "setInterval", "queueMicrotask", "postMessage", "process", "require",
)  # fmt: skip

HOST = """
((names) => {
  const kinds = {}, asked = new Set(), stringify = JSON.stringify;
  let words = [], at = 0;
  globalThis.crypto = Object.freeze({
    getRandomValues(array) {
      const kind = `${array.constructor.name}(${array.length})`;
      kinds[kind] = (kinds[kind] || 0) + 1;
      for (let k = 0; k < array.length; k++) {
        if (at === words.length) throw new RangeError("more words than it may need");
        array[k] = words[at++];
      }
      return array;
    },
  });
  Math.random = () => { asked.add("Math.random"); return 0.5; };
  for (const name of names) {
    Object.defineProperty(globalThis, name, { get() { asked.add(name); } });
  }
  globalThis.auditRun = (weights, answer, draws, given) => {
    words = given;
    at = 0;
    const reports = [];
    for (let k = 0; k < draws; k++) reports[k] = auditedSampler(weights, answer);
    return stringify({ reports, used: at });
  };
  globalThis.auditTrace = () => stringify({ kinds, asked: [...asked] });
})
"""

INTERRUPTED = "InternalError: interrupted"

EXPOSE = "\n;globalThis.auditedSampler = randomise;\n"


class SamplerError(Exception):
    """The script is no sampler that can be run, in one sentence."""


class TooSlowError(Exception):
    """The draws were not done in time."""


@dataclass(frozen=True)
class Drawn:
    """Reports of one table.

    Attributes
    ----------
    counts : list of lists of int
        Shape (answers, reports).
    differing : int
        Draws whose report is another than that of the same words by this release.
    words : int
        Used by the script; `words_due` by this release.
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
    """How often it asked for chance, by what was to be filled: "Uint32Array(1)"."""
    touched: list[str]
    """What it asked for besides, which no sampler needs."""


def run_sampler(
    script: str, tables: Sequence[Weights], *, draws: int, seconds: float
) -> Run:
    """Return what the script `randomise.js` makes of `draws` for each answer.

    Raises
    ------
    SamplerError
        Where it cannot be read, exports no `randomise`, gives what is no report, or
        takes more memory or chance than it may.
    TooSlowError
        Where `seconds` were not enough.
    """
    deadline = time.monotonic() + seconds
    engine = quickjs.Context()
    engine.set_memory_limit(MEMORY)
    engine.set_time_limit(seconds)
    names = json.dumps(NOT_FOR_A_SAMPLER)
    engine.eval(f"{HOST}({names})")
    try:
        engine.module(script + EXPOSE)
        # An error while the module ran was not reported.
        if engine.eval("typeof auditedSampler") != "function":
            raise SamplerError("it exports no function called randomise")
        drawn = [draw_table(engine, table, draws, deadline) for table in tables]
        trace = json.loads(engine.eval("auditTrace()"))
        kinds = {str(kind): int(times) for kind, times in trace["kinds"].items()}
        touched = sorted(map(str, trace["asked"]))
    except (
        *(quickjs.JSException, ValueError, TypeError, KeyError, AttributeError),
        *(OverflowError, RecursionError),
    ) as error:
        # The first line: what follows is where in the engine.
        reason = str(error).strip().partition("\n")[0]
        if reason == INTERRUPTED:
            raise TooSlowError from None
        raise SamplerError(f"it cannot be run: {reason}") from None
    return Run(drawn, kinds, touched)


def draw_table(
    engine: "quickjs.Context", weights: Weights, draws: int, deadline: float
) -> Drawn:
    counts, differing, used, due = [], 0, 0, 0
    for answer, row in enumerate(weights):
        if (left := deadline - time.monotonic()) <= 0:
            raise TooSlowError
        engine.set_time_limit(left)
        drawn = words(words_for(draws, sum(row)))
        table = json.dumps(weights)
        given = f"{table}, {answer}, {draws}, {json.dumps(drawn.tolist())}"
        done = json.loads(engine.eval(f"auditRun({given})"))
        reports = [int(report) for report in done["reports"]]
        if len(reports) != draws or not set(reports) <= set(range(len(row))):
            raise ValueError("it gives what is no report of the table")
        given_again = InOrder(drawn)
        ours = randomise_many(weights, np.full(draws, answer), given_again.take)
        counts.append(np.bincount(reports, minlength=len(row)).tolist())
        differing += int(np.count_nonzero(ours != np.array(reports)))
        used += int(done["used"])
        due += given_again.taken
    return Drawn(weights, counts, differing, used, due)


@dataclass
class InOrder:
    """The same words once more, each of them once."""

    words: npt.NDArray[Word]
    taken: int = 0

    def take(self, count: int) -> npt.NDArray[Word]:
        start, self.taken = self.taken, self.taken + count
        return self.words[start : self.taken]


def words_for(draws: int, total: int) -> int:
    """Return more words than `draws` below `total` take."""
    every = 2**WORD_BITS
    taken = (every - every % total) / every  # at least half of all words
    spread = (draws * (1 - taken)) ** 0.5 / taken
    return AS_MANY_AGAIN * (int(draws / taken + SPARE * spread) + SPARE**2)


PREDICTABLE = re.compile(
    r"\bMath\b[\s\S]{0,40}?\brandom\b|\brandom\b[^;]{0,40}=\s*Math"
)

# Not \s, which takes further lines: a file of empty ones would take the square of that.
COMMENT = re.compile(r"^[^\S\n]*//.*$", re.MULTILINE)


def check_sampler(
    served: ServedPage,
    files: Mapping[str, Fetched],
    design: Design | None,
    *,
    draws: int,
    seconds: float,
) -> Iterator[Check]:
    """Yield what the script that scrambles does, and where its chance is from."""
    sampler = "sampler", "What is drawn follows the tables, answer by answer"
    source = "source", "Chance comes from the browser's cryptographic source alone"
    why = ""
    if not served.sampler:
        why = "answers are not scrambled by a script: nobody can look from outside"
    elif served.sampler not in files:
        why = "there is no script"
    elif quickjs is None:
        why = f"there is no engine to run the script: {INSTALL_ENGINE}"
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
    except SamplerError as error:
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
        faults_of_draws(run),
        draws=draws,
        alpha=FALSE_ALARM,
        tables=summarise_draws(run),
        differing=sum(each.differing for each in run.drawn),
    )
    scripts = {name: files[name].text for name in served.scripts if name in files}
    yield checked(*source, faults_of_source(run, scripts), asked=run.sources)


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


def faults_of_draws(run: Run) -> Iterator[str]:
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


def faults_of_source(run: Run, scripts: Mapping[str, str]) -> Iterator[str]:
    for kind in run.sources:
        if kind != f"{ONLY_SOURCE}(1)":
            yield f"the sampler asked for chance in {kind}"
    for name in run.touched:
        yield f"the sampler asked for {name}"
    for name, script in scripts.items():
        if PREDICTABLE.search(COMMENT.sub("", script)) and sha256_of(
            name
        ) != fingerprint(name, script.encode()):
            yield f"{strip_fingerprint(name) or name} names Math.random"
