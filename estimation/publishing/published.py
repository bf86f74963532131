"""What a public results page shows, and when there is one."""

from dataclasses import dataclass, replace
from functools import cached_property

from django.utils.translation import gettext as _

from estimation.exports.cells import as_csv
from estimation.exports.estimates import question_rows, survey_cells
from estimation.models import Publication
from estimation.publishing.words import method_name
from estimation.results.cautions import Caution
from estimation.results.tallies import QuestionResult, SurveyResults, read_results
from surveys.design import Design, design_of
from surveys.models import Survey
from surveys.words.protection import Protection

LEAST_RESPONSES = 30
"""Fewer are no group: a public number would come close to single persons. The same
number as for groups within a survey."""


@dataclass(frozen=True)
class PublishedResults:
    """The chosen part of a closed survey's results."""

    publication: Publication
    everything: SurveyResults

    @property
    def survey(self) -> Survey:
        """The survey that was asked."""
        return self.everything.survey

    @cached_property
    def results(self) -> SurveyResults:
        """The results of the chosen questions that enough people answered."""
        chosen = [
            question
            for question in publishable(self.everything)
            if question.number in self.publication.questions
        ]
        return replace(self.everything, questions=tuple(chosen))

    @property
    def design(self) -> Design:
        """What was frozen when the survey opened."""
        return design_of(self.survey)

    @property
    def protection(self) -> Protection:
        """Who scrambled, and what was."""
        return Protection(self.design)

    @property
    def asked(self) -> int:
        """How many questions the survey has."""
        return len(self.everything.questions)

    @property
    def method_name(self) -> str:
        """The method of the intervals, in the language of the page."""
        return method_name(self.publication.method)

    @property
    def cautions(self) -> list[Caution]:
        """What to know about the survey before relying on any number."""
        return self.everything.cautions

    def question(self, number: int) -> QuestionResult | None:
        """Return a shown question by its number in the survey."""
        found = (each for each in self.results.questions if each.number == number)
        return next(found, None)

    def as_csv(self) -> str:
        """Return the shown estimates as a file; epsilon in total is of the survey."""
        same = survey_cells(self.everything)
        return as_csv(
            [
                same | cells
                for question in self.results.questions
                for cells in question_rows(question)
            ]
        )


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


def prepare(publication: Publication) -> PublishedResults | None:
    """Return what the page shows; None where there is nothing that may be shown."""
    survey = publication.survey
    if survey.is_draft:
        return None
    found = PublishedResults(publication, read_results(survey, **publication.interval))
    is_hindered = obstacle(survey, found.everything)
    return None if is_hindered or not found.results.questions else found


def find_published(token: str) -> PublishedResults | None:
    """Return what is public at this address; None is all that anybody else learns."""
    online = Publication.objects.filter(token=token, is_public=True)
    publication = online.select_related("survey").first()
    return None if publication is None else prepare(publication)
