from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from typing import Any

from django import forms
from django.conf import settings
from django.forms.boundfield import BoundField
from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from candor.mechanisms import Family, load_families
from candor.mechanisms.scale import Scale, ScaleError
from surveys.authoring.forms.inputs import (
    LABEL_FIELDS,
    SCALE_FIELDS,
    SKIPPABLE,
    SWITCHES,
    get_blank_parameters,
    get_field_name,
    get_switch,
    list_inputs,
    list_parameters,
    make_family_field,
    make_family_inputs,
    read_table,
)
from surveys.authoring.hints import Hint, find_hints, serialize_hints
from surveys.authoring.kinds import (
    BACKGROUND,
    FAMILY_SWITCHES,
    KINDS,
    SCALE,
    SEVERAL_ANSWERS,
    YES_OR_NO,
    Kind,
    family_groups,
    find_kind,
)
from surveys.authoring.library import (
    QuestionTemplate,
    list_library,
    list_wordings,
    translate_template,
)
from surveys.authoring.strengths import COIN_EPSILON, STRENGTHS
from surveys.models import Question, Survey, get_default_labels
from surveys.models.question import find_decline_answer, parse_end_meanings
from surveys.models.tick_lists import MAX_ITEMS
from surveys.text.explanations import Explanation, explain

FAMILY_OF_EPSILON = "epsilon"
"""The one that "Exactly ..." opens for Yes and No."""

LAST = 32_767
"""Position of a question without one: the largest that PostgreSQL's smallint holds."""


@dataclass(frozen=True)
class ParameterGroup:
    family: Family
    fields: tuple[BoundField, ...]

    @property
    def name(self) -> str:
        return _(self.family.label)


@cache
def list_family_names() -> dict[str, str]:
    """Return the families that have something in common, as templates name them."""
    families, scales, direct = load_families(), SCALE.families, BACKGROUND.families
    yes_or_no = [name for name, family in families.items() if family.answers]
    found = {
        "direct": direct,
        "innocuous": [n for n, f in families.items() if f.needs_innocuous_question],
        "scale": scales,
        "skippable": [each for each in SKIPPABLE if each not in scales],
        "scrambled": [*YES_OR_NO.families, *SEVERAL_ANSWERS.families, *scales],
        "timeless": [*scales, *direct],
        "yes_or_no": yes_or_no,
    }
    return {name: " ".join(names) for name, names in found.items()}


