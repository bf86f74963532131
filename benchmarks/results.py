"""Milliseconds to compute the pages of a survey's results, and their limits.

Processor time: medians of several rounds, and the first round with cold caches. Each
response is a different pattern, counted often enough to make ten million respondents.

    python -m benchmarks.results [--patterns 10000]
"""

import argparse
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

from benchmarks.database import set_up

RESPONDENTS, ROUNDS = 10_000_000, 9
ESTIMATED, SHOWN, LONG = 60, 20, 50
LIMITS = {
    f"counts and estimates of {ESTIMATED} questions": 10,
    f"page of {SHOWN} questions": 60,
    f"page of {LONG} questions, first asked": 250,
    "chart": 20,
    "compare, first asked": 300,
    "compare, again": 300,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--patterns", type=int, default=10_000)
    patterns = parser.parse_args().patterns
    with tempfile.TemporaryDirectory() as folder:
        set_up(Path(folder))
        from django.contrib.auth.models import User
        from django.test import Client
        from django.urls import reverse

        from estimation.rows.comparison import make_comparison
        from estimation.rows.shares import get_results
        from respondents.storage.joint_counts import read_cached_counts

        owner = User.objects.create_user("benchmark", is_staff=True)
        visitor = Client(headers={"host": "127.0.0.1"})
        visitor.force_login(owner)
        wide = make_survey(owner, ESTIMATED, patterns=10_000)
        shown = make_survey(owner, SHOWN, patterns=patterns)
        long = make_survey(owner, LONG, patterns=patterns)

        def ask(
            page: str, *arguments: object, of: Any = shown, **query: object
        ) -> None:
            address = reverse(f"admin:estimation_{page}", args=[of.pk, *arguments])
            answer = visitor.get(address, query)
            if answer.status_code != 200:
                raise RuntimeError(f"{address}: {answer.status_code}")

        # Each combination is used once, so that no estimate or card is cached.
        choices = product((0.8, 0.9, 0.95, 0.99, 0.999), ("each", "together"))

        def ask_first() -> None:
            level, intervals = next(choices)
            ask("results", of=long, confidence_level=level, intervals=intervals)

        estimated, page, whole, chart, first, again = LIMITS
        measure(estimated, partial(get_results, wide))
        measure(page, partial(ask, "results"))
        measure(whole, ask_first, before=read_cached_counts.cache_clear)
        measure(chart, partial(ask, "chart", 7, "svg"))

        def clear_caches() -> None:
            read_cached_counts.cache_clear()
            make_comparison.cache_clear()

        compare = partial(ask, "compare", first=1, second=2)
        # Neither the counts nor the intervals are cached.
        measure(first, compare, before=clear_caches)
        measure(again, compare)


def make_survey(owner: Any, questions: int, *, patterns: int) -> Any:
    """Return a closed survey of ten million respondents."""
    import numpy as np

    from respondents.models import SealedPattern, close
    from surveys.models import Survey

    survey = Survey.objects.create(
        title="Benchmark",
        slug=f"of-{questions}",
        organiser="No one",
        owner=owner,
        epsilon_reason="A benchmark asks no one.",
    )
    for number in range(1, questions + 1):
        survey.add_question(f"Question {number}?")
    survey.open()
    seeded = np.random.default_rng(20)  # noqa: TID251
    drawn = seeded.choice(2**questions, patterns, replace=False)
    sent = (drawn[:, None] >> np.arange(questions) & 1).astype(np.uint8)
    counts = dict.fromkeys(map(bytes, sent), RESPONDENTS // patterns)
    SealedPattern.objects.add(survey, counts)
    close(survey)
    return survey


def measure(
    what: str, job: Callable[[], object], before: Callable[[], object] = lambda: None
) -> None:
    """Print the time of a job: the first one and the median of the others."""
    milliseconds = []
    for _ in range(1 + ROUNDS):
        before()
        start = time.process_time()
        job()
        milliseconds.append((time.process_time() - start) * 1000)
    first, *others = milliseconds
    median = statistics.median(others)
    sys.stdout.write(
        f"{what}: {median:.1f} ms ({min(others):.1f} to {max(others):.1f}; "
        f"first {first:.0f}), {median / LIMITS[what]:.2f} of the limit\n"
    )


if __name__ == "__main__":
    main()
