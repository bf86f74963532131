from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any

from django.db import models
from django.utils import translation
from django.utils.formats import number_format
from django.utils.functional import Promise
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop

from candor.mechanisms import Mechanism, ParameterError, build, load_families
from candor.mechanisms.families.symmetric import LINKED_PAIR
from candor.mechanisms.scale import Scale, ScaleError
from surveys.models.conditions import CONDITIONS, Step, check_condition
from surveys.models.problem import Problem
from surveys.models.translations import (
    CHOICES,
    QUESTION_TEXTS,
    find_untranslated,
    select_translations,
)

DEFAULT_LABELS = ("Yes", "No", "Prefer not to answer")
"""Default labels of two or three answers, in English."""

PAIR_LABELS = (
    gettext_noop("Both"),
    gettext_noop("Only the first"),
    gettext_noop("Only the second"),
    gettext_noop("Neither"),
)
"""Default labels of a linked pair: yes to both questions, to one, to neither."""

BEFORE_MEANING = ": "
"""Between the value at an end of a scale and its meaning: "0: not at all"."""

VALUE_DIGITS = 6
"""Of a value that is no whole number: a third of 10 is 3.33333."""


def get_default_labels(language: str) -> tuple[str, ...]:
    with translation.override(language):
        return tuple(_(label) for label in DEFAULT_LABELS)


def get_pair_labels(language: str) -> tuple[str, ...]:
    with translation.override(language):
        return tuple(_(label) for label in PAIR_LABELS)


def find_decline_answer(choices: Sequence[str], language: str) -> int | None:
    """Return which answer is the usual "Prefer not to answer", if the last one is.

    Only the default label counts, in `language` or in English; under another label it
    is an answer like the others.
    """
    if len(choices) <= 2:
        return None
    usual = {get_default_labels(each)[-1].casefold() for each in (language, "en")}
    return len(choices) - 1 if choices[-1].strip().casefold() in usual else None


def find_declined(
    choices: Sequence[str], mechanism: Mechanism, language: str
) -> int | None:
    """Return the answer of those who skip a question, if it has one."""
    if mechanism.can_be_skipped:
        return len(choices) - 1
    return find_decline_answer(choices, language)


def label_mechanism(
    mechanism: Mechanism, scale: Mapping[str, object] | None, language: str
) -> tuple[str, ...]:
    """Return a label for each answer.

    Points of a scale are labelled by their values, more than three answers by their
    names in the mechanism.
    """
    answers, family = mechanism.answers, load_families().get(mechanism.family)
    if family and family.is_scale:
        points = label_scale(Scale.of(scale, mechanism.points), language)
        more = get_default_labels(language)[-1:] if mechanism.can_be_skipped else ()
        return (*points, *more)
    if mechanism.family == LINKED_PAIR:
        return get_pair_labels(language)
    defaults = get_default_labels(language)
    return answers if len(answers) > len(defaults) else defaults[: len(answers)]


def label_scale(
    scale: Scale, language: str, *, first: str = "", last: str = ""
) -> tuple[str, ...]:
    """Return the value of every point, those of the ends with what they mean."""
    with translation.override(language):
        values = [format_scale_value(value) for value in scale.values]
    for place, meaning in ((0, first), (-1, last)):
        if meaning:
            values[place] = f"{values[place]}{BEFORE_MEANING}{meaning}"
    return tuple(values)


def parse_end_meanings(labels: Sequence[str]) -> tuple[str, str]:
    """Return the meanings of both ends that `label_scale` wrote, or empty strings.

    `labels` are those of the points.
    """
    first, last = (
        label.partition(BEFORE_MEANING)[2] for label in labels[:: len(labels) - 1]
    )
    return first, last


def format_scale_value(value: Fraction) -> str:
    """Return a value of a scale as people read it, in the language at hand."""
    digits = f"{float(value):.{VALUE_DIGITS}g}" if value.denominator > 1 else str(value)
    return number_format(digits, use_l10n=True, force_grouping=False)


def get_family_choices() -> list[tuple[str, str | Promise]]:
    """Return the families found: a function, so that a new one needs no migration."""
    return [
        (name, gettext_lazy(family.label)) for name, family in load_families().items()
    ]


