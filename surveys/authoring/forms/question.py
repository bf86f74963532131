from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

from django import forms
from django.conf import settings
from django.forms.boundfield import BoundField
from django.utils.functional import Promise
from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from candor.mechanisms import Family, Mechanism, load_families
from surveys.authoring.families import list_family_groups
from surveys.authoring.forms.inputs import (
    BLANK,
    SWITCHES,
    find_skip_field,
    get_blank_parameters,
    list_inputs,
    make_family_field,
    make_family_inputs,
    read_table,
)
from surveys.authoring.hints import Hint, find_hints, serialize_hints
from surveys.authoring.library import find_wording, list_library, list_wordings
from surveys.authoring.renumbering import refuse_long_lines
from surveys.authoring.strengths import STRENGTHS
from surveys.kinds import (
    BACKGROUND,
    KINDS,
    SCALE,
    SEVERAL_ANSWERS,
    YES_OR_NO,
    Kind,
    find_kind,
    find_kind_of_table,
    get_field_name,
    list_families,
    recognise_skip,
)
from surveys.kinds.kind import LABEL_FIELDS
from surveys.kinds.labels import get_default_labels
from surveys.kinds.tick_list import MAX_ITEMS
from surveys.kinds.yes_or_no import ANY_EPSILON
from surveys.models import Question, Survey
from surveys.models.conditions import renumber_condition
from surveys.models.translations import follow_labels
from surveys.text.explanations import Explanation, explain

LAST = 32_767
"""Position of a question without one: the maximum of PostgreSQL's smallint."""


@dataclass(frozen=True)
class ParameterGroup:
    family: Family
    fields: tuple[BoundField, ...]

    @property
    def name(self) -> str:
        return _(self.family.label)


@dataclass(frozen=True)
class ListedKind:
    """A kind to choose from, which may include families of other kinds."""

    label: Promise
    family: str

    @cached_property
    def families(self) -> list[str]:
        own = {self.family}
        return list_families(
            *(kind for kind in KINDS if own & {kind.family, kind.listed_as})
        )


LISTED_KINDS = tuple(
    ListedKind(kind.label, kind.family) for kind in KINDS if not kind.listed_as
)


@cache
def list_family_names() -> dict[str, str]:
    """Return {property: names of the families with it, separated by spaces}."""
    families = load_families()
    scrambled = [kind for kind in KINDS if kind is not BACKGROUND]
    found = {
        "direct": list_families(BACKGROUND),
        "innocuous": [n for n, f in families.items() if f.needs_innocuous_question],
        "scale": list_families(SCALE),
        "skippable": [name for name in families if find_skip_field(name) == "skip"],
        "scrambled": list_families(*scrambled),
        "timeless": list_families(*(kind for kind in KINDS if kind.is_timeless)),
        "yes_or_no": [name for name, family in families.items() if family.answers],
    }
    return {name: " ".join(names) for name, names in found.items()}


