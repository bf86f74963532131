"""The template context of a survey's pages; all of it follows from the design."""

import hashlib
from collections.abc import Collection, Mapping, Sequence
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from django.contrib.staticfiles import finders
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from candor.mechanisms.odds import apportion
from respondents.collecting.forms import choose_pick_format, format_field_name
from surveys.design import Design, TickList
from surveys.models import Survey
from surveys.models.conditions import serialize_condition
from surveys.text.conditions import explain_condition
from surveys.text.icon_arrays import draw_icon_arrays
from surveys.text.protection import Protection
from surveys.text.tables import (
    TableDescription,
    format_question_numbers,
    label_reports,
    list_fair_devices,
    list_instruction_steps,
)

HARMLESS_ANSWERS = (
    gettext_noop("Yes"),
    gettext_noop("No"),
    gettext_noop("Prefer not to answer"),
)

LONG_SCALE = 12
"""Up to this number, points form an even grid; more share rows as space allows."""

NARROW_LABEL = 3
"""Characters of a label that fits where ten points share a row."""

ROWS_OF_A_PHONE = (5, 4, 3)
"""Points in a row on a phone; the first number that leaves no remainder is used."""

OF_ODD_NUMBERS = 4
"""Used where each leaves a remainder: seven are four and three."""

LONG_NUMBER = 10**6
"""Three columns of such numbers may be wider than narrow phones, so they scroll."""

LETTERS_ABREAST = 15
"""Of two labels' longest words, on a phone of 360 px. With more, words would break."""

DRAWS = 1000
"""Draws for each answer in "test the coin yourself", as in practise.js."""


