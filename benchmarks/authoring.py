"""Server time and page size of the form of a survey with many questions.

The limits are 100 ms for 20 questions and 300 ms for more. The ratio to the form of one
question does not depend on the machine. Processor time.

    python -m benchmarks.authoring
"""

import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks.database import set_up

LIMITS, ROUNDS = {1: 0.1, 20: 0.1, 50: 0.3, 200: 0.3}, 5
"""Seconds by number of questions, and the number of rounds."""
FAMILIES: list[tuple[str, dict[str, Any]]] = [
    ("coin", {}),
    ("epsilon", {"epsilon": "0.5"}),
    ("k_ary", {"epsilon": "1", "choices": 4}),
    ("direct", {}),
    ("warner", {"p": "3/4"}),
]


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        set_up(Path(folder))
        from django.contrib.auth.models import User
        from django.test import Client
        from django.urls import reverse

        from surveys.models import Survey

        owner = User.objects.create_user("benchmark", is_staff=True)
        visitor = Client(headers={"host": "127.0.0.1"})
        visitor.force_login(owner)
        first = 0.0
        for count, limit in LIMITS.items():
            survey = Survey.objects.create(
                title="Benchmark", slug=f"of-{count}", organiser="No one", owner=owner
            )
            for number in range(count):
                family, parameters = FAMILIES[number % len(FAMILIES)]
                text = f"In the past 12 months, have you done thing {number + 1}?"
                survey.add_question(text, family=family, parameters=parameters)
            address = reverse("admin:surveys_survey_change", args=[survey.pk])
            seconds = []
            for _ in range(ROUNDS):
                start = time.process_time()
                page = visitor.get(address)
                seconds.append(time.process_time() - start)
                if b"data-summary" not in page.content:
                    raise RuntimeError("the page lacks the summary")
            median = statistics.median(seconds)
            first = first or median
            sys.stdout.write(
                f"form of {count} questions: {len(page.content) / 1000:.0f} KB, "
                f"{median * 1000:.0f} ms, {median / limit:.2f} of the limit, "
                f"{median / first:.1f} times that of one question\n"
            )


if __name__ == "__main__":
    main()
