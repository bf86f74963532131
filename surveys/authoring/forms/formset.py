from typing import Any

from django import forms
from django.utils.functional import cached_property

from surveys.authoring.forms.question import LAST, QuestionForm
from surveys.authoring.hints import serialize_hints
from surveys.authoring.kinds import KINDS, SEVERAL_ANSWERS, YES_OR_NO, family_groups
from surveys.authoring.library.entries import list_library, list_wordings
from surveys.authoring.library.template import QuestionTemplate
from surveys.models import Survey

MOST_WITH_INPUTS = 5
"""Questions all of whose inputs come with the page: without scripts they are changed on
one page. Of more only those that are open, or a page of 50 would be of 500 KB."""


class QuestionFormSet(forms.BaseInlineFormSet):  # type: ignore[type-arg]
    """The questions of one survey, numbered 1, 2, 3 ... as they are saved."""

    instance: Survey
    forms: list[Any]

    template: QuestionTemplate | None = None
    """The question of the library with which the first new form is filled."""

    opened: int | None = None
    """The number of the question whose card is asked for, 1 for the first."""

    is_with_library = False
    """Whether the library is asked for, as without scripts."""

    family_of_several_answers = SEVERAL_ANSWERS.family
    family_of_yes_or_no = YES_OR_NO.family
    kinds = KINDS
    family_groups = staticmethod(family_groups)

    def get_form_kwargs(self, index: int | None) -> dict[str, Any]:
        """Let wordings that nobody typed be in the language of the survey."""
        shared = {**super().get_form_kwargs(index), "language": self.instance.language}
        # Once it is sent, it has to count as typed: filled in again, it would not.
        if index == self.initial_form_count() and not self.is_bound:
            return {**shared, "template": self.template}
        return shared

    @cached_property
    def empty_form(self) -> Any:
        # Django makes another one each time that it is asked for.
        return super().empty_form

    def fold(self) -> None:
        """Decide which cards are open: those in error, that asked for, or the first."""
        wrong = [form for form in self.forms if self.is_bound and form.errors]
        place = (self.opened or 1) - 1
        if self.total_form_count() > self.initial_form_count() and not self.is_bound:
            place = self.initial_form_count()
        opened = wrong or self.forms[place : place + 1] or self.forms[:1]
        has_few = len(self.forms) <= MOST_WITH_INPUTS
        for form in self.forms:
            form.is_open = form in opened
            form.has_inputs = has_few or form.is_open

    @property
    def has_library(self) -> bool:
        """Whether it comes with the page; with many questions it is fetched."""
        return self.is_with_library or len(self.forms) <= MOST_WITH_INPUTS

    def library(self) -> list[dict[str, Any]]:
        return list(list_library())

    def library_wordings(self) -> dict[str, Any]:
        return list_wordings()

    def hint_rules(self) -> dict[str, Any]:
        return serialize_hints()

    def kept_forms(self) -> list[Any]:
        # Asked for once: Django looks through all forms for each list of them.
        deleted = set(map(id, self.deleted_forms))
        return [
            form
            for form in self.forms
            if id(form) not in deleted and (form.instance.pk or form.has_changed())
        ]

    def clean(self) -> None:
        super().clean()
        if any(self.errors):
            return
        kept = self.kept_forms()
        for form in kept:
            form.clean_for_mode(self.instance.mode)
        for position, form in enumerate(sorted(kept, key=get_wanted_position), start=1):
            form.instance.position = position

    def save(self, commit: bool = True) -> list[Any]:
        saved: list[Any] = super().save(commit=commit)
        # Questions that nobody edited move when others do.
        for form in self.kept_forms():
            moved = form.instance.position != form.initial.get("position")
            if moved and not form.has_changed():
                form.instance.save(update_fields=["position"])
        return saved


def get_wanted_position(form: QuestionForm) -> float:
    """Return a sort key by which a moved question takes the place that it names."""
    wanted: int = form.cleaned_data["position"]
    before: int = form.initial.get("position") or LAST
    # Half a place: the question that stood there makes room, up or down.
    return wanted + 0.5 * ((wanted > before) - (wanted < before))
