from collections.abc import Sequence
from functools import cached_property
from typing import Any

from django.db import models
from django.utils.functional import Promise
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from candor.mechanisms import Mechanism, ParameterError, build, load_families
from surveys.kinds import find_declined, find_kind, find_scale, label_answers
from surveys.kinds.yes_or_no import is_yes_and_no
from surveys.models.conditions import CONDITIONS, Step, check_condition
from surveys.models.translations import (
    CHOICES,
    QUESTION_TEXTS,
    find_untranslated,
    select_translations,
)
from surveys.problem import Problem


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
            "Such as: Is your mother's birthday in January, February or March?"
        ),
    )
    scale = models.JSONField(null=True, blank=True, editable=False)
    """Values of the first and the last answer, if they are points of a scale: see
    `candor.mechanisms.scale`. None for 0, 1, 2 ... and for all other questions."""
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
        help_text=gettext_lazy("Shown with this question."),
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
        help_text=gettext_lazy("Shown on its own page."),
    )
    shuffle_section = models.BooleanField(
        gettext_lazy("random order of questions"),
        default=False,
        help_text=gettext_lazy("Up to the next section. The order is not sent."),
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
            "Its question. The questions drawn from here become its check boxes."
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
            "Sent, scrambled, for those who do not see the question. If empty, No."
        ),
    )
    ends_if = models.CharField(
        gettext_lazy("answers that end the survey"),
        max_length=500,
        blank=True,
        help_text=gettext_lazy(
            "Separate with ;. Respondents who choose one send nothing."
        ),
    )
    translations = models.JSONField(default=dict, blank=True, editable=False)

    PRESENTATION = (
        "hint", "helpline", "section", "section_text", "shuffle_section",
        "shuffle_choices", "tick_list", *CONDITIONS,
    )  # fmt: skip
    """How the question is shown; definitions omit fields that are empty or off."""

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
        """The stored table if there is one, else that of the parameters."""
        if self.table is not None:
            return Mechanism.from_dict(self.table)
        return build(self.family, **self.parameters)

    @property
    def is_scale(self) -> bool:
        family = load_families().get(self.family)
        return bool(family and family.is_scale)

    @property
    def reports_only_mean(self) -> bool:
        """Whether its reports are not its points, so that they identify no share."""
        family = load_families().get(self.family)
        return bool(family and family.is_scale and family.reports)

    def get_default_labels(self) -> tuple[str, ...]:
        return label_answers(self.mechanism, self.scale, self.survey.language)

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
        family = load_families().get(self.family)
        if family is None:
            text = _("The mechanism %s no longer exists.") % self.family
            return [Problem("family", text)]
        try:
            mechanism = family.build(**self.parameters)
        except ParameterError as error:
            return [Problem("family", str(error))]
        found = list(
            find_kind(family).find_problems(
                mechanism, self.scale, is_shuffled=self.shuffle_choices
            )
        )
        if self.choices.count() != len(mechanism.answers):
            text = _("Enter %d choices.") % len(mechanism.answers)
            found.append(Problem("family", text))
        if self.survey.mode == self.survey.Mode.HAND:
            needs_steps = not self.survey.is_imported
            found += self.find_problems_by_hand(needs_steps=needs_steps)
        else:
            found += self.find_problems_by_machine()
        return found

    def find_problems_by_machine(self) -> list[Problem]:
        family = load_families()[self.family]
        if not family.is_one_sided:
            return []
        text = _("With “%s” some reports are proof: it is for surveys by hand only.")
        return [Problem("family", text % _(family.label))]

    def find_problems_by_hand(self, *, needs_steps: bool = True) -> list[Problem]:
        family = load_families()[self.family]
        has_steps = family.instruction(self.parameters) is not None
        if needs_steps and family.is_protected and not has_steps:
            text = _("“%s” with these parameters does not work by hand.")
            return [Problem("family", text % _(family.label))]
        if family.needs_innocuous_question and not self.innocuous_question:
            text = _("Enter a harmless question.")
            return [Problem("innocuous_question", text)]
        return []

    def is_yes_or_no(self) -> bool:
        labels = [choice.label for choice in self.choices.all()]
        languages = (self.survey.language, "en")
        return any(is_yes_and_no(labels, language) for language in languages)

    def make_step(self) -> Step:
        labels = [choice.label for choice in self.choices.all()]
        mechanism = self.mechanism
        return Step.of(
            labels,
            mechanism,
            find_scale(mechanism, self.scale),
            find_declined(labels, mechanism, self.survey.language),
            self.presentation,
        )

    def definition(self) -> dict[str, Any]:
        return {
            "text": self.text,
            "innocuous_question": self.innocuous_question,
            "choices": [choice.label for choice in self.choices.all()],
            "table": self.mechanism.to_dict(),
            # Omitted for all other questions, so that their digests stay the same.
            **({"scale": self.scale} if self.scale else {}),
            **self.presentation,
            **(
                {"translations": translated}
                if (translated := self.get_translations())
                else {}
            ),
        }

    def get_originals(self) -> dict[str, Any]:
        texts = {name: getattr(self, name) for name in QUESTION_TEXTS}
        return {**texts, CHOICES: [choice.label for choice in self.choices.all()]}

    def get_translations(self) -> dict[str, dict[str, Any]]:
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
        """The values of `PRESENTATION` that are not empty or off."""
        values = {name: getattr(self, name) for name in self.PRESENTATION}
        return {name: value for name, value in values.items() if value}

    def list_presentation(self) -> list[tuple[str, str]]:
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


def find_label_problem(labels: Sequence[str]) -> str | None:
    longest = Choice._meta.get_field("label").max_length or 0
    if any(len(label) > longest for label in labels):
        return _("An answer has at most %d characters.") % longest
    if len(set(labels)) < len(labels):
        return _("The answers need different wordings.")
    return None
