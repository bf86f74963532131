"""The planned analysis as page, file and public page show it."""

from dataclasses import dataclass

from estimation.results.planned import words
from estimation.results.planned.outcome import Outcome, outcomes
from estimation.results.result import SurveyResults


@dataclass(frozen=True)
class OutcomePanel:
    """One planned test in two sentences."""

    outcome: Outcome

    @property
    def number(self) -> int:
        """The question's."""
        return self.outcome.question.number

    @property
    def claim(self) -> str:
        """What was claimed before anybody answered."""
        return words.claim(self.outcome)

    @property
    def verdict(self) -> str:
        """What became of it."""
        return words.verdict(self.outcome)


@dataclass(frozen=True)
class PlannedPanel:
    """What was planned of a survey's analysis, and what became of it."""

    results: SurveyResults

    @property
    def tests(self) -> list[OutcomePanel]:
        """The planned tests of the questions that are shown."""
        return [OutcomePanel(each) for each in outcomes(self.results)]

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """The planned comparisons."""
        return self.results.survey.pairs

    @property
    def lines(self) -> list[str]:
        """What holds for all of it."""
        told = [
            words.intervals_line(self.results.survey),
            words.attested_line(self.results.survey),
            words.other_intervals_line(self.results),
            words.tests_line(self.results.survey),
            words.together_line(self.results.survey, outcomes(self.results)),
            words.exploration_line(),
        ]
        return [line for line in told if line]