class QuestionForm(forms.ModelForm):  # type: ignore[type-arg]
    """A question with the inputs of every family; only the chosen one's are read."""

    # Asked of each input of each form otherwise; none of them has a script of its own.
    media = forms.Media()

    panel: object = None
    refused = ""
    """What a planner shows below it, or says of its inputs."""

    is_open = True
    """Whether its card is unfolded."""
    has_inputs = True
    """Whether they come with the page. Else a script makes them of the blank card's."""

    kinds = KINDS
    switches = FAMILY_SWITCHES
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
        template: QuestionTemplate | None = None,
        is_by_hand: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **{"label_suffix": "", **kwargs})
        self.language = language
        self.usual = get_default_labels(language)
        self.is_by_hand = is_by_hand
        self.fields["position"].required = False
        hints = f"{self['text'].id_for_label}_hints"
        self.fields["text"].widget.attrs["aria-describedby"] = hints
        is_gone = self.instance.family not in load_families()
        self.fields["family"] = make_family_field(is_gone=is_gone)
        self.fields.update(make_family_inputs(language))
        self.initial.update(self.stored_inputs())
        self.initial["skip"] = not self.instance.pk or bool(self.stored_decline())
        self.initial["skip_scale"] = bool(self.stored_base)
        if self.stored_base:
            self.initial["family"] = self.stored_base
        if self.stored_decline():
            self.initial.update(self.stored_pair())
        if template:
            self.initial.update(get_initial(template, language))

    def stored_labels(self) -> list[str]:
        choices = self.instance.choices.all() if self.instance.pk else []
        return [choice.label for choice in choices]

    @property
    def stored_base(self) -> str:
        """The family of a scale that can be skipped without its switch."""
        family = load_families().get(self.instance.family)
        return family.without_skip if family else ""

    def stored_scale(self) -> dict[str, str]:
        labels = self.stored_labels()
        if self.stored_base:
            labels = labels[:-1]
        if not (self.instance.is_scale and len(labels) > 1):
            return SCALE_FIELDS
        try:
            scale = Scale.of(self.instance.scale, len(labels))
        except ScaleError:
            return SCALE_FIELDS
        first, last = parse_end_meanings(labels)
        values = (scale.low, scale.high, scale.step, first, last)
        return dict(zip(SCALE_FIELDS, map(str, values), strict=True))

    def stored_inputs(self) -> dict[str, Any]:
        labels = self.stored_labels()
        held: dict[str, Any] = dict(zip(LABEL_FIELDS, labels, strict=False))
        held |= self.stored_scale()
        name_of_family = self.stored_base or self.instance.family
        if family := load_families().get(name_of_family):
            for name, value in self.instance.parameters.items():
                held[get_field_name(family, name)] = value
            kept = labels[:-1] if self.stored_decline() else labels
            for name in family.counted(0):
                held[get_field_name(family, name)] = "\n".join(kept)
        return held

    def stored_decline(self) -> int | None:
        """Return the place of the answer that the switch `skip` stands for."""
        if self.is_by_hand or self.instance.family not in SKIPPABLE.values():
            return None
        if self.stored_base:
            return len(self.stored_labels()) - 1
        return find_decline_answer(self.stored_labels(), self.language)

    @property
    def switch_if_skipped(self) -> str:
        """The name of the switch that lets respondents skip it; empty if they may not.

        By hand they may not.
        """
        family = self["family"].value()
        if family not in SKIPPABLE or self.is_by_hand:
            return ""
        switch = get_switch(family)
        return switch if self[switch].value() else ""

    def stored_pair(self) -> dict[str, str]:
        """Return the family by which Yes and No got one more answer, if they did."""
        if tuple(self.stored_labels()[:-1]) != self.usual[:2]:
            return {}
        if self.instance.family == SKIPPABLE["direct"]:
            return {"family": "direct"}
        epsilon = str(self.instance.parameters["epsilon"])
        is_coin = Fraction(epsilon) == Fraction(COIN_EPSILON)
        name = get_field_name(load_families()[FAMILY_OF_EPSILON], "epsilon")
        return {"family": "coin"} if is_coin else {"family": "epsilon", name: epsilon}

    def group_inputs(self, found: Sequence[Family]) -> Iterator[ParameterGroup]:
        for family in found:
            parameters = sorted(
                list_parameters(family), key=lambda item: not item.counts_answers
            )
            names = [get_field_name(family, item.name) for item in parameters]
            if names:
                yield ParameterGroup(family, tuple(self[name] for name in names))

    def groups_for_several_answers(self) -> Iterator[ParameterGroup]:
        found = [each for each in load_families().values() if each.counted(0)]
        return self.group_inputs([each for each in found if not each.is_scale])

    def groups_for_scales(self) -> Iterator[ParameterGroup]:
        return self.group_inputs([load_families()[name] for name in SCALE.families])

    def scale_inputs(self) -> list[BoundField]:
        return [self[name] for name in SCALE_FIELDS]

    def presentation_fields(self) -> list[BoundField]:
        return [self[name] for name in Question.PRESENTATION]

    def has_presentation(self) -> bool:
        """Return whether one of these inputs holds something or is wrong."""
        return any(
            field.value() or field.errors for field in self.presentation_fields()
        )

    def group_for_epsilon(self) -> Iterator[ParameterGroup]:
        return self.group_inputs([load_families()[FAMILY_OF_EPSILON]])

    def groups_for_other_families(self) -> Iterator[ParameterGroup]:
        found = [each.family for group in family_groups() for each in group.families]
        return self.group_inputs(
            [each for each in found if each.identifier != FAMILY_OF_EPSILON]
        )

    @property
    def chosen(self) -> Family | None:
        return load_families().get(self["family"].value())

    @property
    def kind(self) -> Kind | None:
        return find_kind(self.chosen) if self.chosen else None

    def render_hidden_inputs(self) -> SafeString:
        """Return hidden inputs of all that a blank card does not hold.

        Not in a template: of 200 questions its spaces alone would be 100 KB.
        """
        read = list_inputs(self.chosen) if self.chosen else ["family"]
        names = ["id", "position", "text", *read, "innocuous_question"]
        names += [*Question.PRESENTATION, *SWITCHES]
        if self.is_bound:
            names += [name for name in self.fields if name not in {*names, "survey"}]
        offered = get_blank_parameters() | SCALE_FIELDS
        found: list[tuple[str, str]] = []
        for name in names:
            value = self[name].value()
            shown = "on" if value is True else str(value or "")
            # Not sent by a card that was folded before.
            is_absent = value is None and name in offered
            is_blank = shown == ("" if name in read else offered.get(name, ""))
            if name in {"position", "text"} or not (is_absent or is_blank):
                found.append((self.add_prefix(name), shown))
        return format_html_join("", '<input type="hidden" name="{}" value="{}">', found)

    @cached_property
    def changed_data(self) -> list[str]:
        """Without the inputs that nobody reads: a folded card does not send them."""
        read = set(list_inputs(self.chosen)) if self.chosen else set()
        unread = {*LABEL_FIELDS, *SCALE_FIELDS, *get_blank_parameters()} - read
        family = self["family"].value()
        switch = get_switch(family) if family in SKIPPABLE else ""
        unread |= {*SWITCHES} - {switch}
        if not self.instance.pk:
            unread |= {*SWITCHES}
        return [name for name in super().changed_data if name not in unread]

    def hints(self) -> list[Hint]:
        return list(
            find_hints(
                self["text"].value() or "",
                language=self.language,
                is_yes_or_no=bool(self.chosen and self.chosen.answers),
                is_timeless=self.kind in {SCALE, BACKGROUND},
            )
        )

    def explanation(self) -> Explanation | None:
        """Say what the stored table does; nothing while inputs are being corrected."""
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
                mechanism, self.labels, scale = read_table(
                    family, cleaned, self.usual, language=self.language
                )
            except forms.ValidationError as error:
                self.add_error(None, error)
            else:
                self.instance.scale = scale and scale.to_dict()
                is_same_kind = bool(self.stored_base) == mechanism.can_be_skipped
                if scale and is_same_kind:
                    self.labels = self.keep_stored_labels(self.labels)
                self.instance.parameters = dict(mechanism.parameters)
                cleaned["family"] = mechanism.family
        return cleaned

    def keep_stored_labels(self, labels: list[str]) -> list[str]:
        """Keep the wordings of the points between, which came with a file."""
        stored = self.stored_labels()
        if len(stored) != len(labels) or not self.instance.is_scale:
            return labels
        if self.stored_base:
            *stored, skipped = stored
            *labels, _usual = labels
            return [labels[0], *stored[1:-1], labels[-1], skipped]
        return [labels[0], *stored[1:-1], labels[-1]]

    def clean_for_mode(self, mode: str) -> None:
        question = self.instance
        by_hand = mode == Survey.Mode.HAND
        found = (
            question.problems_by_hand() if by_hand else question.problems_by_machine()
        )
        for problem in found:
            self.add_error(problem.field, problem.text)

    def save(self, commit: bool = True) -> Question:
        question: Question = super().save(commit=commit)
        if commit:
            question.set_choices(self.labels)
        return question


def get_initial(template: QuestionTemplate, language: str) -> dict[str, str]:
    wording = translate_template(template, language)
    if not wording.choices:
        return {"text": wording.text}
    family = load_families()[SEVERAL_ANSWERS.family]
    (name,) = family.counted(len(wording.choices))
    return {
        "text": wording.text,
        "family": family.identifier,
        get_field_name(family, name): "\n".join(wording.choices),
    }


MOST_WITH_INPUTS = 5
"""Questions all of whose inputs come with the page: without scripts they are changed on
one page. Of more only those that are open, or a page of 50 would be of 500 KB."""


class QuestionFormSet(forms.BaseInlineFormSet):  # type: ignore[type-arg]
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
    hint_rules = staticmethod(serialize_hints)
    strengths = STRENGTHS
    most_items = MAX_ITEMS
    library = staticmethod(list_library)
    library_wordings = staticmethod(list_wordings)

    def get_form_kwargs(self, index: int | None) -> dict[str, Any]:
        """Let wordings that nobody typed be in the language of the survey."""
        shared = {
            **super().get_form_kwargs(index),
            "language": self.instance.language,
            "is_by_hand": self.instance.mode == Survey.Mode.HAND,
        }
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
