"""Modules that belong together, and the tests that should notice a change of them."""

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from scripts.mutants.changes import Mutant, mutants_in

ROOT = Path(__file__).resolve().parents[2]


class Text(NamedTuple):
    """A change that no syntax tree knows: in SQL, or in a script."""

    file: str
    old: str
    new: str


@dataclass(frozen=True)
class Area:
    """Modules that belong together, and the tests that should notice a change."""

    files: tuple[str, ...]
    tests: tuple[str, ...]
    texts: tuple[Text, ...] = ()


MODELS = "respondents/models.py"
ONCE = "respondents/storage/exactly_once.py"
SAMPLER_SCRIPT = "static/js/collecting/randomise.js"

AREAS = {
    "sampler": Area(
        (
            "candor/mechanisms/randomness.py",
            "candor/mechanisms/draws.py",
            "candor/mechanisms/epsilon.py",
            "candor/mechanisms/table.py",
            "candor/mechanisms/mechanism.py",
        ),
        (
            "tests/candor/mechanisms/test_randomness.py",
            "tests/candor/mechanisms/test_epsilon.py",
            "tests/candor/mechanisms/test_table.py",
            "tests/candor/mechanisms/test_mechanism.py",
            "tests/candor/mechanisms/test_draws.py",
            "tests/candor/mechanisms/test_vectors.py",
            "tests/candor/mechanisms/test_discovery.py",
        ),
    ),
    "script": Area(
        (),
        ("tests/estimation/audit/test_sampler.py",),
        (
            Text(SAMPLER_SCRIPT, "u >= limit", "u > limit"),
            Text(SAMPLER_SCRIPT, "u >= limit", "false"),
            Text(SAMPLER_SCRIPT, "WORDS - (WORDS % n)", "WORDS"),
            Text(SAMPLER_SCRIPT, "n <= WORDS", "n < WORDS"),
            Text(SAMPLER_SCRIPT, "n >= 1", "n > 1"),
            Text(SAMPLER_SCRIPT, "2 ** 32", "2 ** 31"),
            Text(SAMPLER_SCRIPT, "> u)", ">= u)"),
            Text(SAMPLER_SCRIPT, "weights[answer].find", "weights[0].find"),
            Text(SAMPLER_SCRIPT, "Uint32Array", "Uint16Array"),
        ),
    ),
    "estimator": Area(
        (
            "candor/sample.py",
            "candor/estimands.py",
            "candor/dichotomies.py",
            "candor/binary.py",
            "candor/intervals/closed_form.py",
            "candor/sampler_audit.py",
        ),
        (
            "tests/candor/test_sample.py",
            "tests/candor/test_sample_k_ary.py",
            "tests/candor/test_scores.py",
            "tests/candor/test_dichotomies.py",
            "tests/candor/test_sampler_audit.py",
            "tests/candor/intervals/test_intervals.py",
            "tests/candor/planning/test_direct_question.py",
            "tests/candor/test_likelihood.py",
            "tests/candor/test_binomial.py",
            "tests/candor/test_homogeneity.py",
            "tests/candor/test_sample_means.py",
            "tests/candor/test_differences.py",
            "tests/candor/planning/test_interval_power.py",
            "tests/candor/planning/test_margin_curve.py",
            "tests/candor/planning/test_margins.py",
            "tests/candor/planning/test_privacy.py",
            "tests/candor/planning/test_tables.py",
            "tests/candor/releases",
        ),
    ),
    "protocol": Area(
        (
            "respondents/collecting/protocol.py",
            "respondents/collecting/forms.py",
            "respondents/collecting/views.py",
            "respondents/tokens.py",
        ),
        (
            "tests/respondents/collecting/views/test_reports.py",
            "tests/respondents/collecting/test_forms.py",
            "tests/respondents/collecting/views/test_page.py",
            "tests/respondents/collecting/views/test_plain.py",
            "tests/respondents/collecting/views/test_invitations.py",
            "tests/respondents/test_tokens.py",
            "tests/respondents/collecting/test_randomise.py",
            "tests/respondents/collecting/test_last_day.py",
            "tests/respondents/collecting/test_outages.py",
        ),
    ),
    "storage": Area(
        (
            MODELS,
            "respondents/storage/invitations.py",
            "respondents/storage/secure_deletion.py",
        ),
        (
            "tests/respondents/test_locks.py",
            "tests/respondents/storage/test_exactly_once.py",
            "tests/respondents/test_steps.py",
            "tests/respondents/test_closing.py",
            "tests/respondents/test_invitations.py",
            "tests/respondents/storage/test_secure_deletion.py",
            "tests/respondents/test_tally.py",
            "tests/respondents/storage/test_sqlite.py",
            "tests/respondents/storage/test_refused.py",
            "tests/respondents/distribution/test_deletion.py",
        ),
        (Text(MODELS, "sealedpattern.count + excluded.count", "sealedpattern.count"),),
    ),
    # Of few tests, because these take a minute on PostgreSQL, which is half of it:
    # scripts/with_postgresql .venv/bin/python -m scripts.mutants once
    "once": Area(
        (ONCE,),
        (
            "tests/respondents/storage/test_exactly_once.py",
            "tests/respondents/test_invitations.py",
            "tests/respondents/collecting/fast_path/test_stored_groups.py",
        ),
        (
            Text(ONCE, " FOR KEY SHARE", ""),
            Text(ONCE, " AND state = 'open'", ""),
            Text(ONCE, "ON CONFLICT DO NOTHING", ""),
        ),
    ),
    "server": Area(
        ("respondents/collecting/fast_path/server.py",),
        (
            "tests/respondents/collecting/fast_path/test_server.py",
            "tests/respondents/collecting/fast_path/test_group_commit.py",
        ),
    ),
    "fast": Area(
        (
            "respondents/collecting/fast_path/recent_answers.py",
            "respondents/collecting/fast_path/group_commit.py",
            "respondents/storage/batch_scheduler.py",
            "respondents/storage/write_lock.py",
        ),
        (
            "tests/respondents/collecting/fast_path/test_recent_answers.py",
            "tests/respondents/collecting/fast_path/test_group_commit.py",
            "tests/respondents/storage/test_write_lock.py",
            "tests/respondents/test_steps.py",
            "tests/respondents/collecting/fast_path/test_stored_groups.py",
        ),
    ),
    "archives": Area(
        (
            "respondents/imports/archives/archive.py",
            "respondents/imports/archives/merge.py",
            "respondents/imports/archives/rows.py",
            "respondents/imports/archives/write.py",
        ),
        (
            "tests/respondents/imports/archives/test_merge.py",
            "tests/respondents/imports/archives/test_write.py",
        ),
    ),
    "tallies": Area(
        (
            "estimation/rows/counts.py",
            "respondents/storage/sealed_tally.py",
            "respondents/storage/joint_counts.py",
        ),
        (
            "tests/respondents/test_tally.py",
            "tests/estimation/results/test_tallies.py",
            "tests/estimation/results/test_draws.py",
        ),
    ),
}


def mutants_of(area: Area) -> Iterator[Mutant]:
    """Yield every mutant of an area, in the order of its files and lines."""
    for file in area.files:
        found = mutants_in(file, (ROOT / file).read_text("utf-8"))
        yield from sorted(found, key=lambda mutant: mutant.start)
    for file, old, new in area.texts:
        text = (ROOT / file).read_text("utf-8")
        if old not in text:
            sys.exit(f"{file} has no {old!r} any more: mend scripts/mutants.py")
        start = text.index(old)
        line = text.count("\n", 0, start) + 1
        yield Mutant(file, line, start, start + len(old), old, new)
