"""The template context of a question's screen."""

from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from django.utils.text import capfirst
from django.utils.translation import gettext as _

from respondents.collecting.forms import choose_pick_format, format_field_name
from surveys.design import Design
from surveys.kinds.tick_list import TickList
from surveys.models import Survey
from surveys.text.by_hand import describe_steps
from surveys.text.conditions import explain_condition
from surveys.text.protection import Protection
from surveys.text.tables import format_question_numbers, label_reports


def describe_questions(
    protection: Protection,
    *,
    asked: Sequence[bool] = (),
    missing: Collection[int] = (),
    entered: Mapping[int, int] = MappingProxyType({}),
) -> list[dict[str, Any]]:
    """Return the context of each question, for its screen or its part of the form.

    `asked` marks the questions drawn for this respondent; if it is empty, the browser
    draws them, or all are asked. `missing` contains the numbers of unanswered
    questions. `entered` is {question number: report, counted from 0} in mode hand.
    """
    design, scrambled = protection.design, protection.scrambled
    is_by_hand = protection.design.mode == Survey.Mode.HAND
    is_by_browser = protection.design.mode == Survey.Mode.BROWSER
    pick = choose_pick_format(design)
    contexts: list[dict[str, Any]] = [
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
            **question.kind.arrange(
                label_reports(question.mechanism, question.choices)
                if is_by_hand
                else question.choices,
                question.declined,
                is_by_hand=is_by_hand,
            ),
            "is_scrambled": number in scrambled,
            "reassurance": protection.reassurance(number),
            "is_hint": protection.find_table(number).exposure.is_hint,
            "steps": describe_steps(question) if is_by_hand else None,
            "only_if": "" if is_by_browser else explain_condition(design, number),
            "hint": question.hint,
            "helpline": question.helpline,
            # In a tick list, boxes are shuffled instead of choices.
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
        first, *others = (contexts[number - 1] for number in tick_list.numbers)
        first |= describe_boxes(design, tick_list)
        for other in others:
            other["is_box"] = True
    return contexts


def describe_boxes(design: Design, tick_list: TickList) -> dict[str, Any]:
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


def format_progress(design: Design, number: int) -> str:
    """Return the heading of a question, which a script may replace on the device.

    If questions are drawn, the heading has no count: otherwise the length of the page
    would depend on the draw.
    """
    if design.groups or has_unknown_count(design):
        return _("Question %s") % number
    numbers = {"number": number, "count": len(design.questions)}
    return _("Question %(number)s of %(count)s") % numbers


def has_unknown_count(design: Design) -> bool:
    return design.has_conditions and design.mode != Survey.Mode.HAND


def write_progress(protection: Protection) -> dict[str, str]:
    """Return the progress texts that static/js/collecting/paging.js completes."""
    design = protection.design
    if has_unknown_count(design) or not (design.groups or design.is_shuffled):
        return {}
    numbers = {"number": "{number}", "count": "{count}"}
    original = _("(number %s of the survey)") % "{number}"
    # Then tables or cards refer to questions by their numbers in the survey.
    names_numbers = len(protection.tables) > 1 or design.mode == Survey.Mode.HAND
    return {
        "progress": _("Question %(number)s of %(count)s") % numbers,
        "original": original if names_numbers else "",
    }
