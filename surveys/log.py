"""The log of a survey: which researcher did what with it, and when.

Never a word about respondents: no line is written when somebody answers. A survey that
closes by itself is closed by whoever comes by first, perhaps a respondent: its line is
made from the day alone, so that no time of a visit is kept.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime

from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.contenttypes.models import ContentType
from django.utils import timezone
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from surveys.models import Survey, Visitor, researcher

CLOSED = gettext_noop("Closed.")
"""Written when somebody closes a survey; without it the survey closed by itself."""


def record(user: Visitor, survey: Survey, message: str) -> None:
    """Add a line to the log of `survey`.

    A whole sentence is written as it stands in the sources (`gettext_noop`) and read
    in the language of the reader; one with names or numbers stays as it was said.
    """
    LogEntry.objects.log_actions(
        researcher(user).pk,
        [survey],
        CHANGE,
        change_message=message,
        single_object=True,
    )


@dataclass(frozen=True)
class Line:
    """One entry of the log."""

    day: date
    time: datetime | None
    who: str
    what: tuple[str, ...]
    """One sentence for each thing that was done at once."""


def lines_of(survey: Survey) -> list[Line]:
    """Return the log of `survey`, the latest line first."""
    entries = LogEntry.objects.filter(
        content_type=ContentType.objects.get_for_model(Survey),
        object_id=str(survey.pk),
    ).select_related("user")
    lines = [
        Line(
            day=timezone.localdate(entry.action_time),
            time=entry.action_time,
            who=entry.user.get_username(),
            what=tuple(sentences(entry)),
        )
        for entry in entries.order_by("-action_time", "-pk")
    ]
    was_closed_by_hand = any(line.what == (_(CLOSED),) for line in lines)
    if survey.closed_on and not was_closed_by_hand:
        # On the day that it closed, this was the last thing to happen.
        later = sum(line.day > survey.closed_on for line in lines)
        what = (closed_without_a_person(survey),)
        lines.insert(later, Line(survey.closed_on, None, "Candor", what))
    return lines


def closed_without_a_person(survey: Survey) -> str:
    if survey.closed_on == survey.closes_on:
        return _("Closed by itself: the last day was over.")
    if survey.closes_at_target:
        return _("Closed by itself at the planned number of responses.")
    return _("Closed by a command.")


def sentences(entry: LogEntry) -> Iterator[str]:
    """Yield what the entry says, as Django words it, one sentence for each object."""
    try:
        parts = json.loads(entry.change_message)
    except json.JSONDecodeError:
        parts = None
    if isinstance(parts, list) and parts:
        for part in parts:
            if part == {"added": {}}:
                yield _("Created.")
                continue
            told = json.dumps([with_translated_labels(part)])
            yield LogEntry(change_message=told).get_change_message()
    else:
        yield _(entry.change_message) if entry.change_message else ""


def with_translated_labels(part: object) -> object:
    """Return what was done with the names of fields as forms label them.

    Django writes labels, whose first letter is a capital, and looks up those.
    """
    if not isinstance(part, dict):
        return part
    return {
        action: told | {"fields": [label(name) for name in told["fields"]]}
        if "fields" in told
        else told
        for action, told in part.items()
    }


def label(name: str) -> str:
    found, unlabelled = _(name), name[:1].lower() + name[1:]
    return capfirst(_(unlabelled)) if found == name else found
