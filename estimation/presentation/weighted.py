"""What is shown of weighted results: on the page, in files and by the command."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from django.utils import translation

from estimation.presentation import weighted_sentences as words
from estimation.presentation.bars import bar, bar_of_mean
from estimation.presentation.cautions import Caution
from estimation.presentation.charts.intervals import Bar
from estimation.presentation.means import error_of_mean, shown_of_mean
from estimation.presentation.methods import LANGUAGE_OF_FILES
from estimation.rows.means import MeanResult
from estimation.rows.weighted import WeightedAnswer, WeightedQuestion, WeightedResults


@dataclass(frozen=True, kw_only=True)
class WeightedMeanLine:
    """The mean of a scale in the population and in the sample, in its units."""

    mean: MeanResult
    bar: Bar
    sample: MeanResult
    sample_bar: Bar

    @property
    def raw(self) -> str:
        """The unbiased mean, as fine as its interval."""
        return shown_of_mean(self.mean, self.mean.raw)

    @property
    def standard_error(self) -> str:
        """The standard error in units of the scale."""
        return error_of_mean(self.mean)


@dataclass(frozen=True)
class WeightedPanel:
    """One question's weighted result in sentences, cautions and table."""

    result: WeightedQuestion

    @property
    def sentences(self) -> list[str]:
        """Interval and best estimate, one sentence for each answer to talk about."""
        return words.sentences(self.result)

    @property
    def level(self) -> str:
        """How sure these sentences are."""
        return words.level(self.result)

    @property
    def effective(self) -> str:
        """Effective number, design effect and largest weight."""
        return words.effective(self.result)

    @property
    def interval_name(self) -> str:
        """What kind of interval it is."""
        return words.interval_name(self.result)

    @property
    def interval_name_of_mean(self) -> str:
        """That of a mean, where it is another one."""
        return words.interval_name_of_mean(self.result)

    @property
    def mean(self) -> "WeightedMeanLine | None":
        """The mean of a scale as the table has it, beside that of the sample."""
        mean, of_sample = self.result.mean, self.result.unweighted.mean
        if mean is None or of_sample is None:
            return None
        standing = self.result.unweighted.standing(of_sample)
        return WeightedMeanLine(
            mean=mean,
            bar=bar_of_mean(mean, self.result.standing(mean)),
            sample=of_sample,
            sample_bar=bar_of_mean(of_sample, standing),
        )

    @property
    def cautions(self) -> list[Caution]:
        """What to know before relying on the numbers."""
        return words.cautions(self.result)

    @property
    def table(self) -> Iterator[tuple[WeightedAnswer, Bar, Bar]]:
        """Each answer with what is said of it weighted, and in the sample."""
        for row in self.result.rows:
            of_sample = self.result.unweighted.standing(row.unweighted)
            yield (
                row,
                bar(row, self.result.standing(row)),
                bar(row.unweighted, of_sample),
            )


@dataclass(frozen=True)
class WeightedSurveyPanel:
    """All questions that were weighted, and why others were not."""

    results: WeightedResults

    @cached_property
    def questions(self) -> list[WeightedPanel]:
        """A panel for each question."""
        return [WeightedPanel(question) for question in self.results.questions]

    @property
    def has_means(self) -> bool:
        """Whether some mean is told that no count tells."""
        return any(each.interval_name_of_mean for each in self.questions)

    @property
    def refusals(self) -> list[Caution]:
        """Why questions have no weighted result."""
        return [words.refusal(each) for each in self.results.refused]

    @property
    def methods_sentence(self) -> str:
        """What a methods section says of it; empty where nothing was weighted."""
        if not self.questions:
            return ""
        with translation.override(LANGUAGE_OF_FILES):
            return words.methods_sentence(self.results)
