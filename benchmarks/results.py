"""Seconds that a page of results takes, beside its limit: half a second.

20 questions, 10,000 responses, every response another pattern.

    python -m benchmarks.results
"""

import statistics
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.database import set_up

QUESTIONS, RESPONSES, ROUNDS = 20, 10_000, 5
LIMIT_SECONDS = 0.5


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        set_up(Path(folder))
        from django.contrib.auth.models import User
        from django.test import Client
        from django.urls import reverse

        from respondents.models import SealedPattern, close
        from surveys.models import Survey

        owner = User.objects.create_user("benchmark", is_staff=True)
        survey = Survey.objects.create(
            title="Benchmark", slug="benchmark", organiser="Nobody", owner=owner
        )
        for number in range(1, QUESTIONS + 1):
            survey.add_question(f"Question {number}?")
        survey.open()
        patterns = (
            bytes(int(bit) for bit in f"{number:0{QUESTIONS}b}")
            for number in range(RESPONSES)
        )
        SealedPattern.objects.add(survey, dict.fromkeys(patterns, 1))
        close(survey)

        visitor = Client(headers={"host": "127.0.0.1"})
        visitor.force_login(owner)
        address = reverse("admin:estimation_results", args=[survey.pk])
        seconds = []
        for _ in range(ROUNDS):
            start = time.perf_counter()
            page = visitor.get(address)
            seconds.append(time.perf_counter() - start)
            if b"10,000" not in page.content:
                raise RuntimeError("the page lacks the responses")
        median = statistics.median(seconds)
        sys.stdout.write(
            f"page of {QUESTIONS} questions, {RESPONSES:,} responses: "
            f"{median * 1000:.0f} ms, {median / LIMIT_SECONDS:.2f} of the limit\n"
        )


if __name__ == "__main__":
    main()
