"""The template context of a survey's pages, derived from the design alone."""

import hashlib
from functools import cache
from pathlib import Path
from typing import Any

from django.contrib.staticfiles import finders
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from candor.mechanisms.odds import apportion
from respondents.collecting.question_context import write_progress
from surveys.design import Design
from surveys.models import Survey
from surveys.models.conditions import serialize_condition
from surveys.text.by_hand import list_fair_devices
from surveys.text.icon_arrays import draw_icon_arrays
from surveys.text.protection import Protection
from surveys.text.tables import TableDescription, label_reports

HARMLESS_ANSWERS = (
    gettext_noop("Yes"),
    gettext_noop("No"),
    gettext_noop("Prefer not to answer"),
)

LONG_NUMBER = 10**6
"""Three columns of such numbers may be wider than narrow phones, so they scroll."""

LETTERS_ABREAST = 15
"""The most letters in the longest words of two labels together. Longer words would
break on a phone of 360 px."""

DRAWS = 1000
"""Draws per answer in "test the coin yourself", as in practise.js."""


def describe_survey(design: Design) -> dict[str, Any]:
    """Return the context that all pages of a survey share, in the active language."""
    is_by_hand = design.mode == Survey.Mode.HAND
    protection = Protection(design)
    practice = choose_practice(protection)
    tables = [
        {
            "description": table,
            "title": table.title,
            "rows": build_table_rows(table),
            "pictures": draw_icon_arrays(table),
            "is_wide": is_wide(table),
            "fair": list_fair_devices(
                design.questions[number - 1] for number in table.numbers
            )
            if is_by_hand
            else "",
        }
        for table in protection.tables
    ]
    return {
        "design": design,
        "protection": protection,
        "tables": tables,
        "worst": tables[protection.tables.index(protection.worst)],
        "by_form": design.mode != Survey.Mode.BROWSER,
        "by_hand": is_by_hand,
        "has_scale": not is_by_hand
        and any(each.scale is not None for each in design.questions),
        "has_random_order": design.is_shuffled
        or any(each.shuffle_choices for each in design.questions),
        "conditions": build_rules(design),
        "numbering": write_progress(protection),
        "by_server": design.mode == Survey.Mode.SERVER,
        "script_hash": compute_script_hash(),
        "practice": practice,
        "data": build_script_data(protection, practice),
    }


def is_wide(table: TableDescription) -> bool:
    """Return whether numbers and labels may need more space than a phone has."""
    longest = [max(map(len, label.split()), default=0) for label in table.labels]
    return (
        len(longest) > 2
        or sum(longest) > LETTERS_ABREAST
        or table.mechanism.total >= LONG_NUMBER
    )


def build_script_data(
    protection: Protection, practice: dict[str, Any] | None
) -> dict[str, Any]:
    """Return the JSON that static/js/collecting/respond.js and practise.js read."""
    tables, holder = protection.tables, protection.design.holder
    table_of = {n: index for index, table in enumerate(tables) for n in table.numbers}
    return {
        "design": protection.design.digest,
        "tables": [
            {"weights": table.mechanism.weights, "reports": table.labels}
            for table in tables
        ],
        "questions": [table_of[number] for number in sorted(table_of)],
        "practice": practice,
        # For draw.js; a design without drawn questions does not have this key.
        **(
            {"groups": groups}
            if (groups := list_drawn_places(protection.design))
            else {}
        ),
        # For respond.js: the public key (a curve point) to which reports are sealed.
        **({"holder": holder.sealing.hex()} if holder else {}),
    }


def build_rules(design: Design) -> dict[int, dict[str, Any]]:
    """Return {question number: rules} for static/js/collecting/conditions.js.

    In mode hand the device does not know the answers to scrambled questions, so no
    question is hidden.
    """
    is_by_hand = design.mode == Survey.Mode.HAND
    rules: dict[int, dict[str, Any]] = {}
    for number, question in enumerate(design.questions, start=1):
        if question.shown_if and not is_by_hand:
            condition = serialize_condition(question.shown_if)
            rules[number] = {
                "condition": condition,
                "otherwise": question.hidden_answer,
            }
        if question.ending:
            rules.setdefault(number, {})["ending"] = sorted(question.ending)
    return rules


def list_drawn_places(design: Design) -> list[tuple[int, list[int]]]:
    return [
        (group.asked, [number - 1 for number in group.questions])
        for group in design.groups
    ]


def choose_practice(protection: Protection) -> dict[str, Any] | None:
    """Return the trial with a harmless question, or None if no table suits one."""
    fitting = [
        table
        for table in protection.tables
        if table.mechanism.is_scrambled
        and table.mechanism.identifies_shares
        and len(table.choices) <= len(HARMLESS_ANSWERS)
    ]
    if not fitting:
        return None
    # Otherwise respondents would overestimate the protection of the other tables.
    table = protection.least_protected(fitting)
    return describe_trial(table, position=protection.tables.index(table))


def describe_trial(table: TableDescription, *, position: int) -> dict[str, Any]:
    labels = [_(label) for label in HARMLESS_ANSWERS[: len(table.choices)]]
    return {
        "table": position,
        "labels": labels,
        "reports": label_reports(table.mechanism, labels),
    }


def build_table_rows(table: TableDescription) -> list[dict[str, Any]]:
    weights = table.mechanism.weights
    return [
        {
            "choice": choice,
            "cells": [
                {"report": label, "weight": weight, "expected": expected}
                for label, weight, expected in zip(
                    table.labels, row, apportion(row, DRAWS), strict=True
                )
            ],
        }
        for choice, row in zip(table.choices, weights, strict=True)
    ]


@cache
def compute_script_hash(name: str = "randomise.js") -> str:
    """Return the SHA-256 of a script, which respondents can compare."""
    path = finders.find(f"js/collecting/{name}")
    return hashlib.sha256(Path(str(path)).read_bytes()).hexdigest()
