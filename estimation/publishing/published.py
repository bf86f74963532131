"""What a public results page shows, and when there is one."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from django.utils.translation import gettext as _

from estimation.models import Publication
from estimation.publishing import words
from estimation.results.panels import SurveyPanel
from estimation.results.result import QuestionResult, SurveyResults, survey_results
from estimation.results.tallies import read_tallies
from surveys.design import Design
from surveys.models import Survey
from surveys.words.protection import Protection

LEAST_RESPONSES = 30
"""Fewer are no group: a public number would come close to single persons. The same
number as for groups within a survey."""


@dataclass(frozen=True)
class PublishedResults:
    """The chosen part of a closed survey's results."""

    publication: Publication
    results: SurveyResults

    @property
    def survey(self) -> Survey:
        """The survey that was asked."""
        return self.results.survey

    @property
    def design(self) -> Design:
        """What was frozen when the survey opened."""
        return self.results.design

    @cached_property
    def panel(self) -> SurveyPanel:
        """What people read of it."""
        return SurveyPanel(self.results)

    @property
    def protection(self) -> Protection:
        """Who scrambled, and what was."""
        return Protection(self.design)

    @property
    def where_from(self) -> list[str]:
        """What happened to the answers, as far as it can be known."""
        return words.where_from(self.protection, is_imported=self.survey.is_imported)

    @property
    def asked(self) -> int:
        """How many questions the survey has."""
        return len(self.design.questions)


def publishable(results: SurveyResults) -> list[QuestionResult]:
    """Return the questions that enough people have a report to."""
    return [
        question
        for question in results.questions
        if question.respondents >= LEAST_RESPONSES
    ]


def obstacle(survey: Survey, results: SurveyResults | None) -> str:
    """Return why a survey's results cannot be published; empty where they can.

    While a survey is open, published numbers would influence who answers, and how.
    """
    if survey.is_rehearsal:
        return _("This is a test of a draft. It has no results to publish.")
    if survey.purged_on:
        return _("The reports were deleted. There are no results to publish.")
    if not survey.is_closed or results is None:
        return _(
            "Results can be published when the survey has closed: earlier they would "
            "influence who answers, and how."
        )
    if not publishable(results):
        return _(
            "Fewer than %(least)s people have answered. Results of so few are not "
            "published."
        ) % {"least": LEAST_RESPONSES}
    return ""


def prepare(
    publication: Publication, only: Sequence[int] = ()
) -> PublishedResults | None:
    """Return what the page shows; None where there is nothing that may be shown.

    With `only`, numbers of questions, it is what the page shows of these.
    """
    survey, chosen = publication.survey, publication.questions
    if survey.is_draft or not set(only) <= set(chosen):
        return None
    tallies = read_tallies(survey, only, seals=False)
    results = survey_results(tallies, **publication.interval)
    shown = [each for each in publishable(results) if each.number in chosen]
    if obstacle(survey, results) or not shown:
        return None
    return PublishedResults(publication, replace(results, questions=tuple(shown)))