class Question(models.Model):
    survey = models.ForeignKey(
        "surveys.Survey", on_delete=models.CASCADE, related_name="questions"
    )
    position = models.PositiveSmallIntegerField()
    text = models.CharField(gettext_lazy("question"), max_length=500)
    family = models.CharField(
        gettext_lazy("mechanism"),
        max_length=50,
        default="coin",
        choices=get_family_choices,
    )
    parameters = models.JSONField(default=dict, blank=True)
    innocuous_question = models.CharField(
        gettext_lazy("harmless question"),
        max_length=300,
        blank=True,
        help_text=gettext_lazy(
            "A harmless question, such as: Is your mother's birthday in January, "
            "February or March?"
        ),
    )
    scale = models.JSONField(null=True, blank=True, editable=False)
    """What the first and the last answer stand for, where they are points of a scale:
    see `candor.mechanisms.scale`. None for 0, 1, 2 ... and for all other questions."""
    table = models.JSONField(null=True, editable=False)
    hint = models.CharField(
        gettext_lazy("hint"),
        max_length=300,
        blank=True,
        help_text=gettext_lazy("Shown below the question."),
    )
    helpline = models.CharField(
        gettext_lazy("helpline"),
        max_length=200,
        blank=True,
        help_text=gettext_lazy(
            "Shown with this question, such as: If this is hard: 116 123."
        ),
    )
    section = models.CharField(
        gettext_lazy("section that starts here"),
        max_length=200,
        blank=True,
        help_text=gettext_lazy("Its title."),
    )
    section_text = models.TextField(
        gettext_lazy("introduction to the section"),
        max_length=1000,
        blank=True,
        help_text=gettext_lazy("Shown on a page of its own before this question."),
    )
    shuffle_section = models.BooleanField(
        gettext_lazy("random order of questions"),
        default=False,
        help_text=gettext_lazy(
            "Up to the next section. The respondent's browser draws the order and "
            "does not send it."
        ),
    )
    shuffle_choices = models.BooleanField(
        gettext_lazy("random order of answers"),
        default=False,
        help_text=gettext_lazy("“Prefer not to answer” stays last."),
    )

    tick_list = models.CharField(
        gettext_lazy("tick list that starts here"),
        max_length=500,
        blank=True,
        help_text=gettext_lazy(
            "Its question. The drawn questions from here become its check boxes, "
            "such as 1 of 3-8."
        ),
    )
    show_if = models.CharField(
        gettext_lazy("shown only if"),
        max_length=500,
        blank=True,
        validators=[check_condition],
        help_text=gettext_lazy("Such as: 2 is Yes and not (3 is Never or 4 >= 5)."),
    )
    answer_if_hidden = models.CharField(
        gettext_lazy("answer when hidden"),
        max_length=100,
        blank=True,
        help_text=gettext_lazy(
            "Sent, scrambled, for respondents who do not see the question. If empty, "
            "No."
        ),
    )
    ends_if = models.CharField(
        gettext_lazy("answers that end the survey"),
        max_length=500,
        blank=True,
        help_text=gettext_lazy(
            "Separate with ;. Respondents who choose one send nothing. Only for "
            "questions that are not scrambled."
        ),
    )
    translations = models.JSONField(default=dict, blank=True, editable=False)
    """Its texts in other languages: see `surveys.models.translations`."""

    PRESENTATION = (
        "hint", "helpline", "section", "section_text", "shuffle_section",
        "shuffle_choices", "tick_list", *CONDITIONS,
    )  # fmt: skip
    """How the question is shown; a definition has no key for what is empty or off."""

    class Meta:
        verbose_name = gettext_lazy("question")
        verbose_name_plural = gettext_lazy("questions")
        # The id settles ties: positions may coincide while a form swaps two.
        ordering = ["position", "id"]

    def __str__(self) -> str:
        return self.text

    def save(self, *args: Any, **kwargs: Any) -> None:
        self.survey.refuse_if_opened()
        super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> tuple[int, dict[str, int]]:
        self.survey.refuse_if_opened()
        return super().delete(*args, **kwargs)

    @cached_property
    def mechanism(self) -> Mechanism:
        """The stored table once there is one, else what the parameters would give."""
        if self.table is not None:
            return Mechanism.from_dict(self.table)
        return build(self.family, **self.parameters)

    @property
    def is_scale(self) -> bool:
        family = load_families().get(self.family)
        return bool(family and family.is_scale)

    @property
    def reports_only_mean(self) -> bool:
        """Whether its points are sent as reports of their own, which tell no share."""
        family = load_families().get(self.family)
        return bool(family and family.is_scale and family.reports)

    def get_default_labels(self) -> tuple[str, ...]:
        return label_mechanism(self.mechanism, self.scale, self.survey.language)

    def set_choices(self, labels: Sequence[str]) -> None:
        self.survey.refuse_if_opened()
        self.choices.filter(position__gte=len(labels)).delete()
        Choice.objects.bulk_create(
            [
                Choice(question=self, position=position, label=label)
                for position, label in enumerate(labels)
            ],
            update_conflicts=True,
            unique_fields=["question", "position"],
            update_fields=["label"],
        )

    def problems(self) -> list[Problem]:
        """Return what keeps this question from being asked in its survey's mode."""
        family = load_families().get(self.family)
        if family is None:
            text = _("The mechanism %s no longer exists.") % self.family
            return [Problem("family", text)]
        try:
            mechanism = family.build(**self.parameters)
        except ParameterError as error:
            return [Problem("family", str(error))]
        found = []
        if self.is_scale:
            try:
                Scale.of(self.scale, mechanism.points)
            except ScaleError:
                text = _("The values do not form a scale.")
                found.append(Problem("family", text))
        if self.is_scale and self.shuffle_choices:
            text = _("The points of a scale stay in order.")
            found.append(Problem("shuffle_choices", text))
        if self.choices.count() != len(mechanism.answers):
            text = _("It needs %d choices.") % len(mechanism.answers)
            found.append(Problem("family", text))
        if self.survey.mode == self.survey.Mode.HAND:
            needs_steps = not self.survey.is_imported
            found += self.problems_by_hand(needs_steps=needs_steps)
        else:
            found += self.problems_by_machine()
        return found

    def problems_by_machine(self) -> list[Problem]:
        """Return what keeps browser and server from scrambling for people."""
        family = load_families()[self.family]
        if not family.is_one_sided:
            return []
        text = _("With “%s” some reports are proof: it is for surveys by hand only.")
        return [Problem("family", text % _(family.label))]

    def problems_by_hand(self, *, needs_steps: bool = True) -> list[Problem]:
        """Return what keeps people from carrying it out with a coin, a die or cards.

        The family and its parameters are sound. Direct questions need no steps.
        """
        family = load_families()[self.family]
        has_steps = family.instruction(self.parameters) is not None
        if needs_steps and family.is_protected and not has_steps:
            text = _("“%s” with these parameters does not work by hand.")
            return [Problem("family", text % _(family.label))]
        if family.needs_innocuous_question and not self.innocuous_question:
            text = _("It needs a harmless question.")
            return [Problem("innocuous_question", text)]
        return []

    def make_step(self) -> Step:
        """Return what conditions need of it; its mechanism is sound."""
        labels = [choice.label for choice in self.choices.all()]
        mechanism = self.mechanism
        return Step.of(
            labels,
            mechanism,
            Scale.of(self.scale, mechanism.points) if self.is_scale else None,
            find_declined(labels, mechanism, self.survey.language),
            self.presentation,
        )

    def definition(self) -> dict[str, Any]:
        return {
            "text": self.text,
            "innocuous_question": self.innocuous_question,
            "choices": [choice.label for choice in self.choices.all()],
            "table": self.mechanism.to_dict(),
            # Left out of all others, whose digests name no scale.
            **({"scale": self.scale} if self.scale else {}),
            **self.presentation,
            **(
                {"translations": translated}
                if (translated := self.get_translations())
                else {}
            ),
        }

    def get_originals(self) -> dict[str, Any]:
        """Return the texts that may have a translation, by name."""
        texts = {name: getattr(self, name) for name in QUESTION_TEXTS}
        return {**texts, CHOICES: [choice.label for choice in self.choices.all()]}

    def get_translations(self) -> dict[str, dict[str, Any]]:
        """Return its texts in each language of the survey besides the main one."""
        languages = self.survey.other_languages
        if not languages:
            return {}
        return select_translations(self.translations, languages, self.get_originals())

    def find_untranslated(self, language: str) -> list[str]:
        originals = self.get_originals()
        selected = select_translations(self.translations, [language], originals)
        return find_untranslated(selected[language], originals)

    @property
    def presentation(self) -> dict[str, Any]:
        """Return the values of `PRESENTATION` that are written or on."""
        values = {name: getattr(self, name) for name in self.PRESENTATION}
        return {name: value for name, value in values.items() if value}

    def list_presentation(self) -> list[tuple[str, str]]:
        """Return what `presentation` holds as (name, text), to be read."""
        named: list[tuple[str, str]] = []
        for name, value in self.presentation.items():
            field: Any = self._meta.get_field(name)
            text = _("Yes") if value is True else str(value)
            named.append((capfirst(field.verbose_name), text))
        return named


