from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import models, transaction
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop, pgettext_lazy

from candor.mechanisms import build, load_families
from candor.mechanisms.composition import Composition
from surveys.frozen import DESIGN_FORMAT, FrozenError, compute_digest
from surveys.kinds.tick_list import find_tick_list_problems
from surveys.models import questionnaire
from surveys.models.analysis_plan import AnalysisPlan
from surveys.models.declared_tables import list_tables
from surveys.models.draws import DrawnQuestions
from surveys.models.epsilon import EpsilonReason
from surveys.models.key_holder import KeyHolder
from surveys.models.languages import Languages
from surveys.models.languages import get_languages as get_languages  # for migrations
from surveys.models.panel import (
    Ledger,
    LedgerEntry,
    Panel,
    measure_epsilon,
    write_budget,
)
from surveys.models.period import FieldPeriod
from surveys.models.question import Question
from surveys.models.visitor import Visitor
from surveys.problem import Problem


class SurveyQuerySet(models.QuerySet["Survey"]):
    def for_user(self, user: Visitor, *, is_deleted: bool = False) -> "SurveyQuerySet":
        """Return the surveys in which `user` has a role; all for a superuser."""
        if not (user.is_active and user.is_staff):
            return self.none()
        found = self.filter(deleted_at__isnull=not is_deleted)
        if user.is_superuser:
            return found
        # In a subquery: a join would return a survey once for each of its members.
        shared = Survey.objects.filter(memberships__user=user.pk).values("pk")
        return found.filter(
            models.Q(owner=user.pk)
            | models.Q(pk__in=shared)
            | models.Q(rehearsal_of__in=shared)
        )

    def listed(self) -> "SurveyQuerySet":
        """Return the surveys that lists show: a rehearsal belongs to its draft."""
        return self.filter(rehearsal_of=None)

    def find_free_slug(self, title: str) -> str:
        longest = Survey._meta.get_field("slug").max_length or 0
        base = slugify(title) or "survey"
        taken = set(
            self.filter(slug__startswith=base[: longest // 2]).values_list(
                "slug", flat=True
            )
        )
        slug, number = base[:longest], 1
        while slug in taken:
            number += 1
            ending = f"-{number}"
            slug = base[: longest - len(ending)] + ending
        return slug


UNTITLED = gettext_noop("Untitled survey")


def is_untitled(title: str) -> bool:
    for language, _name in settings.LANGUAGES:
        with translation.override(language):
            if title.strip() in {"", _(UNTITLED)}:
                return True
    return False


class Survey(
    Languages,
    FieldPeriod,
    AnalysisPlan,
    DrawnQuestions,
    EpsilonReason,
    KeyHolder,
    Panel,
):
    class Mode(models.TextChoices):
        BROWSER = "browser", gettext_lazy("In the respondent's browser (recommended)")
        SERVER = "server", gettext_lazy("On this server, before anything is stored")
        HAND = "hand", gettext_lazy("By hand, with the respondent's own coin or die")

    class State(models.TextChoices):
        DRAFT = "draft", gettext_lazy("Draft")
        OPEN = "open", pgettext_lazy("state of a survey", "Open")
        CLOSED = "closed", gettext_lazy("Closed")

    title = models.CharField(gettext_lazy("title"), max_length=200)
    slug = models.SlugField(
        gettext_lazy("address"),
        unique=True,
        help_text=gettext_lazy("The end of the link, /s/…/."),
    )
    organiser = models.CharField(
        gettext_lazy("who runs it"),
        max_length=200,
        help_text=gettext_lazy("Respondents read this on the first page."),
    )
    purpose = models.TextField(
        gettext_lazy("why it is asked"),
        blank=True,
        help_text=gettext_lazy("Two or three sentences for the first page."),
    )
    contact = models.CharField(
        gettext_lazy("contact"),
        max_length=200,
        blank=True,
        help_text=gettext_lazy("E-mail address or phone."),
    )
    consent = models.TextField(
        gettext_lazy("to agree to"),
        blank=True,
        help_text=gettext_lazy(
            "Shown before the first question, below Candor's own promises."
        ),
    )
    ethics_reference = models.CharField(
        gettext_lazy("ethics approval"),
        max_length=200,
        blank=True,
        help_text=gettext_lazy("Committee and number."),
    )
    helpline = models.CharField(
        gettext_lazy("helpline"),
        max_length=200,
        blank=True,
        help_text=gettext_lazy("Shown on every page."),
    )
    results_note = models.CharField(
        gettext_lazy("where results will appear"),
        max_length=300,
        blank=True,
        help_text=gettext_lazy("Shown on the last page."),
    )
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        related_name="surveys",
        verbose_name=gettext_lazy("owner"),
    )
    mode = models.CharField(
        gettext_lazy("where answers are scrambled"),
        max_length=10,
        choices=Mode,
        default=Mode.BROWSER,
    )
    state = models.CharField(
        max_length=10, choices=State, default=State.DRAFT, editable=False
    )
    is_simulated = models.BooleanField(default=False, editable=False)
    is_imported = models.BooleanField(default=False, editable=False)
    """Whether its reports were collected elsewhere: this site cannot verify how."""
    plan_attested_by = models.CharField(max_length=1000, blank=True, editable=False)
    """The servers that signed when an imported survey was planned, by name."""
    merged_versions = models.JSONField(default=list, blank=True, editable=False)
    """The versions that were merged into this survey: see `MergedVersion`."""
    design_digest = models.CharField(max_length=64, blank=True, editable=False)
    opened_on = models.DateField(null=True, editable=False)
    closed_on = models.DateField(null=True, editable=False)
    archived_on = models.DateField(null=True, editable=False)
    deleted_at = models.DateTimeField(null=True, editable=False)
    """When a draft was deleted; it can be restored for some time."""
    purged_on = models.DateField(null=True, editable=False)
    results_address = models.CharField(max_length=200, blank=True, editable=False)
    """Where everyone can read the results; set by publishing them."""
    rehearsal_of = models.OneToOneField(
        "self",
        null=True,
        editable=False,
        on_delete=models.PROTECT,
        related_name="rehearsal",
    )
    """The draft that this opened copy tests; deleted before the draft opens."""
    version = models.PositiveIntegerField(default=0, editable=False)
    """A new number after each change; a save names the number on which it is based."""

    renumbered: Mapping[str, str] = {}
    """Lines that name questions and were renumbered because questions moved."""
    renumbered_conditions: Mapping[int, str] = {}
    """Conditions that were renumbered likewise, by key of the question."""

    objects = SurveyQuerySet.as_manager()

    DEFINED = (
        "slug", "title", "organiser", "purpose", "consent", "ethics_reference",
        "contact", "results_note", "language", "mode", "access",
    )  # fmt: skip
    DEFINED_IF_WRITTEN = (
        "epsilon_reason", "helpline", "completion_code", "completion_link",
        "screened_code", "screened_link", "holder_key", "panel", "panel_budget",
    )  # fmt: skip
    """Written as texts; a definition omits empty ones, so that surveys that do not use
    them keep their digests."""
    FROZEN = (
        *DEFINED, *DEFINED_IF_WRITTEN, *AnalysisPlan.PINNED, "declared_tables", "draws",
        "batch_size", "least_links", "least_responses", "design_digest", "opened_on",
        "is_imported", "plan_attested_by", "translations", "merged_versions",
    )  # fmt: skip

    class Meta:
        verbose_name = gettext_lazy("survey")
        verbose_name_plural = gettext_lazy("surveys")
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(state="draft") ^ ~models.Q(design_digest=""),
                name="an_opened_survey_has_a_digest",
            ),
            models.CheckConstraint(
                condition=models.Q(batch_size__gte=1), name="batch_size_at_least_1"
            ),
            models.CheckConstraint(
                condition=models.Q(rehearsal_of=None) | models.Q(is_simulated=True),
                name="a_rehearsal_is_simulated",
            ),
            models.CheckConstraint(
                condition=models.Q(deleted_at=None) | models.Q(state="draft"),
                name="only_a_draft_is_deleted",
            ),
        ]

    def __str__(self) -> str:
        return self.title

    def save(self, *args: Any, **kwargs: Any) -> None:
        self.refuse_changes_after_opening()
        super().save(*args, **kwargs)

    def get_absolute_url(self) -> str:
        return reverse("respondents:survey", args=[self.slug])

    @property
    def is_draft(self) -> bool:
        return self.state == self.State.DRAFT

    @property
    def is_open(self) -> bool:
        return self.state == self.State.OPEN

    @property
    def is_closed(self) -> bool:
        return self.state == self.State.CLOSED

    @property
    def has_ended(self) -> bool:
        """Whether no one may start; started responses are accepted for some minutes."""
        return self.is_closed or (self.is_open and self.is_over)

    @property
    def is_rehearsal(self) -> bool:
        return self.rehearsal_of_id is not None

    @property
    def awaits_opening(self) -> bool:
        """Whether the stored reports are sealed: only the key holder can open them."""
        is_opened = self.unsealed or self.is_imported or self.is_rehearsal
        return bool(self.holder_key and not is_opened)

    @property
    def step(self) -> int:
        return 1 if self.is_rehearsal else self.batch_size

    def note_change(self, version: int | None = None) -> None:
        """Change the version, so that pages loaded before are recognised as outdated.

        `version` is the number that a page gave its save; by default the next number.
        """
        changed = version or models.F("version") + 1
        Survey.objects.filter(pk=self.pk).update(version=changed)
        self.refresh_from_db(fields=["version"])

    def refuse_if_opened(self) -> None:
        """Raise `FrozenError` if it is opened, as read from the database."""
        if Survey.objects.filter(pk=self.pk).exclude(state=self.State.DRAFT).exists():
            raise FrozenError

    def refuse_changes_after_opening(self) -> None:
        if not self.pk:
            return
        stored = Survey.objects.filter(pk=self.pk).exclude(state=self.State.DRAFT)
        before = stored.values("state", *self.FROZEN).first()
        if before is None:
            return
        allowed = {self.State.CLOSED, before["state"]}
        changed = any(getattr(self, name) != before[name] for name in self.FROZEN)
        if changed or self.state not in allowed:
            raise FrozenError

    def add_question(
        self,
        text: str,
        *,
        family: str = "coin",
        parameters: Mapping[str, object] | None = None,
        choices: Sequence[str] | None = None,
        innocuous_question: str = "",
        scale: Mapping[str, object] | None = None,
        **presentation: Any,
    ) -> Question:
        """Append a question with its choices: Yes and No unless others are given.

        The number of answers, if it is a parameter, may be left out with `choices`.
        `presentation` has values of `Question.PRESENTATION`.
        """
        given = dict(parameters or {})
        if choices is not None and family in load_families():
            given = {**load_families()[family].counted(len(choices)), **given}
        mechanism = build(family, **given)
        last = self.questions.aggregate(last=models.Max("position"))["last"] or 0
        question = self.questions.create(
            position=last + 1,
            text=text,
            family=family,
            parameters=dict(mechanism.parameters),
            innocuous_question=innocuous_question,
            scale=dict(scale) if scale else None,
            **presentation,
        )
        question.set_choices(choices or question.get_default_labels())
        return question

    def problems(self) -> list[str]:
        return [str(problem) for problem in self.find_problems()]

    def find_problems(self) -> Iterator[Problem]:
        questions, groups = list(self.questions.all()), self.groups
        models.prefetch_related_objects(questions, "choices")
        yield from questionnaire.find_problems(questions, groups)
        if is_untitled(self.title):
            yield Problem("title", _("Enter a title."))
        if not self.organiser.strip():
            text = _("Enter who runs the survey.")
            yield Problem("organiser", text)
        yield from self.find_language_problems(questions)
        if self.is_over:
            yield Problem("closes_on", _("Choose a later last day."))
        if not (self.is_simulated or self.is_imported):
            yield from self.find_group_size_problems()
        is_in_browser = self.mode == self.Mode.BROWSER
        yield from self.find_key_holder_problems(is_in_browser=is_in_browser)
        if self.has_analysis_plan:
            means = [question.reports_only_mean for question in questions]
            answers = [question.choices.count() for question in questions]
            yield from self.find_analysis_problems(answers, means)
        if self.draws:
            yield from self.find_draw_problems(len(questions), self.pairs)
        # No one answers an imported survey any more.
        if not self.is_imported:
            yield from find_tick_list_problems(questions, groups)
            reports = questionnaire.compose_reports(questions, groups)
            if reports:
                yield from self.find_epsilon_problems(reports)
            if not self.is_simulated:
                yield from self.find_panel_problems(self.read_ledger(), reports)

    def compose_reports(self) -> Composition | None:
        return questionnaire.compose_reports(list(self.questions.all()), self.groups)

    def list_panel(self) -> "models.QuerySet[Survey]":
        same = Survey.objects.filter(owner=self.owner_id, panel__iexact=self.panel)
        asked = same.filter(is_simulated=False, panel_budget__isnull=False)
        return asked.order_by("opened_on", "pk")

    def read_ledger(self) -> Ledger | None:
        if not self.panel or self.panel_budget is None:
            return None
        opened = self.list_panel().exclude(state=self.State.DRAFT)
        entries = [
            LedgerEntry(
                survey,
                measure_epsilon(survey.compose_reports()),
                float(survey.released_epsilon),
            )
            for survey in opened.prefetch_related("questions")
        ]
        first = entries[0].survey if entries else self
        return Ledger(self.panel, first.panel_budget or self.panel_budget, entries)

    def lock_panel(self) -> None:
        """Lock the panel, so that its budget is spent by one transaction at a time."""
        if self.panel:
            rows = self.list_panel().order_by("pk").select_for_update()
            list(rows.values_list("pk"))

    @transaction.atomic
    def open(self) -> None:
        """Freeze the survey, store every question's table, and accept responses.

        Raises
        ------
        ValidationError
            With the list of `problems`, or if the survey is not a draft.
        """
        self.lock_panel()
        drafts = Survey.objects.select_for_update()
        locked = drafts.prefetch_related("questions__choices").get(pk=self.pk)
        if not locked.is_draft:
            raise FrozenError
        if Survey.objects.filter(rehearsal_of=self).exists():
            raise ValidationError(
                _("End the test first: its answers are still stored.")
            )
        if problems := locked.problems():
            raise ValidationError(problems)
        for question in locked.questions.all():
            question.table = build(question.family, **question.parameters).to_dict()
            question.save(update_fields=["table"])
        if not self.is_imported:
            self.least_responses = settings.LEAST_RESPONSES
        locked.least_responses = self.least_responses
        self.state = locked.state = self.State.OPEN
        self.design_digest = compute_digest(locked.definition())
        self.opened_on = timezone.localdate()
        self.save(
            update_fields=["least_responses", "design_digest", "state", "opened_on"]
        )

    def definition(self) -> dict[str, Any]:
        """Return what opening freezes, as plain JSON; the digest is based on it."""
        optional: dict[str, Any] = {
            "analysis": self.analysis(),
            "draws": self.serialize_groups(),
            **{name: getattr(self, name) for name in self.DEFINED_IF_WRITTEN},
            "translations": self.get_translations(),
            # Surveys that an earlier release opened, and imported ones, promise none.
            "counting": self.group_sizes(),
            "merged_versions": self.merged_versions,
        }
        defined = {
            "format": DESIGN_FORMAT,
            **{name: getattr(self, name) for name in self.DEFINED},
            # A survey that does not use a feature keeps its digest.
            **{
                name: write_budget(value) if isinstance(value, Decimal) else value
                for name, value in optional.items()
                if value
            },
            "questions": [
                question.definition()
                for question in self.questions.prefetch_related("choices")
            ],
        }
        if self.holder_key and self.declared_tables:
            defined["tables"] = list_tables(defined, self.pairs)
        return defined

    def group_sizes(self) -> dict[str, int]:
        least = settings.LEAST_RESPONSES if self.is_draft else self.least_responses
        if least is None:
            return {}
        links = self.least_links if self.is_by_invitation else None
        return {
            "batch_size": self.batch_size,
            "least_responses": least,
            **({} if links is None else {"least_links": links}),
        }
