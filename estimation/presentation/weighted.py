"""What is shown of weighted results: on the page, in files and by the command."""

from dataclasses import dataclass, replace
from functools import cached_property
from operator import attrgetter

from django.utils import translation
from django.utils.translation import gettext as _

from estimation.presentation import weighted_sentences as words
from estimation.presentation.cautions import Caution
from estimation.presentation.methods import LANGUAGE_OF_FILES
from estimation.presentation.table import (
    ESTIMATE,
    INTERVAL,
    RAW,
    STANDARD_ERROR,
    Column,
    Section,
    Table,
)
from estimation.rows.weighted import WeightedQuestion, WeightedResults


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
    def cautions(self) -> list[Caution]:
        """What to know before relying on the numbers."""
        return words.cautions(self.result)

    @property
    def table(self) -> Table:
        """The mean and each answer, weighted and in the sample."""
        result, sample = self.result, self.result.unweighted
        rows = [*filter(None, (result.mean,)), *result.rows]
        unweighted = [*filter(None, (sample.mean,)), *sample.rows]
        of_sample = {row.estimand: row for row in unweighted}

        def in_sample(column: Column) -> Column:
            return replace(
                column,
                show=lambda row: column.show(of_sample[row.estimand]),
                figures=lambda row: (
                    attrgetter("low", "high")(of_sample[row.estimand])
                    if column is INTERVAL
                    else of_sample[row.estimand].estimate
                ),
                style="",
            )

        return Table(
            name=_("Weighted numbers of question %s") % sample.number,
            columns=[
                ESTIMATE.named(_("Weighted")),
                INTERVAL,
                RAW,
                STANDARD_ERROR,
                in_sample(ESTIMATE).named(_("In the sample")),
                in_sample(INTERVAL),
            ],
            sections=[Section(rows=rows)],
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