class Choice(models.Model):
    """The wording of one answer; its position is the answer's row in the table."""

    question = models.ForeignKey(
        Question, on_delete=models.CASCADE, related_name="choices"
    )
    position = models.PositiveSmallIntegerField()
    label = models.CharField(max_length=100)

    class Meta:
        ordering = ["position"]
        constraints = [
            models.UniqueConstraint(
                fields=["question", "position"], name="one_choice_at_a_position"
            )
        ]

    def __str__(self) -> str:
        return self.label

    def save(self, *args: Any, **kwargs: Any) -> None:
        self.question.survey.refuse_if_opened()
        super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> tuple[int, dict[str, int]]:
        self.question.survey.refuse_if_opened()
        return super().delete(*args, **kwargs)


def is_yes_or_no(question: Question) -> bool:
    """Return whether its answers are the usual Yes and No, in this order."""
    labels = tuple(choice.label for choice in question.choices.all())
    languages = (question.survey.language, "en")
    return labels in {get_default_labels(each)[:2] for each in languages}


def find_label_problem(labels: Sequence[str]) -> str | None:
    longest = Choice._meta.get_field("label").max_length or 0
    if any(len(label) > longest for label in labels):
        return _("An answer has at most %d characters.") % longest
    if len(set(labels)) < len(labels):
        return _("The answers need different wordings.")
    return None
