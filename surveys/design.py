"""The design of an opened survey: immutable, cached by digest."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any

from django.utils.safestring import SafeString

from candor.mechanisms import Mechanism
from candor.mechanisms.composition import Composition, compose
from candor.mechanisms.draws import NOT_ASKED, DrawnGroup, is_possible_draw
from candor.mechanisms.scale import Scale
from surveys.kinds import Kind, find_declined, find_kind_of_table, find_scale
from surveys.kinds.tick_list import (
    TickList,
    find_first_items,
    join_texts,
    list_tick_lists,
)
from surveys.markdown import render_markdown
from surveys.merged_versions import MergedVersion
from surveys.models import Survey
from surveys.models.conditions import Condition, Step, is_satisfied, resolve
from surveys.models.key_holder import Holder, read_holder_key
from surveys.sections import Section, parse_sections

CACHED_DESIGNS = 256

SEALING_BYTES = 65 + 16
"""Bytes that sealing adds: `candor.keys.public.OVERHEAD`, whose import loads 7 MB."""


@dataclass(frozen=True)
class DesignQuestion:
    text: str
    innocuous_question: str
    choices: tuple[str, ...]
    mechanism: Mechanism
    scale: Scale | None = None
    """Values of the answers, if they are points of a scale."""
    scale_of_answered: Scale | None = None
    """Values of all answers but the last, which is not a point: see `reduce`."""
    declined: int | None = None
    """Position of the answer "Prefer not to answer", if there is one."""
    hint: str = ""
    helpline: str = ""
    shuffle_choices: bool = False
    shown_if: Condition | None = None
    hidden_answer: int = 0
    """Position of the answer that is counted if the question is not shown."""
    ending: frozenset[int] = frozenset()
    """Positions of answers that end the survey without sending anything."""
    tick_list: str = ""
    """Text above the check boxes, if the question is an item of a tick list."""

    @property
    def full_text(self) -> str:
        return join_texts(self.tick_list, self.text)

    @property
    def identifies_shares(self) -> bool:
        is_reduced = (
            self.scale_of_answered is not None
            and self.mechanism.reports[0] == self.mechanism.answers[0] == "high"
        )
        return self.mechanism.identifies_shares and not is_reduced

    @property
    def kind(self) -> Kind:
        return find_kind_of_table(self.mechanism)

    def reduce(self, language: str) -> "DesignQuestion":
        """Return the question as results read it: see `Kind.reduce_answers`.

        If its answers change, it has no answer when hidden: `hidden_answer` is 0.
        """
        reduced = self.kind.reduce_answers(self.mechanism, self.choices, language)
        if reduced is None:
            return self
        mechanism, choices = reduced
        return replace(
            self,
            mechanism=mechanism,
            choices=choices,
            scale=None,
            scale_of_answered=self.scale,
            hidden_answer=0,
        )


@dataclass(frozen=True)
class GroupSizes:
    """The group sizes that respondents are promised."""

    batch_size: int
    """Minimum number of responses by which results change."""
    least_responses: int
    """Number of responses from which results are shown."""
    least_links: int | None = None
    """Minimum number of one-time links that exist before any of them works."""

    def __post_init__(self) -> None:
        for value in (self.batch_size, self.least_responses, self.least_links or 0):
            if type(value) is not int:
                raise TypeError(f"group sizes must be whole numbers; got {value!r}")


@dataclass(frozen=True)
class Design:
    survey_id: int
    digest: str
    slug: str
    title: str
    organiser: str
    purpose: str
    consent: str
    ethics_reference: str
    contact: str
    results_note: str
    language: str
    mode: str
    access: str
    questions: tuple[DesignQuestion, ...]
    groups: tuple[DrawnGroup, ...] = ()
    """Groups from which each respondent is asked some questions, drawn by chance."""
    sections: tuple[Section, ...] = ()
    """In order; questions before the first section belong to none."""
    helpline: str = ""
    completion_code: str = ""
    completion_link: str = ""
    screened_code: str = ""
    screened_link: str = ""
    holder_key: str = ""
    """The key holder's public key file, if reports are sealed."""
    tables: tuple[tuple[int, ...], ...] = ()
    """Numbers of questions that the key holder counts together; empty for all."""
    panel: str = ""
    panel_budget: str = ""
    """Epsilon for all surveys and releases of the panel, if the survey has one."""
    epsilon_reason: str = ""
    """Why its total epsilon is above the limit of the site that opened it."""
    group_sizes: GroupSizes | None = None
    """None for imported surveys and those opened by a release without this promise."""
    is_rehearsal: bool = False
    """Whether it is a test of a draft; not covered by the digest."""
    languages: tuple[str, ...] = ()
    """All languages of the survey, the main one first."""
    translations: tuple["Design", ...] = ()
    """The same survey in its other languages."""
    merged_versions: tuple[MergedVersion, ...] = ()
    """For a merged survey, its versions: the first one, then the others."""

    def translate(self, language: str) -> "Design":
        """Return the survey in `language`, or in its main one if that is missing."""
        found = (each for each in self.translations if each.language == language)
        return next(found, self)

    @cached_property
    def estimated_questions(self) -> tuple[DesignQuestion, ...]:
        return tuple(each.reduce(self.language) for each in self.questions)

    @property
    def is_by_invitation(self) -> bool:
        return self.access == Survey.Access.INVITATION

    @property
    def holder(self) -> Holder | None:
        return read_holder_key(self.holder_key) if self.holder_key else None

    def declares(self, *numbers: int) -> bool:
        """Whether results contain joint counts of these questions."""
        tables = self.tables or [range(1, len(self.questions) + 1)]
        return any(set(numbers) <= set(each) for each in tables)

    @property
    def report_bytes(self) -> int:
        return len(self.questions) + (SEALING_BYTES if self.holder_key else 0)

    @property
    def introduction(self) -> SafeString:
        return render_markdown(self.purpose)

    @property
    def agreement(self) -> SafeString:
        return render_markdown(self.consent)

    @property
    def questions_asked(self) -> int:
        """Number of questions each respondent is asked; a tick list counts once."""
        more_boxes = sum(each.group.asked - 1 for each in self.ticked_lists)
        left_out = sum(group.left_out for group in self.groups)
        return len(self.questions) - left_out - more_boxes

    @cached_property
    def tick_lists(self) -> tuple[TickList, ...]:
        texts = [each.tick_list for each in self.questions]
        return tuple(list_tick_lists(texts, self.groups))

    @property
    def ticked_lists(self) -> tuple[TickList, ...]:
        """The tick lists that respondents see with all items.

        Without a script, only the drawn items are asked, one by one: forms do not send
        unticked boxes, so the length of the request would disclose them.
        """
        return self.tick_lists if self.mode == Survey.Mode.BROWSER else ()

    def find_tick_list(self, number: int) -> TickList | None:
        found = (each for each in self.ticked_lists if number in each.numbers)
        return next(found, None)

    @property
    def leaves_questions_out(self) -> bool:
        """Whether respondents do not see some questions, because of a draw."""
        return len(self.groups) > len(self.ticked_lists)

    def find_group(self, number: int) -> DrawnGroup | None:
        drawn = (group for group in self.groups if number in group.questions)
        return next(drawn, None)

    @property
    def has_conditions(self) -> bool:
        return any(each.shown_if for each in self.questions)

    @property
    def has_screening(self) -> bool:
        return any(each.ending for each in self.questions)

    def apply_conditions(self, answers: Sequence[int | None]) -> list[int | None]:
        """Return the answers that count, in the order of the questions."""
        counted = list(answers)
        for number in self.list_hidden(answers):
            if counted[number - 1] is not None:
                counted[number - 1] = self.questions[number - 1].hidden_answer
        return counted

    def list_hidden(self, answers: Sequence[int | None]) -> list[int]:
        counted: dict[int, int] = {}
        hidden = []
        for number, (question, answer) in enumerate(
            zip(self.questions, answers, strict=True), start=1
        ):
            if question.shown_if and not is_satisfied(question.shown_if, counted):
                hidden.append(number)
                answer = question.hidden_answer
            # Conditions name only questions that all respondents are asked.
            if answer is not None:
                counted[number] = answer
        return hidden

    def find_section(self, number: int) -> Section | None:
        found = (section for section in self.sections if number in section.numbers)
        return next(found, None)

    @property
    def is_shuffled(self) -> bool:
        return any(
            section.is_shuffled and len(section.numbers) > 1
            for section in self.sections
        )

    @cached_property
    def composition(self) -> Composition:
        return compose([each.mechanism for each in self.questions], self.groups)

    def accepts(self, pattern: bytes) -> bool:
        """Whether `pattern` has a possible report for every question asked.

        Each group contributes as many questions as are drawn; questions outside groups
        are always asked. Only the length of sealed patterns can be checked: only the
        key holder can read them.
        """
        if len(pattern) != self.report_bytes or self.holder_key:
            return len(pattern) == self.report_bytes
        asked = [report != NOT_ASKED for report in pattern]
        return is_possible_draw(asked, self.groups) and all(
            report < len(question.mechanism.reports)
            # Only direct questions end the survey, so their reports are answers.
            and report not in question.ending
            for report, question, is_asked in zip(
                pattern, self.questions, asked, strict=True
            )
            if is_asked
        )


