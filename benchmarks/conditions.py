"""Seconds to compute results of questions with conditions, compared with pandas.

Of 20 questions, 10 have a condition on one or two others, and each response is a
different pattern. The results page needs the joint counts of each question with the
questions in its condition. pandas counts the same patterns, interleaved, in a frame
with a column for each question. Processor time, medians of several rounds.

    python -m benchmarks.conditions [--patterns 100000]
"""

import argparse
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks.database import set_up

QUESTIONS, ROUNDS, SEED = 20, 5, 29
CONDITIONS = {
    number: "1 is Yes" if number % 2 else f"{number % 4 + 2} is Yes and 7 is not Yes"
    for number in range(11, 21)
}


def main() -> None:
    """Print the times, and their ratios to that of pandas."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--patterns", type=int, default=100_000)
    patterns = parser.parse_args().patterns
    with tempfile.TemporaryDirectory() as folder:
        set_up(Path(folder))
        measure(patterns)


def measure(patterns: int) -> None:
    import pandas as pd

    from estimation.rows.asked import make_estimated_rows
    from estimation.rows.counts import (
        list_conditional_sets,
        read_conditional_counts,
        read_one_way,
        read_patterns,
    )
    from estimation.rows.shares import survey_results

    survey = make_survey(patterns)
    survey_counts = read_patterns(survey)
    sent, counts = survey_counts.patterns.sent, survey_counts.patterns.counts
    sets = list_conditional_sets(survey_counts.design)

    def count() -> list[dict[bytes, int]]:
        return [
            survey_counts.patterns.count([number - 1 for number in each])
            for each in sets
        ]

    def count_in_pandas() -> list[dict[bytes, int]]:
        frame = pd.DataFrame(sent, columns=range(1, QUESTIONS + 1)).assign(count=counts)
        return [
            {
                bytes(reports): int(total)
                for reports, total in frame.groupby(list(each))["count"].sum().items()
            }
            for each in sets
        ]

    def clear_caches() -> None:
        read_conditional_counts.cache_clear()
        make_estimated_rows.cache_clear()

    def show() -> None:
        survey_results(read_one_way(survey))

    if count() != count_in_pandas():
        raise RuntimeError("pandas counts something else")
    work = {
        "pandas: counts": (count_in_pandas, None),
        "counts": (count, None),
        "results, first": (show, clear_caches),
        "results, again": (show, None),
        "results, from all patterns read": (
            lambda: survey_results(survey_counts),
            None,
        ),
    }
    seconds: dict[str, list[float]] = {name: [] for name in work}
    for _ in range(ROUNDS):
        for name, (job, before) in work.items():
            if before:
                before()
            start = time.process_time()
            job()
            seconds[name].append(time.process_time() - start)
    medians = {name: statistics.median(each) for name, each in seconds.items()}
    peer = medians["pandas: counts"]
    for name, median in medians.items():
        sys.stdout.write(
            f"{name:<32}{median * 1000:8.1f} ms {median / peer:6.2f} times pandas\n"
        )


def make_survey(patterns: int) -> Any:
    """Return a closed survey of `patterns` respondents with different patterns."""
    import numpy as np
    from django.contrib.auth.models import User

    from respondents.models import SealedPattern, close
    from surveys.models import Survey

    survey = Survey.objects.create(
        title="Benchmark",
        slug="benchmark",
        organiser="Benchmark",
        owner=User.objects.create_user("benchmark", is_staff=True),
        epsilon_reason="The responses of a benchmark are simulated.",
    )
    for number in range(1, QUESTIONS + 1):
        survey.add_question(f"Question {number}?", show_if=CONDITIONS.get(number, ""))
    survey.open()
    seeded = np.random.default_rng(SEED)  # noqa: TID251
    drawn = seeded.choice(2**QUESTIONS, patterns, replace=False)
    sent = (drawn[:, None] >> np.arange(QUESTIONS) & 1).astype(np.uint8)
    SealedPattern.objects.add(survey, dict.fromkeys(map(bytes, sent), 1))
    close(survey)
    return survey


if __name__ == "__main__":
    main()
