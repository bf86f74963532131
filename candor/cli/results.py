"""Estimates of one question as the command shows them, and what to know of them."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from candor.estimands import Estimand
from candor.intervals import NEARLY_EVERYTHING
from candor.mechanisms.families.symmetric import BOTH, FIRST, LINKED_PAIR, SECOND
from candor.sample import BaseSample
from candor.table import Estimate, Estimates, Status
from candor.tolerance import is_below
from candor.weighting.sample import WeightedSample

FEW_RESPONDENTS = 30
"""With fewer the interval of a share hardly distinguishes few from many."""

LEAST_P_VALUE = 0.0001
"""Smaller p-values are printed as "P < 0.0001"."""

MEAN = "mean"

NO_REPORTS, MISFIT = "no reports", "does not fit the design"
UNINFORMATIVE, ESTIMATED = "tells nothing", "estimate"
"""What the column `standing` says of a row."""


@dataclass(frozen=True)
class Result:
    """The estimates from a sample, by a method and at a level.

    Of a file also those without weights, and how many rows have a gap; of two groups
    the differences.
    """

    sample: BaseSample
    confidence_level: float
    method: str
    unweighted: "Result | None" = None
    left_out: int = 0
    differences: Estimates | None = None

    @cached_property
    def rows(self) -> list[Estimate]:
        """A row for each share that can be estimated, then one for a mean."""
        table = self.sample.table(None, self.confidence_level, self.method)
        return sorted(table, key=lambda row: row.estimand == MEAN)

    @property
    def shares(self) -> list[Estimate]:
        """A row for each answer; none where only the mean can be estimated."""
        return [row for row in self.rows if row.estimand != MEAN]

    @property
    def mean(self) -> Estimate | None:
        """The mean of a scale in points, 0 to K; None for all other mechanisms."""
        return self.rows[-1] if self.rows[-1].estimand == MEAN else None

    @property
    def pair(self) -> dict[tuple[str, str], Estimate]:
        """The two questions of a linked pair, by their answers with a yes."""
        mechanism = self.sample.mechanism
        if mechanism.family != LINKED_PAIR:
            return {}
        answers, found = mechanism.answers, {}
        for other in (FIRST, SECOND):
            estimand = Estimand.make_share(BOTH, other, answers=len(answers))
            (row,) = self.sample.table(estimand, self.confidence_level, self.method)
            found[answers[BOTH], answers[other]] = row
        return found

    @property
    def weights(self) -> dict[str, float]:
        """What weighting costs; nothing of samples without weights."""
        sample = self.sample
        if not isinstance(sample, WeightedSample):
            return {}
        return {
            "effective_respondents": sample.effective_n,
            "design_effect": sample.design_effect,
            "largest_weight": sample.largest_weight,
        }

    def report(self, row: Estimate) -> str:
        """Return the report that stands for an answer; "" for a mean."""
        mechanism = self.sample.mechanism
        if row is self.mean:
            return ""
        return mechanism.reports[mechanism.answers.index(row.estimand)]

    def count(self, row: Estimate) -> int:
        """Return how many sent the report that stands for a row; all for a mean."""
        if row is self.mean:
            return self.sample.n
        place = self.sample.mechanism.answers.index(row.estimand)
        return self.sample.report_counts[place]

    def length(self, row: Estimate) -> int:
        """Return the largest value that a row can have: 1, or K for a mean."""
        return len(self.sample.mechanism.answers) - 1 if row is self.mean else 1

    def status(self, row: Estimate) -> str:
        """Return whether the figures of a row can be interpreted."""
        if row.status == Status.NO_REPORTS:
            return NO_REPORTS
        if row.status == Status.MISFIT:
            return MISFIT
        is_everything = (row.high - row.low) / self.length(row) >= NEARLY_EVERYTHING
        return UNINFORMATIVE if row.n == 1 or is_everything else ESTIMATED

    def cautions(self) -> Iterator[str]:
        """Yield what to know before relying on the estimates."""
        mechanism, sample = self.sample.mechanism, self.sample
        if not mechanism.is_scrambled:
            yield "Not protected: reports are true answers, and epsilon is unbounded."
        elif not mechanism.is_protected:
            yield "Partly protected: some reports are proof, and epsilon is unbounded."
        for report, answer in mechanism.proofs.items():
            if mechanism.is_scrambled:
                yield f"The report “{report}” proves the answer “{answer}”."
        if not sample.n:
            yield "No reports."
            return
        rows = [self.mean] if self.mean else self.shares
        if self.status(rows[0]) == MISFIT:
            yield self._misfit()
        else:
            yield from self._uninterpretable(rows)
        if sample.n < FEW_RESPONDENTS:
            yield f"Fewer than {FEW_RESPONDENTS} reports: the interval is very wide."
        if isinstance(sample, WeightedSample):
            if is_below(sample.effective_n, FEW_RESPONDENTS):
                yield f"The effective sample size is below {FEW_RESPONDENTS}."
            if sample.has_extreme_weight:
                yield (
                    f"One respondent counts as much as {sample.largest_weight:.1f} "
                    "others: a few people decide the result."
                )

    def _misfit(self) -> str:
        p_value = self.sample.design_fit
        shown = f"P = {p_value:.1g}"
        if p_value < LEAST_P_VALUE:
            shown = f"P < {LEAST_P_VALUE}"
        return (
            f"The reports do not fit the design ({shown}): no shares explain them. "
            "Reports may be forged, or respondents may not have followed the "
            "instructions. The intervals do not allow for that."
        )

    def _uninterpretable(self, rows: list[Estimate]) -> Iterator[str]:
        """Yield which rows are out of range, or too imprecise."""
        for row in rows if len(rows) != 2 else rows[:1]:
            last = self.length(row)
            if not 0 <= row.raw <= last:
                yield (
                    f"The raw estimate of “{row.estimand}” is {row.raw:.4f}, outside "
                    f"[0, {last}]. This happens by chance near the ends of the range "
                    "or in small samples; the estimate is the maximum-likelihood one."
                )
            if self.status(row) == UNINFORMATIVE:
                yield f"The interval of “{row.estimand}” is too wide to interpret."
