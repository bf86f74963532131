"""Merge a posted page with changes that were saved since the page was loaded.

This is a three-way merge of each field: the state that the page loaded, the stored
state, and the posted one. If both sides changed a field, the author chooses.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext as _

from surveys.authoring.forms.question import LAST, QuestionForm
from surveys.authoring.history import (
    State,
    find_revisions,
    read_state,
    record_first_state,
)
from surveys.authoring.posted import NUMBER, group_inputs, knows_all_questions
from surveys.authoring.state_inputs import (
    REFERENCES,
    TEXT_INPUTS,
    describe_inputs,
    differs,
    follow,
    format_input,
    format_value,
    list_answers,
    make_question_form,
    make_survey_form,
    map_places,
    weave,
)
from surveys.files.definition import SURVEY_FIELDS
from surveys.models import Survey, Visitor

PREFIX = "questions"
MINE, THEIRS = "mine", "theirs"

FILLED_IN_IF_EMPTY = {"title", "slug"}
"""Fields that saving fills in: empty ones on the page are not a change."""


@dataclass(frozen=True)
class Conflict:
    """A field that both sides changed."""

    key: str
    name: str
    mine: str
    theirs: str
    chosen: str


@dataclass(frozen=True)
class Merge:
    posted: QueryDict
    """What the page would post if it included the changes saved meanwhile."""
    conflicts: Sequence[Conflict]
    version: int
    who: str
    """User who saved last; empty for the same user on another page."""
    when: datetime

    @property
    def is_open(self) -> bool:
        return not all(conflict.chosen for conflict in self.conflicts)

    def list_changes(self, sent: QueryDict) -> dict[str, str]:
        names = [n for n in dict.fromkeys([*sent, *self.posted]) if n != "version"]
        now = {name: self.posted.get(name, "") for name in names}
        return {name: now[name] for name in names if now[name] != sent.get(name, "")}


def merge_with_stored(user: Visitor, survey: Survey, posted: QueryDict) -> Merge | None:
    """Return the merge of an outdated page; None if the page is up to date.

    The caller has locked the survey's row.
    """
    record_first_state(survey)
    loaded, *saved = posted.get("version", "").split() or [str(survey.version)]
    if loaded == str(survey.version):
        return None
    # This page saved the stored state itself, without receiving the answer. If that
    # save made questions, the page would make them a second time.
    keys = survey.questions.values_list("pk", flat=True)
    if str(survey.version) in saved and knows_all_questions(posted, PREFIX, keys):
        return None
    newest = find_revisions(survey)[0]
    found = find_revisions(survey).filter(comment__in=[loaded, *saved])
    bases = {each.comment: each for each in found.reverse()}
    base = next((bases[v] for v in [*reversed(saved), loaded] if v in bases), None)
    merger = Merger(
        posted,
        read_state(base) if base else None,
        read_state(newest),
        survey,
        is_own_base=base is not None and base.comment in saved,
    )
    merged = merger.merge()
    saved_by = newest.user
    who = saved_by.get_username() if saved_by and saved_by.pk != user.pk else ""
    return Merge(merged, merger.conflicts, survey.version, who, newest.date_created)


class Merger:
    def __init__(
        self,
        sent: QueryDict,
        base: State | None,
        stored: State,
        survey: Survey,
        *,
        is_own_base: bool,
    ) -> None:
        self.sent, self.posted = sent, sent.copy()
        self.has_base, self.base, self.stored = bool(base), base or State(), stored
        self.survey, self.is_own_base = survey, is_own_base
        self.conflicts: list[Conflict] = []
        typed = sent.get(f"{PREFIX}-TOTAL_FORMS", "")
        self.total = int(typed) if NUMBER.fullmatch(typed) else 0
        inputs = group_inputs(sent, PREFIX)
        self.numbers = [number for number in sorted(inputs) if number < self.total]
        self.page = self.match_numbers()

    def match_numbers(self) -> dict[int, int]:
        """Return the number on the page of each question that is or was stored."""
        found: dict[int, int] = {}
        known = {str(pk): pk for pk in (*self.base.questions, *self.stored.questions)}
        for number in self.numbers:
            if pk := known.get(self.get(number, "id")):
                found.setdefault(pk, number)
        # A save without an answer may have made questions whose keys the page lacks.
        unknown = [pk for pk in self.stored.questions if pk not in found]
        if not self.is_own_base:
            unknown = [pk for pk in unknown if pk not in self.base.questions]
        made = {self.stored.questions[pk]["text"]: pk for pk in unknown}
        texts = {n: self.get(n, "text").strip() for n in self.numbers}
        new = [n for n, text in texts.items() if text and not self.get(n, "id")]
        same = {n: made.pop(texts[n]) for n in new if texts[n] in made}
        if self.is_own_base:
            others = (n for n in new if n not in same)
            same |= dict(zip(others, made.values(), strict=False))
        for number, pk in same.items():
            found[pk] = number
            self.put(number, "id", str(pk))
        return found

    def get(self, number: int, name: str) -> str:
        return self.sent.get(f"{PREFIX}-{number}-{name}", "")

    def put(self, number: int, name: str, value: str) -> None:
        self.set(f"{PREFIX}-{number}-{name}", value)

    def set(self, name: str, value: str) -> None:
        """Set an input; leave out an empty one, as browsers do with unticked boxes."""
        self.posted.pop(name, None)
        if value:
            self.posted[name] = value

    def is_removed(self, number: int) -> bool:
        return bool(self.posted.get(f"{PREFIX}-{number}-DELETE"))

    def merge(self) -> QueryDict:
        mine = self.read_order()
        for pk, number in self.page.items():
            self.merge_removal(pk, number)
        for pk in self.stored.questions:
            if pk not in self.page:
                self.add(pk)
        theirs = [self.page[pk] for pk in self.stored.questions]
        base = [self.page.get(pk, -1) for pk in self.base.questions]
        order = self.merge_order(mine, theirs, base)
        for place, number in enumerate(order, start=1):
            self.put(number, "position", str(place))
        self.base_to_stored = map_places(base, theirs)
        self.stored_to_merged = map_places(theirs, order)
        self.page_to_merged = map_places(mine, order)
        self.merge_survey()
        for pk, number in self.page.items():
            is_kept = pk in self.stored.questions and not self.is_removed(number)
            if is_kept and number in self.numbers:
                self.merge_question(pk, number)
        self.set("version", str(self.survey.version))
        return self.posted

    def merge_removal(self, pk: int, number: int) -> None:
        """Remove what one side removed, unless the other side changed it."""
        base, stored = self.base.questions.get(pk), self.stored.questions.get(pk)
        if stored is None and base and not self.is_changed_on_page(number, base):
            self.put(number, "DELETE", "on")
        elif stored and self.is_removed(number) and is_changed(base, stored):
            self.put(number, "DELETE", "")
            self.fill(number, pk)

    def is_changed_on_page(self, number: int, base: Mapping[str, Any]) -> bool:
        form = self.make_form(base)
        names = (*TEXT_INPUTS, *list_answers(form))
        return any(differs(form, name, self.get(number, name)) for name in names)

    def add(self, pk: int) -> None:
        self.page[pk] = number = self.total
        self.total += 1
        self.set(f"{PREFIX}-TOTAL_FORMS", str(self.total))
        self.put(number, "id", str(pk))
        self.fill(number, pk)

    def fill(self, number: int, pk: int) -> None:
        form = self.make_form(self.stored.questions[pk])
        for name in (*TEXT_INPUTS, *list_answers(form)):
            self.put(number, name, format_input(form, name))

    def make_form(self, values: Mapping[str, Any]) -> QuestionForm:
        return make_question_form(values, self.stored)

    def read_order(self) -> list[int]:
        keys = {self.page.get(pk): pk for pk in self.base.questions}

        def get_wanted_place(number: int) -> float:
            typed, pk = self.get(number, "position"), keys.get(number)
            wanted = int(typed) if NUMBER.fullmatch(typed) else LAST
            before = self.base.questions[pk]["position"] if pk else LAST
            return wanted + 0.5 * ((wanted > before) - (wanted < before))

        kept = [
            number
            for number in self.numbers
            if self.get(number, "text").strip() and not self.get(number, "DELETE")
        ]
        return sorted(kept, key=get_wanted_place)

    def merge_order(
        self, mine: Sequence[int], theirs: Sequence[int], base: Sequence[int]
    ) -> list[int]:
        sides = [[n for n in side if not self.is_removed(n)] for side in (mine, theirs)]
        common = set(sides[0]) & set(sides[1])
        if self.has_base:
            common &= set(base)
        own, other, before = (
            [n for n in side if n in common] for side in (*sides, base)
        )
        is_theirs = own == before != other
        if other not in (own, before) and own != before:
            shown = [self.list_texts(own), self.list_texts(other)]
            is_theirs = self.choose("order", _("Order of questions"), *shown) == THEIRS
        return weave(*(reversed(sides) if is_theirs else sides))

    def list_texts(self, numbers: Sequence[int]) -> str:
        lines = enumerate((self.get(each, "text") for each in numbers), start=1)
        return "\n".join(f"{place}. {text}" for place, text in lines)

    def merge_survey(self) -> None:
        base, stored = map(make_survey_form, (self.base, self.stored))
        for name in SURVEY_FIELDS:
            self.merge_field(base if self.has_base else None, stored, name, name)

    def merge_question(self, pk: int, number: int) -> None:
        values, before = self.stored.questions[pk], self.base.questions.get(pk)
        # A new condition uses the numbers of the page, which may have changed since.
        if values == before and self.get(number, "show_if") == values["show_if"]:
            return
        base = self.make_form(before) if before else None
        stored = self.make_form(values)
        for name in TEXT_INPUTS:
            self.merge_field(base, stored, name, f"{PREFIX}-{number}-{name}", pk)
        self.merge_answers(base, stored, number, pk)

    def merge_answers(
        self, base: QuestionForm | None, stored: QuestionForm, number: int, pk: int
    ) -> None:
        """Merge input by input if both sides have one mechanism, else as a whole."""
        sent, now = self.get(number, "family"), stored["family"].value()
        was = base["family"].value() if base else ""
        if sent == now:
            same = base if was == now else None
            for name in list_answers(stored):
                self.merge_field(same, stored, name, f"{PREFIX}-{number}-{name}", pk)
            return
        inputs = list_answers(base) if base else []
        is_theirs = base and not any(
            differs(base, name, self.get(number, name)) for name in inputs
        )
        is_mine = base and not any(
            format_input(base, name) != format_input(stored, name) for name in inputs
        )
        if not (is_mine or is_theirs):
            name = _("%(question)s, Kind and answers") % {
                "question": self.name_question(number)
            }
            mine = {each: self.get(number, each) for each in list_answers(stored, sent)}
            theirs = {each: format_input(stored, each) for each in list_answers(stored)}
            shown = [describe_inputs(stored, each) for each in (mine, theirs)]
            is_theirs = self.choose(f"{pk}-answers", name, *shown) == THEIRS
        if is_theirs:
            for name in list_answers(stored):
                self.put(number, name, format_input(stored, name))

    def name_question(self, number: int) -> str:
        return _("Question %s") % self.posted.get(f"{PREFIX}-{number}-position", "")

    def merge_field(
        self,
        base: forms.BaseForm | None,
        stored: forms.BaseForm,
        name: str,
        name_on_page: str,
        pk: int | None = None,
    ) -> None:
        sent, now = self.sent.get(name_on_page, ""), format_input(stored, name)
        is_reference = name in REFERENCES
        if not is_reference and not differs(stored, name, sent):
            return
        is_unwritten = not sent and name in FILLED_IN_IF_EMPTY
        if is_unwritten or (base and not differs(base, name, sent)):
            self.set(name_on_page, now)
            return
        mine = follow(name, sent, self.page_to_merged)
        self.set(name_on_page, mine)
        was = format_input(base, name) if base else None
        if was is not None:
            was = follow(name, was, self.base_to_stored)
        if was == follow(name, now, {}) or mine == follow(
            name, now, self.stored_to_merged
        ):
            return
        label, key = str(stored[name].label), name
        if pk is not None:
            number = self.page[pk]
            label, key = f"{self.name_question(number)}, {label}", f"{pk}-{name}"
        shown = [format_value(stored[name], each) for each in (mine, now)]
        if self.choose(key, label, *shown) == THEIRS:
            self.set(name_on_page, now)

    def choose(self, key: str, name: str, mine: str, theirs: str) -> str:
        """Return which text to keep; the author's is kept until they choose."""
        is_current = self.sent.get("seen") == str(self.survey.version)
        chosen = self.sent.get(f"choose-{key}", "") if is_current else ""
        chosen = chosen if chosen in {MINE, THEIRS} else ""
        self.conflicts.append(Conflict(key, name, mine, theirs, chosen))
        return chosen or MINE


def is_changed(base: Mapping[str, Any] | None, stored: Mapping[str, Any]) -> bool:
    """Return whether more changed than the position and numbers in conditions."""
    names = {each for each in stored if base is None or base.get(each) != stored[each]}
    return bool(names - {"position", "show_if"})
