"""What the script that scrambles does, held against the tables that are told."""

import math
import re
from collections.abc import Iterator, Mapping
from typing import Any

from candor.mechanisms.epsilon import compute_epsilon, epsilon_rounded_up, worst_ratio
from candor.sampler_audit import FALSE_ALARM, least_epsilon, row_fit
from estimation.audit.fetch import Fetched
from estimation.audit.page import ServedPage
from estimation.audit.release import fingerprint, sha256_of, strip_fingerprint
from estimation.audit.report import Check, checked, unchecked
from estimation.audit.sampler import (
    INSTALL_ENGINE,
    ONLY_SOURCE,
    Run,
    SamplerError,
    TooSlowError,
    has_engine,
    run_sampler,
)
from surveys.design import Design

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
    elif not has_engine():
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
    """Return what the draws say of each table; JSON has no infinity."""
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
    """Yield where draws of the served script break the table."""
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
    """Yield what chance or knowledge the scripts take besides."""
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