def get_design(survey: Survey) -> Design:
    return load_design(survey.pk, survey.design_digest)


@lru_cache(maxsize=CACHED_DESIGNS)
def load_design(survey_id: int, digest: str) -> Design:
    """Return the design of an opened survey.

    `digest` is part of the cache key: a definition with this digest never changes.
    """
    return read_design(Survey.objects.get(pk=survey_id, design_digest=digest))


def read_design(survey: Survey) -> Design:
    """Return the current design of a survey; for a draft, what opening would freeze.

    Raises
    ------
    ParameterError
        If the parameters of a draft's question do not make a table.
    """
    return parse_design(
        survey.definition(),
        survey_id=survey.pk,
        digest=survey.design_digest,
        is_rehearsal=survey.is_rehearsal,
    )


def parse_design(
    definition: Mapping[str, Any], *, survey_id: int, digest: str, is_rehearsal: bool
) -> Design:
    """Return the design of a `Survey.definition`, with its translations."""
    main = parse_language(
        definition, survey_id=survey_id, digest=digest, is_rehearsal=is_rehearsal
    )
    others = sorted(definition.get("translations", {}))
    main = replace(main, languages=(main.language, *others))
    return replace(
        main,
        translations=tuple(translate_design(main, definition, each) for each in others),
    )


