"""The planned analysis as page, file and public page show it."""

from dataclasses import dataclass
from functools import cached_property

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
    def text(self) -> str:
        """The question's wording."""
        return self.outcome.question.text

    @property
    def claim(self) -> str:
        """What was claimed before anybody answered."""
        return words.claim(self.outcome)

    @property
    def verdict(self) -> str:
        """What became of it."""
        return words.verdict(self.outcome)

    @property
    def in_file(self) -> str:
        """Both in short, for files: such as "1.1 > 20: shown, P 0.012"."""
        return words.in_file(self.outcome)


@dataclass(frozen=True)
class PlannedPanel:
    """What was planned of a survey's analysis, and what became of it."""

    results: SurveyResults

    @cached_property
    def tests(self) -> list[OutcomePanel]:
        """All planned tests, also of questions that a public page leaves out."""
        return [OutcomePanel(each) for each in outcomes(self.results)]

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """The planned comparisons."""
        return self.results.survey.pairs

    @property
    def lines(self) -> list[str]:
        """What holds for all of it."""
        found = [each.outcome for each in self.tests]
        told = [
            words.intervals_line(self.results.survey),
            words.attested_line(self.results.survey),
            words.other_intervals_line(self.results),
            words.noise_line(found),
            words.tests_line(self.results.survey),
            words.published_line(found),
            words.together_line(self.results.survey, found),
            words.exploration_line(),
        ]
        return [line for line in told if line]
