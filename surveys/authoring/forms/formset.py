from dataclasses import asdict
from typing import Any

from django import forms

from surveys.authoring.forms.question import (
    FAMILY_OF_SEVERAL_ANSWERS,
    LAST,
    QuestionForm,
)
from surveys.authoring.hints import hints_as_json
from surveys.authoring.library.entries import library
from surveys.authoring.library.template import QuestionTemplate
from surveys.models import Survey


class QuestionFormSet(forms.BaseInlineFormSet):  # type: ignore[type-arg]
    """The questions of one survey, numbered 1, 2, 3 ... as they are saved."""

    instance: Survey

    template: QuestionTemplate | None = None
    """The question of the library with which the first new form is filled."""

    family_of_several_answers = FAMILY_OF_SEVERAL_ANSWERS

    def get_form_kwargs(self, index: int | None) -> dict[str, Any]:
        """Let wordings that nobody typed be in the language of the survey."""
        shared = {**super().get_form_kwargs(index), "language": self.instance.language}
        # Once it is sent, it has to count as typed: filled in again, it would not.
        if index == self.initial_form_count() and not self.is_bound:
            return {**shared, "template": self.template}
        return shared

    def library(self) -> list[dict[str, Any]]:
        return list(library())

    def library_wordings(self) -> dict[str, Any]:
        """Return what static/js/authoring/library.js fills in, by key and language."""
        return {
            entry["key"]: {
                language: asdict(wording)
                for language, wording in entry["wordings"].items()
            }
            for field in library()
            for entry in field["entries"]
        }

    def hint_rules(self) -> dict[str, Any]:
        return hints_as_json()

    def kept_forms(self) -> list[Any]:
        return [
            form
            for form in self.forms
            if form not in self.deleted_forms
            and (form.instance.pk or form.has_changed())
        ]

    def clean(self) -> None:
        super().clean()
        if any(self.errors):
            return
        kept = self.kept_forms()
        if self.instance.mode == Survey.Mode.HAND:
            for form in kept:
                form.clean_for_hand()
        else:
            for form in kept:
                form.clean_for_machines()
        for position, form in enumerate(sorted(kept, key=wanted_place), start=1):
            form.instance.position = position

    def save(self, commit: bool = True) -> list[Any]:
        saved: list[Any] = super().save(commit=commit)
        # Questions that nobody edited move when others do.
        for form in self.kept_forms():
            moved = form.instance.position != form.initial.get("position")
            if moved and not form.has_changed():
                form.instance.save(update_fields=["position"])
        return saved


def wanted_place(form: QuestionForm) -> float:
    """Return a sort key by which a moved question takes the place that it names."""
    wanted: int = form.cleaned_data["position"]
    before: int = form.initial.get("position") or LAST
    # Half a place: the question that stood there makes room, up or down.
    return wanted + 0.5 * ((wanted > before) - (wanted < before))