def describe_survey(design: Design) -> dict[str, Any]:
    """Return the context that all pages of a survey share, in the active language."""
    is_by_hand = design.mode == Survey.Mode.HAND
    protection = Protection(design)
    practice = choose_practice(protection)
    tables = [
        {
            "words": table,
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
    """Return what static/js/collecting/respond.js and practise.js read: plain JSON."""
    tables = protection.tables
    table_of = {n: index for index, table in enumerate(tables) for n in table.numbers}
    return {
        "design": protection.design.digest,
        "tables": [
            {"weights": table.mechanism.weights, "reports": table.labels}
            for table in tables
        ],
        "questions": [table_of[number] for number in sorted(table_of)],
        "practice": practice,
        # As draw.js reads them; what draws nothing has no such key.
        **(
            {"groups": groups}
            if (groups := list_drawn_places(protection.design))
            else {}
        ),
    }


def build_rules(design: Design) -> dict[int, dict[str, Any]]:
    """Return what static/js/collecting/conditions.js reads, by number of the question.

    By hand no device learns answers to scrambled questions, so none is hidden.
    """
    is_by_hand = design.mode == Survey.Mode.HAND
    found: dict[int, dict[str, Any]] = {}
    for number, question in enumerate(design.questions, start=1):
        if question.shown_if and not is_by_hand:
            condition = serialize_condition(question.shown_if)
            found[number] = {
                "condition": condition,
                "otherwise": question.hidden_answer,
            }
        if question.ending:
            found.setdefault(number, {})["ending"] = sorted(question.ending)
    return found


def list_drawn_places(design: Design) -> list[tuple[int, list[int]]]:
    """Return, for each group, how many are asked and the places of its questions."""
    return [
        (group.asked, [number - 1 for number in group.questions])
        for group in design.groups
    ]


def choose_practice(protection: Protection) -> dict[str, Any] | None:
    """Return the trial with a harmless question; None where no table fits one."""
    fitting = [
        table
        for table in protection.tables
        if table.mechanism.is_scrambled
        and table.mechanism.tells_shares
        and len(table.choices) <= len(HARMLESS_ANSWERS)
    ]
    if not fitting:
        return None
    # With a better protected table, people would expect too much of the others.
    table = protection.least_protected(fitting)
    return describe_trial(table, position=protection.tables.index(table))


def describe_trial(table: TableDescription, *, position: int) -> dict[str, Any]:
    """Return what practise.js shows of one table, with harmless answers."""
    labels = [_(label) for label in HARMLESS_ANSWERS[: len(table.choices)]]
    return {
        "table": position,
        "labels": labels,
        "outcomes": table.list_outcomes(labels),
    }


def describe_questions(
    protection: Protection,
    *,
    asked: Sequence[bool] = (),
    missing: Collection[int] = (),
    entered: Mapping[int, int] = MappingProxyType({}),
) -> list[dict[str, Any]]:
    """Return each question as its screen or part of the form shows it.

    `asked` says which were drawn for this respondent; without it, they are drawn in the
    browser, or all are asked. `missing` are numbers of questions; `entered` has the
    report of a number, counted from 0, where it was found by hand.
    """
    design, scrambled = protection.design, protection.scrambled
    is_by_hand = protection.design.mode == Survey.Mode.HAND
    is_by_browser = protection.design.mode == Survey.Mode.BROWSER
    pick = choose_pick_format(design)
    found: list[dict[str, Any]] = [
        {
            "number": number,
            "name": format_field_name(design, number),
            "pick": pick,
            "is_asked": not asked or asked[number - 1],
            "section": (section := design.find_section(number)),
            "opens": section is not None and section.numbers[0] == number,
            "is_opened": section is not None
            and (not asked or any(asked[each - 1] for each in section.numbers)),
            "progress": format_progress(design, number),
            "text": question.full_text,
            "options": label_reports(question.mechanism, question.choices)
            if is_by_hand
            else question.choices,
            "is_scale": question.scale is not None and not is_by_hand,
            "shape": choose_scale_classes(question.choices[: question.declined]),
            "is_scrambled": number in scrambled,
            "reassurance": protection.reassurance(number),
            "is_hint": protection.find_table(number).exposure.is_hint,
            "steps": list_instruction_steps(question) if is_by_hand else [],
            "only_if": "" if is_by_browser else explain_condition(design, number),
            "hint": question.hint,
            "helpline": question.helpline,
            # Of a tick list, it is the order of its boxes.
            "shuffle_choices": question.shuffle_choices and not question.tick_list,
            "last": question.declined,
            "is_skippable": question.declined is not None and not is_by_hand,
            "listed": len(question.choices) - (question.declined is not None),
            "is_missing": number in missing,
            "described_by": " ".join(
                f"q{number}-{part}"
                for part, is_shown in (
                    ("hint", question.hint),
                    ("error", number in missing),
                )
                if is_shown
            ),
            "entered": entered.get(number),
        }
        for number, question in enumerate(design.questions, start=1)
    ]
    for tick_list in design.ticked_lists:
        first, *others = (found[number - 1] for number in tick_list.numbers)
        first |= describe_boxes(design, tick_list)
        for each in others:
            each["is_box"] = True
    return found


def describe_boxes(design: Design, tick_list: TickList) -> dict[str, Any]:
    """Return what the screen of a tick list shows otherwise than its first question."""
    items = [design.questions[number - 1] for number in tick_list.numbers]
    first = tick_list.numbers[0]
    parts = [f"q{first}-hint"] if items[0].hint else []
    return {
        "text": tick_list.text,
        "progress": capfirst(format_question_numbers(tick_list.numbers)),
        "boxes": [item.text for item in items],
        "drawn": tick_list.group.asked,
        "options": (),
        "shuffle_choices": items[0].shuffle_choices,
        "described_by": " ".join([*parts, f"q{first}-boxes"]),
        "is_asked": True,
        "is_opened": design.find_section(first) is not None,
    }


def choose_scale_classes(labels: Sequence[str]) -> str:
    """Return the CSS classes of a scale, which arrange its points in rows.

    The first and the last have a row each, since their labels say what they mean.
    """
    if len(labels) > LONG_SCALE:
        return "long"
    between = labels[1:-1]
    if any(len(label) > NARROW_LABEL for label in between):
        return ""
    count = len(between)
    evenly = (many for many in ROWS_OF_A_PHONE if count % many == 0)
    return f"long even by-{min(count, next(evenly, OF_ODD_NUMBERS))}"


def format_progress(design: Design, number: int) -> str:
    """Return the heading of a question.

    Where some are not asked or shown, or their order is random, the numbers stay those
    of the survey, which the tables of protection and the cards use. A bar next to it
    shows the progress.
    """
    if design.groups or design.is_shuffled or design.has_conditions:
        return _("Question %s") % number
    numbers = {"number": number, "count": len(design.questions)}
    return _("Question %(number)s of %(count)s") % numbers


def build_table_rows(table: TableDescription) -> list[dict[str, Any]]:
    """Return the table as it is printed under "The mathematics"."""
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
    """Return SHA-256 of a script as browsers get it, for respondents who compare."""
    path = finders.find(f"js/collecting/{name}")
    return hashlib.sha256(Path(str(path)).read_bytes()).hexdigest()
