"""An opened survey as the respondents' side reads it: immutable, cached by digest."""

from dataclasses import dataclass
from functools import lru_cache

from django.utils.safestring import SafeString

from surveys.markdown import render_markdown
from surveys.mechanisms import Mechanism
from surveys.models import Survey

CACHED_DESIGNS = 256


@dataclass(frozen=True)
class DesignQuestion:
    text: str
    innocuous_question: str
    choices: tuple[str, ...]
    mechanism: Mechanism


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
    is_rehearsal: bool = False
    """Whether it is a test of a draft; not part of what the digest names."""

    @property
    def is_by_invitation(self) -> bool:
        return self.access == Survey.Access.INVITATION

    @property
    def introduction(self) -> SafeString:
        return render_markdown(self.purpose)

    @property
    def agreement(self) -> SafeString:
        return render_markdown(self.consent)

    def accepts(self, pattern: bytes) -> bool:
        """Whether `pattern` has one report of its table for every question."""
        return len(pattern) == len(self.questions) and all(
            report < len(question.mechanism.reports)
            for report, question in zip(pattern, self.questions, strict=True)
        )


def design_of(survey: Survey) -> Design:
    """Return what was frozen when the survey opened."""
    return load_design(survey.pk, survey.design_digest)


@lru_cache(maxsize=CACHED_DESIGNS)
def load_design(survey_id: int, digest: str) -> Design:
    """Return the design of an opened survey.

    `digest` is part of the cache's key: what it names can never change.
    """
    return read_design(Survey.objects.get(pk=survey_id, design_digest=digest))


def read_design(survey: Survey) -> Design:
    """Return what a survey says now, in a draft what would be frozen.

    Raises
    ------
    ParameterError
        Where a question of a draft has parameters that make no table.
    """
    definition = survey.definition()
    return Design(
        survey_id=survey.pk,
        digest=survey.design_digest,
        is_rehearsal=survey.is_rehearsal,
        **{name: definition[name] for name in Survey.DEFINED},
        questions=tuple(
            DesignQuestion(
                text=question["text"],
                innocuous_question=question["innocuous_question"],
                choices=tuple(question["choices"]),
                mechanism=Mechanism.from_dict(question["table"]),
            )
            for question in definition["questions"]
        ),
    )