class QuestionForm(forms.ModelForm):  # type: ignore[type-arg]
    """A question with the inputs of every family; only the chosen one's are read."""

    # Otherwise collected from each input of each form, none of which has a script.
    media = forms.Media()

    panel: object = None
    refused = ""
    """Set by the planner: its panel below the question, or why it refuses inputs."""

    is_open = True
    has_inputs = True
    """Whether they are on the page. If not, a script copies those of the blank card."""

    kinds = LISTED_KINDS
    kinds_with_inputs = tuple(kind for kind in KINDS if kind.template_name)
    switches = tuple(switch for kind in KINDS for switch in kind.switches)
    families = staticmethod(list_family_names)

    class Meta:
        model = Question
        fields = [
            "position", "text", "family", "innocuous_question", *Question.PRESENTATION
        ]  # fmt: skip
        labels = {"position": gettext_lazy("Order")}
        help_texts = {"position": gettext_lazy("Empty: at the end.")}
        widgets = {
            "text": forms.Textarea(attrs={"rows": 2}),
            "section_text": forms.Textarea(attrs={"rows": 2}),
        }

    def __init__(
        self,
        *args: Any,
        language: str = settings.LANGUAGE_CODE,
        template: str = "",
        is_by_hand: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **{"label_suffix": "", **kwargs})
        self.language = language
        self.is_by_hand = is_by_hand
        self.fields["position"].required = False
        hints = f"{self['text'].id_for_label}_hints"
        self.fields["text"].widget.attrs["aria-describedby"] = hints
        is_gone = self.instance.family not in load_families()
        self.fields["family"] = make_family_field(is_gone=is_gone)
        self.fields.update(make_family_inputs(language))
        self.initial.update(self.read_stored_inputs())
        if template:
            self.initial.update(get_initial(template, language))

    def list_stored_labels(self) -> list[str]:
        choices = self.instance.choices.all() if self.instance.pk else []
        return [choice.label for choice in choices]

    @cached_property
    def stored_without_skip(self) -> dict[str, str]:
        """The family and inputs of a skippable question before `Kind.add_skip`."""
        family = load_families().get(self.instance.family)
        if family is None or (self.is_by_hand and not family.without_skip):
            return {}
        parameters, labels = self.instance.parameters, self.list_stored_labels()
        return recognise_skip(family, parameters, labels, self.language)

    def read_stored_inputs(self) -> dict[str, Any]:
        labels, without_skip = self.list_stored_labels(), self.stored_without_skip
        if without_skip:
            labels = labels[:-1]
        held: dict[str, Any] = {**BLANK, "skip": True, "skip_scale": False}
        if self.instance.pk:
            held |= dict.fromkeys(SWITCHES, False)
        # The list of answers is also filled in for the family that is stored.
        for name in (self.instance.family, without_skip.get("family", "")):
            if family := load_families().get(name):
                held |= find_kind(family).fill_inputs(labels, self.instance.scale)
                held |= {
                    get_field_name(family, each): value
                    for each, value in self.instance.parameters.items()
                }
                held |= {
                    get_field_name(family, each): "\n".join(labels)
                    for each in family.counted(0)
                }
        for name in LABEL_FIELDS:
            held[name] = self.fields[name].to_python(held.get(name))
        if without_skip:
            held[find_skip_field(without_skip["family"])] = True
        return held | without_skip

    @property
    def switch_if_skipped(self) -> str:
        """The switch that lets respondents skip it; empty if they may not."""
        switch = find_skip_field(self["family"].value() or "")
        return switch if switch and not self.is_by_hand and self[switch].value() else ""

    def group_inputs(self, found: Sequence[Family]) -> Iterator[ParameterGroup]:
        for family in found:
            parameters = sorted(
                find_kind(family).list_parameters(family),
                key=lambda item: not item.counts_answers,
            )
            names = [get_field_name(family, item.name) for item in parameters]
            if names:
                yield ParameterGroup(family, tuple(self[name] for name in names))

    def groups_for_several_answers(self) -> Iterator[ParameterGroup]:
        found = [each for each in load_families().values() if each.counted(0)]
        return self.group_inputs([each for each in found if not each.is_scale])

    def groups_for_scales(self) -> Iterator[ParameterGroup]:
        names = list_families(SCALE)
        return self.group_inputs([load_families()[name] for name in names])

    def scale_inputs(self) -> list[BoundField]:
        return [self[name] for name in SCALE.blank]

    def presentation_fields(self) -> list[BoundField]:
        return [self[name] for name in Question.PRESENTATION]

    def has_presentation(self) -> bool:
        return any(
            field.value() or field.errors for field in self.presentation_fields()
        )

    def group_for_epsilon(self) -> Iterator[ParameterGroup]:
        return self.group_inputs([load_families()[ANY_EPSILON]])

    def groups_for_other_families(self) -> Iterator[ParameterGroup]:
        found = [
            each.family for group in list_family_groups() for each in group.families
        ]
        return self.group_inputs(
            [each for each in found if each.identifier != ANY_EPSILON]
        )

    @property
    def chosen(self) -> Family | None:
        return load_families().get(self["family"].value())

    @property
    def kind(self) -> Kind | None:
        return find_kind(self.chosen) if self.chosen else None

    def render_hidden_inputs(self) -> SafeString:
        """Return hidden inputs of all values that differ from a blank card.

        Not in a template, whose spaces alone would be 100 KB for 200 questions.
        """
        read = list_inputs(self.chosen) if self.chosen else ["family"]
        names = ["id", "position", "text", *read, "innocuous_question"]
        names += [*Question.PRESENTATION, *SWITCHES]
        if self.is_bound:
            names += [name for name in self.fields if name not in {*names, "survey"}]
        offered = get_blank_parameters() | BLANK
        found: list[tuple[str, str]] = []
        for name in names:
            value = self[name].value()
            shown = "on" if value is True else str(value or "")
            # A card that was folded before does not send it.
            is_absent = value is None and name in offered
            is_blank = shown == ("" if name in read else offered.get(name, ""))
            if name in {"position", "text"} or not (is_absent or is_blank):
                found.append((self.add_prefix(name), shown))
        return format_html_join("", '<input type="hidden" name="{}" value="{}">', found)

    @cached_property
    def changed_data(self) -> list[str]:
        """Changed inputs, except those that a folded card does not send."""
        read = set(list_inputs(self.chosen)) if self.chosen else set()
        unread = {*LABEL_FIELDS, *BLANK, *get_blank_parameters()} - read
        unread |= {*SWITCHES} - {find_skip_field(self["family"].value() or "")}
        if not self.instance.pk:
            unread |= {*SWITCHES}
        changed = [name for name in super().changed_data if name not in unread]
        # The skip answer may still be labelled in the survey's former language.
        usual = get_default_labels(self.language)[-1]
        is_skipped = self.switch_if_skipped == Kind.skip_field
        if (
            is_skipped
            and not changed
            and self.list_stored_labels()[-1:] not in ([], [usual])
        ):
            changed.append(Kind.skip_field)
        return changed

    def hints(self) -> list[Hint]:
        return list(
            find_hints(
                self["text"].value() or "",
                language=self.language,
                is_yes_or_no=bool(self.chosen and self.chosen.answers),
                is_timeless=bool(self.kind and self.kind.is_timeless),
            )
        )

    def explanation(self) -> Explanation | None:
        if self.is_bound or not self.instance.pk:
            return None
        return explain(self.instance)

    def clean_position(self) -> int:
        position: int | None = self.cleaned_data["position"]
        return LAST if position is None else position

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        if self.is_by_hand:
            cleaned |= dict.fromkeys(SWITCHES, False)
        if family := load_families().get(cleaned.get("family", "")):
            try:
                mechanism, labels, scale = read_table(
                    family, cleaned, language=self.language
                )
            except forms.ValidationError as error:
                self.add_error(None, error)
            else:
                self.labels = self.keep_stored_labels(mechanism, labels)
                self.instance.scale = scale and scale.to_dict()
                self.instance.parameters = dict(mechanism.parameters)
                cleaned["family"] = mechanism.family
        return cleaned

    def keep_stored_labels(self, mechanism: Mechanism, labels: list[str]) -> list[str]:
        """Return the labels, including those from a file that have no input."""
        stored = load_families().get(self.instance.family)
        kind = find_kind_of_table(mechanism)
        if stored is None or find_kind(stored) is not kind:
            return labels
        if bool(stored.without_skip) != mechanism.can_be_skipped:
            return labels
        return kind.keep_labels(labels, self.list_stored_labels(), mechanism)

    def clean_for_mode(self, mode: str) -> None:
        question = self.instance
        by_hand = mode == Survey.Mode.HAND
        found = (
            question.find_problems_by_hand()
            if by_hand
            else question.find_problems_by_machine()
        )
        for problem in found:
            self.add_error(problem.field, problem.text)

    def save(self, commit: bool = True) -> Question:
        self.instance.translations = follow_labels(
            self.instance.translations, self.list_stored_labels(), self.labels
        )
        question: Question = super().save(commit=commit)
        if commit:
            question.set_choices(self.labels)
        return question


