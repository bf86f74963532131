"""Public pages that explain the method; they are the same for every survey."""

import gzip
from decimal import Decimal
from fractions import Fraction
from functools import cache
from typing import Any

from django.conf import settings
from django.utils import translation
from django.utils.formats import number_format
from django.utils.translation import gettext as _

from candor.mechanisms import build
from candor.mechanisms.odds import (
    HINT_RATIO,
    NEAR_PROOF_RATIO,
    RARE_EXCEPTIONS_RATIO,
    WEAK_HINT_RATIO,
    round_up_times,
)
from respondents.collecting.page_context import (
    build_table_rows,
    compute_script_hash,
    describe_trial,
)
from respondents.collecting.pages import Page, render
from respondents.explaining.stored import describe_stored
from surveys.models import Survey
from surveys.models.period import DEFAULT_BATCH_SIZE
from surveys.text.icon_arrays import draw_icon_arrays
from surveys.text.protection import describe_scrambling
from surveys.text.tables import TableDescription

ARRIVED = 40
"""The number of scrambled answers "Yes" among 100, in the example of estimation."""

SCRIPTS = (
    "randomise.js",
    "respond.js",
    "sending.js",
    "paging.js",
    "invitation.js",
    "practise.js",
    "language.js",
    "leave.js",
    "draw.js",
    "order.js",
    "conditions.js",
    "seal.js",
)
"""All scripts of surveys in mode browser; the first one scrambles answers."""


@cache
def render_how_it_works(language: str) -> Page:
    with translation.override(language):
        table = TableDescription((1,), build("coin"), (_("Yes"), _("No")))
        return make_page(
            "how_it_works",
            {
                "tables": [
                    {
                        "description": table,
                        "title": _("Two coins"),
                        "rows": build_table_rows(table),
                        "pictures": draw_icon_arrays(table),
                    }
                ],
                "practice": describe_trial(table, position=0),
                "numbers": explain_numbers(table),
                "ways": [describe_scrambling(mode) for mode in Survey.Mode],
                "scripts": {name: compute_script_hash(name) for name in SCRIPTS},
                "data": {
                    "tables": [{"weights": table.mechanism.weights}],
                    "practice": describe_trial(table, position=0),
                },
            },
        )


@cache
def render_what_we_store(language: str) -> Page:
    with translation.override(language):
        return make_page(
            "what_we_store",
            {"stored": describe_stored(), "batch_size": DEFAULT_BATCH_SIZE},
        )


def make_page(name: str, context: dict[str, Any]) -> Page:
    html = render(
        f"explaining/{name}", {**context, "languages": settings.LANGUAGES}
    ).encode()
    # Compression is safe: the page contains no secret and is the same for all.
    return Page(html, gzip.compress(html, mtime=0))


def explain_numbers(table: TableDescription) -> dict[str, str]:
    """Return the numbers that the page explains, computed from the table."""
    (if_all, _no), (if_none, _other) = table.odds.counts
    ratio = table.mechanism.worst_ratio or Fraction(1)
    numbers: dict[str, int | Decimal] = {
        "base": table.odds.base,
        "if_all": if_all,
        "if_none": if_none,
        "arrived": ARRIVED,
        # Expected reports "Yes": if_none + share * (if_all - if_none), out of the base.
        "found": table.odds.base * (ARRIVED - if_none) // (if_all - if_none),
        "weak": WEAK_HINT_RATIO,
        "hint": HINT_RATIO,
        "near": NEAR_PROOF_RATIO,
        "rare": RARE_EXCEPTIONS_RATIO,
        "once": round_up_times(ratio),
    }
    return {
        name: number_format(number, force_grouping=True)
        for name, number in numbers.items()
    }
