"""The planned analysis as page, file and public page show it."""

from dataclasses import dataclass
from functools import cached_property

from estimation.presentation import planned_sentences as words
from estimation.rows.planned import (
    Outcome,
    PairOutcome,
    outcomes,
    pair_outcomes,
    planned_outcomes,
)
from estimation.rows.shares import SurveyResults


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
class PairPanel:
    """One planned comparison in two sentences."""

    outcome: PairOutcome

    @property
    def numbers(self) -> tuple[int, int]:
        """The questions', the one that makes the groups last."""
        return self.outcome.numbers

    @property
    def claim(self) -> str:
        """Which comparison was planned."""
        return words.pair_claim(self.outcome)

    @property
    def verdict(self) -> str:
        """Its outcome."""
        return words.pair_verdict(self.outcome)

    @property
    def in_file(self) -> str:
        """Both in short, for files: such as "1-2: shown, P 0.012"."""
        first, second = self.outcome.numbers
        return words.in_short(f"{first}-{second}", self.outcome)


@dataclass(frozen=True)
class PlannedPanel:
    """What was planned of a survey's analysis, and what became of it."""

    results: SurveyResults

    @cached_property
    def tests(self) -> list[OutcomePanel]:
        """All planned tests, also of questions that a public page leaves out."""
        return [OutcomePanel(each) for each in outcomes(self.results)]

    @cached_property
    def pairs(self) -> list[PairPanel]:
        """The planned comparisons."""
        return [PairPanel(each) for each in pair_outcomes(self.results)]

    @property
    def lines(self) -> list[str]:
        """What holds for all of it."""
        survey = self.results.survey
        found = planned_outcomes(self.results)
        told = [
            words.intervals_line(survey),
            words.attested_line(survey),
            words.other_intervals_line(self.results),
            words.noise_line(found),
            words.direction_line(survey),
            words.pairs_line(survey),
            words.tests_line(survey),
            words.published_line(found),
            words.adjusted_line(survey, found),
            words.exploration_line(),
        ]
        return [line for line in told if line]