def translate_design(
    main: Design, definition: Mapping[str, Any], language: str
) -> Design:
    translated = parse_language(
        {
            **definition,
            **definition["translations"][language],
            "language": language,
            "questions": [
                {**question, **question["translations"][language]}
                for question in definition["questions"]
            ],
        },
        survey_id=main.survey_id,
        digest=main.digest,
        is_rehearsal=main.is_rehearsal,
    )
    return replace(
        translated,
        languages=main.languages,
        # Derived from the labels of the main language only: conditions name them, and
        # a translated "Prefer not to answer" may differ from the default.
        questions=tuple(
            replace(
                question,
                declined=original.declined,
                shown_if=original.shown_if,
                hidden_answer=original.hidden_answer,
                ending=original.ending,
            )
            for question, original in zip(
                translated.questions, main.questions, strict=True
            )
        ),
    )


def parse_language(
    definition: Mapping[str, Any], *, survey_id: int, digest: str, is_rehearsal: bool
) -> Design:
    """Return the design in the language that `definition` names as the main one."""
    return Design(
        survey_id=survey_id,
        digest=digest,
        is_rehearsal=is_rehearsal,
        **{name: definition[name] for name in Survey.DEFINED},
        groups=tuple(
            DrawnGroup(asked=group["asked"], questions=tuple(group["questions"]))
            for group in definition.get("draws", [])
        ),
        **{name: definition.get(name, "") for name in Survey.DEFINED_IF_WRITTEN},
        tables=tuple(map(tuple, definition.get("tables", []))),
        sections=parse_sections(definition["questions"]),
        group_sizes=GroupSizes(**promised)
        if (promised := definition.get("counting"))
        else None,
        merged_versions=tuple(
            map(MergedVersion.read, definition.get("merged_versions", []))
        ),
        questions=parse_questions(definition),
    )


def parse_questions(definition: Mapping[str, Any]) -> tuple[DesignQuestion, ...]:
    first_items = find_first_items(definition)
    parsed: list[DesignQuestion] = []
    steps: list[Step] = []
    for number, question in enumerate(definition["questions"], start=1):
        mechanism = Mechanism.from_dict(question["table"])
        scale = find_scale(mechanism, question.get("scale"))
        declined = find_declined(question["choices"], mechanism, definition["language"])
        # All items of a tick list have the texts and the condition of the first.
        first = first_items.get(number, question)
        step = Step.of(question["choices"], mechanism, scale, declined, first)
        parsed.append(
            DesignQuestion(
                text=question["text"],
                innocuous_question=question["innocuous_question"],
                choices=tuple(question["choices"]),
                mechanism=mechanism,
                scale=scale,
                declined=declined,
                hint=first.get("hint", ""),
                helpline=first.get("helpline", ""),
                shuffle_choices=question.get("shuffle_choices", False),
                shown_if=resolve(step.condition, steps) if step.condition else None,
                hidden_answer=step.hidden_answer or 0,
                ending=step.ending,
                tick_list=first.get("tick_list", ""),
            )
        )
        steps.append(step)
    return tuple(parsed)
