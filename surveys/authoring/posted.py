"""Read the questions of a posted form by their keys."""

import re
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from django.http import QueryDict

SENT_AS = "sent_as"
"""Input for the number that a question has on the page; the formset gets another."""

NUMBER = re.compile(r"0|[1-9]\d{0,3}")


def match_stored_questions(
    posted: QueryDict, prefix: str, stored: Collection[int]
) -> QueryDict:
    """Return the posted data with stored questions first, as Django's formsets require.

    A page that saved a new question keeps its number. A page may still contain a
    question that was deleted elsewhere: it becomes a new one or, if the page deletes it
    as well, nothing.
    """
    total = posted.get(f"{prefix}-TOTAL_FORMS", "")
    if not NUMBER.fullmatch(total):
        return posted
    inputs = group_inputs(posted, prefix)
    known, own, new = {str(pk) for pk in stored}, {}, []
    for number in sorted(number for number in inputs if number < int(total)):
        identifier = posted.get(f"{prefix}-{number}-id", "")
        if identifier in known and identifier not in own:
            own[identifier] = number
        elif not (identifier and posted.get(f"{prefix}-{number}-DELETE")):
            new.append(number)
    matched = posted.copy()
    for each in inputs.values():
        for name in each.values():
            del matched[name]
    placed = [*own.items(), *(("", number) for number in new)]
    for place, (identifier, number) in enumerate(placed):
        for field, name in inputs[number].items():
            matched.setlist(f"{prefix}-{place}-{field}", posted.getlist(name))
        matched[f"{prefix}-{place}-id"] = identifier
        matched[f"{prefix}-{place}-{SENT_AS}"] = str(number)
    matched[f"{prefix}-TOTAL_FORMS"] = str(len(placed))
    matched[f"{prefix}-INITIAL_FORMS"] = str(len(own))
    return matched


def knows_all_questions(
    posted: Mapping[str, str], prefix: str, stored: Iterable[int]
) -> bool:
    inputs = group_inputs(posted, prefix).values()
    known = {posted[each["id"]] for each in inputs if "id" in each}
    return {str(pk) for pk in stored} <= known


def group_inputs(posted: Mapping[str, str], prefix: str) -> dict[int, dict[str, str]]:
    found: dict[int, dict[str, str]] = {}
    for name in posted:
        start, _dash, rest = name.partition("-")
        number, _dash, field = rest.partition("-")
        if start == prefix and field and NUMBER.fullmatch(number):
            found.setdefault(int(number), {})[field] = name
    return found


def map_stored_questions(formset: Any) -> dict[str, int]:
    return {
        formset.data[form.add_prefix(SENT_AS)]: form.instance.pk
        for form in formset.forms
        if form.instance.pk and form not in formset.deleted_forms
    }
