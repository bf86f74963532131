"""Differential privacy by experiment: a page of sliders and pictures for teaching.

Nothing is sent: `static/js/experiments/experiments.js` computes every number, and the
page shows the call of the library that gives the same one. `experiments.json` has the
texts: `numbers` and `legend` label numbers and shapes of the script. `only` names the
queries that need a slider, and a slider with a `power` is shown as 10^-value.
"""

import json
from functools import cache
from pathlib import Path
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from config.landing import render_for_visitors
from surveys.multilingual import choose_texts

FILE = Path(__file__).with_name("experiments.json")


@cache
def read_experiments() -> dict[str, Any]:
    parsed: dict[str, Any] = json.loads(FILE.read_text("utf-8"))
    return parsed


@require_safe
def show_experiments(request: HttpRequest) -> HttpResponse:
    return render_for_visitors(
        request, "help/experiments.html", lambda: choose_texts(read_experiments())
    )