def get_initial(template: str, language: str) -> dict[str, str]:
    wording = find_wording(template, language)
    if wording is None:
        return {}
    if not wording.choices:
        return {"text": wording.text}
    family = load_families()[SEVERAL_ANSWERS.family]
    (name,) = family.counted(len(wording.choices))
    return {
        "text": wording.text,
        "family": family.identifier,
        get_field_name(family, name): "\n".join(wording.choices),
    }


MAX_INPUT_ANSWERS = 5
"""Up to this many questions have all inputs on the page, so that they can be edited on
one page without scripts. Of more, only open ones have: 50 would take 500 KB."""


class StoredQuestionField(forms.ModelChoiceField):  # type: ignore[type-arg]
    """The key of a question; all questions of the survey are read by one query."""

    stored: Mapping[str, Question]

    def to_python(self, value: Any) -> Question | None:
        return self.stored.get(str(value)) or super().to_python(value)


class QuestionFormSet(forms.BaseInlineFormSet):  # type: ignore[type-arg]
    instance: Survey
    forms: list[Any]

    template: str = ""
    """The key of the library question that the first new form is filled with."""

    opened: int | None = None
    """The number of the question whose card is requested, 1 for the first."""

    is_with_library = False
    """Whether the address requests the library, as without scripts."""

    family_of_several_answers = SEVERAL_ANSWERS.family
    family_of_yes_or_no = YES_OR_NO.family
    offered_families = staticmethod(list_family_groups)
    hint_rules = staticmethod(serialize_hints)
    strengths = STRENGTHS
    most_items = MAX_ITEMS
    library = staticmethod(list_library)
    library_wordings = staticmethod(list_wordings)

    def get_form_kwargs(self, index: int | None) -> dict[str, Any]:
        shared = {
            **super().get_form_kwargs(index),
            "language": self.instance.language,
            "is_by_hand": self.instance.mode == Survey.Mode.HAND,
        }
        # Not for a posted form: its texts would equal `initial` and count as unchanged.
        if index == self.initial_form_count() and not self.is_bound:
            return {**shared, "template": self.template}
        return shared

    @cached_property
    def stored(self) -> dict[str, Question]:
        return {str(each.pk): each for each in self.get_queryset()}

    def add_fields(self, form: Any, index: int | None) -> None:
        super().add_fields(form, index)
        key = form.fields["id"]
        form.fields["id"] = StoredQuestionField(
            key.queryset, initial=key.initial, required=False, widget=key.widget
        )
        form.fields["id"].stored = self.stored

    @cached_property
    def empty_form(self) -> Any:
        # Django makes a new one on each access.
        return super().empty_form

    def fold(self) -> None:
        """Open the cards with errors, else the one requested, else the first."""
        wrong = [form for form in self.forms if self.is_bound and form.errors]
        place = (self.opened or 1) - 1
        if self.total_form_count() > self.initial_form_count() and not self.is_bound:
            place = self.initial_form_count()
        opened = wrong or self.forms[place : place + 1] or self.forms[:1]
        has_few = len(self.forms) <= MAX_INPUT_ANSWERS
        for form in self.forms:
            form.is_open = form in opened
            form.has_inputs = has_few or form.is_open

    @property
    def has_library(self) -> bool:
        """Whether the page includes it; with many questions a script fetches it."""
        return self.is_with_library or len(self.forms) <= MAX_INPUT_ANSWERS

    def list_kept_forms(self) -> list[Any]:
        # Read once: Django searches all forms on each access.
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
        kept = self.list_kept_forms()
        for form in kept:
            form.clean_for_mode(self.instance.mode)
        for position, form in enumerate(sorted(kept, key=get_wanted_position), start=1):
            form.instance.position = position
        self.refuse_long_texts(kept)

    def refuse_long_texts(self, kept: Sequence[Any]) -> None:
        """Refuse texts that name questions and are too long with the new numbers."""
        places: dict[int, int | None] = {
            form.initial["position"]: None for form in self.initial_forms
        }
        for form in kept:
            if form.instance.pk:
                places[form.initial["position"]] = form.instance.position
        if all(before == now for before, now in places.items()):
            return
        for form in kept:
            condition = form.instance.show_if
            # One that was edited uses the numbers on the page.
            if condition and "show_if" not in form.changed_data:
                now = renumber_condition(condition, places)
                try:
                    form.fields["show_if"].run_validators(now)
                except forms.ValidationError as error:
                    form.add_error("show_if", error)
        refuse_long_lines(self.instance, places)

    def save(self, commit: bool = True) -> list[Any]:
        saved: list[Any] = super().save(commit=commit)
        # Questions that were not edited move when others do.
        for form in self.list_kept_forms():
            moved = form.instance.position != form.initial.get("position")
            if moved and not form.has_changed():
                form.instance.save(update_fields=["position"])
        return saved


def get_wanted_position(form: QuestionForm) -> float:
    """Return a sort key that puts a moved question at the position it requests."""
    wanted: int = form.cleaned_data["position"]
    before: int = form.initial.get("position") or LAST
    # By half a position: the question there makes room, upwards or downwards.
    return wanted + 0.5 * ((wanted > before) - (wanted < before))
