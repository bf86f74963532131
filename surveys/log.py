"""The log of a survey: which researcher did what with it, and when.

The log contains nothing about respondents: no line is written when a person answers. A
survey that closes automatically is closed by its first visitor after the end, perhaps a
respondent. Its line has only the day, so that the time of this visit is not stored.
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
"""Logged when a researcher closes a survey; without it, it closed automatically."""

EDIT_SESSION = timedelta(minutes=30)
"""Within this time, further edits of a draft by the same author are added to one line:
drafts are saved automatically, and a line for each save would hide all others."""

Part = dict[str, dict[str, Any]]
"""One change in the format of Django's admin; for a question, it includes its "pk"."""


def record(user: Visitor, survey: Survey, *messages: str | Sentence) -> None:
    """Add a line to the log of `survey`, which each reader sees translated.

    A sentence without blanks is stored as its source text (`gettext_noop`), others as
    data.
    """
    sentences = [
        each if isinstance(each, Sentence) else Sentence(each) for each in messages
    ]
    message = (
        json.dumps({"told": [each.to_json() for each in sentences]})
        if any(each.blanks for each in sentences)
        else " ".join(each.text for each in sentences)
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
    """Merge changes into one part for the survey and one for each question."""
    merged: dict[object, Part] = {}
    for number, part in enumerate(parts):
        ((action, change),) = part.items()
        # Entries from before questions were logged with their key are not merged.
        key = change.get("pk", number if "object" in change else "survey")
        before, earlier = next(iter(merged.get(key, {"": {}}).items()))
        if action == "deleted":
            merged.pop(key, None)
            if before != "added":
                merged[key] = part
        elif before == "added":
            merged[key] = {"added": {**earlier, "object": change["object"]}}
        else:
            fields = [*earlier.get("fields", []), *change.get("fields", [])]
            named = {"fields": list(dict.fromkeys(fields))} if fields else {}
            merged[key] = {action: {**change, **named}}
    return list(merged.values())


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
    """One sentence for each change that was saved together."""


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
        # Closing was the last event of its day.
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
    """Yield the sentences of an entry in Django's wording, one for each object."""
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
        # Earlier releases stored sentences with blanks in the author's language.
        yield _(entry.change_message) if entry.change_message else ""


def translate_labels(part: object) -> object:
    """Return a change with its field names translated.

    Django stores and looks up labels, which begin with a capital letter.
    """
    if not isinstance(part, dict):
        return part
    return {
        action: change | {"fields": [translate_text(name) for name in change["fields"]]}
        if "fields" in change
        else change
        for action, change in part.items()
    }
