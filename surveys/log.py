"""The log of a survey: which researcher did what with it, and when.

Never a word about respondents: no line is written when a person answers. A survey that
closes by itself is closed by the first visitor, perhaps a respondent: its line is
made from the day alone, so that no time of a visit is kept.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from surveys.models import Survey, Visitor, require_researcher
from surveys.numbers import format_integer
from surveys.sentence import Sentence, translate_text

CLOSED = gettext_noop("Closed.")
"""Written when a person closes a survey; without it the survey closed by itself."""

EDIT_SESSION = timedelta(minutes=30)
"""An author who edits a draft again within this time adds to the existing line:
a draft saves itself, and a line for each pause would hide all others."""

Part = dict[str, dict[str, Any]]
"""One thing that was done, as Django's admin words it; of a question with its "pk"."""


def record(user: Visitor, survey: Survey, *messages: str | Sentence) -> None:
    """Add a line to the log of `survey`, read in the language of the reader.

    A sentence without blanks is written as it stands in the sources (`gettext_noop`),
    others as data.
    """
    sentences = [
        each if isinstance(each, Sentence) else Sentence(each) for each in messages
    ]
    message = (
        json.dumps({"told": [each.to_json() for each in sentences]})
        if any(each.blanks for each in sentences)
        else " ".join(each.words for each in sentences)
    )
    LogEntry.objects.log_actions(
        require_researcher(user).pk,
        [survey],
        CHANGE,
        change_message=message,
        single_object=True,
    )


def record_edit(user: Visitor, survey: Survey, parts: Sequence[Part]) -> None:
    now, editor = timezone.now(), require_researcher(user)
    last = find_entries(survey).first()
    if (
        last
        and last.user_id == editor.pk
        and last.action_flag == CHANGE
        and last.change_message.startswith("[")
        and now - last.action_time < EDIT_SESSION
    ):
        merged = merge_parts([*json.loads(last.change_message), *parts])
        last.change_message, last.action_time = json.dumps(merged), now
        last.save(update_fields=["change_message", "action_time"])
        if not merged:
            last.delete()
    else:
        LogEntry.objects.log_actions(
            editor.pk, [survey], CHANGE, change_message=list(parts), single_object=True
        )


def merge_parts(parts: Sequence[Part]) -> list[Part]:
    """Merge changes to one part for the survey and one for each question."""
    found: dict[object, Part] = {}
    for number, part in enumerate(parts):
        ((action, change),) = part.items()
        # What Django wrote before questions had their key stays as it was.
        key = change.get("pk", number if "object" in change else "survey")
        before, earlier = next(iter(found.get(key, {"": {}}).items()))
        if action == "deleted":
            found.pop(key, None)
            if before != "added":
                found[key] = part
        elif before == "added":
            found[key] = {"added": {**earlier, "object": change["object"]}}
        else:
            fields = [*earlier.get("fields", []), *change.get("fields", [])]
            named = {"fields": list(dict.fromkeys(fields))} if fields else {}
            found[key] = {action: {**change, **named}}
    return list(found.values())


def find_entries(survey: Survey) -> QuerySet[LogEntry]:
    entries = LogEntry.objects.filter(
        content_type=ContentType.objects.get_for_model(Survey),
        object_id=str(survey.pk),
    )
    return entries.select_related("user").order_by("-action_time", "-pk")


@dataclass(frozen=True)
class LogLine:
    day: date
    time: datetime | None
    who: str
    what: tuple[str, ...]
    """One sentence for each thing that was done at once."""


def read_log(survey: Survey) -> list[LogLine]:
    lines = [
        LogLine(
            day=timezone.localdate(entry.action_time),
            time=entry.action_time,
            who=entry.user.get_username(),
            what=tuple(translate_entry(entry)),
        )
        for entry in find_entries(survey)
    ]
    was_closed_by_hand = any(line.what == (_(CLOSED),) for line in lines)
    if survey.closed_on and not was_closed_by_hand:
        # On the day that it closed, this was the last thing to happen.
        later = sum(line.day > survey.closed_on for line in lines)
        what = (describe_automatic_closing(survey),)
        lines.insert(later, LogLine(survey.closed_on, None, "Candor", what))
    return lines


def describe_automatic_closing(survey: Survey) -> str:
    if survey.closed_on == survey.closes_on:
        return _("Closed by itself after the last day.")
    if number := survey.closes_at():
        return _("Closed by itself at %s responses.") % format_integer(number)
    return _("Closed by a command.")


def translate_entry(entry: LogEntry) -> Iterator[str]:
    """Yield what the entry says, as Django words it, one sentence for each object."""
    try:
        parts = json.loads(entry.change_message)
    except json.JSONDecodeError:
        parts = None
    if isinstance(parts, dict) and "told" in parts:
        yield " ".join(str(Sentence.from_json(each)) for each in parts["told"])
    elif isinstance(parts, list) and parts:
        for part in parts:
            if part == {"added": {}}:
                yield _("Created.")
                continue
            translated = json.dumps([translate_labels(part)])
            yield LogEntry(change_message=translated).get_change_message()
    else:
        # Until sentences were kept as data, those with blanks stayed as they were said.
        yield _(entry.change_message) if entry.change_message else ""


def translate_labels(part: object) -> object:
    """Return what was done with the names of fields as forms label them.

    Django writes labels, whose first letter is a capital, and looks up those.
    """
    if not isinstance(part, dict):
        return part
    return {
        action: change | {"fields": [translate_text(name) for name in change["fields"]]}
        if "fields" in change
        else change
        for action, change in part.items()
    }
