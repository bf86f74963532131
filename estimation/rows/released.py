"""Counts of a public page with noise, drawn once and kept.

The page is computed from the released counts alone: the number of respondents and the
tally of each question. So no chart, file or digit reveals more than they do.
"""

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from functools import partial
from itertools import count
from typing import Any, Self

from django.db import transaction
from django.utils.crypto import salted_hmac

from candor.intervals import DEFAULT_METHOD, Interval
from candor.mechanisms.randomness import WORD_BITS
from candor.releases.counts import (
    compute_count_interval,
    compute_histogram_sensitivity,
)
from candor.releases.noise import Below, DiscreteLaplace, below
from candor.releases.shares import (
    ParticipantCount,
    compute_error_with_noise,
    compute_released_design_fit,
    find_released_intervals,
)
from candor.sample import MISFIT
from candor.table import Status
from estimation.models import Publication
from estimation.rows.shares import (
    NoisyCounts,
    QuestionResult,
    SurveyResults,
    question_result,
)
from surveys.design import Design, DesignQuestion
from surveys.models import Survey

METHOD = "exact-with-noise"
"""What files call the intervals, which no choice of a method changes."""

OF_THE_NUMBER = Fraction(1, 2)
"""Part of epsilon for how many took part; the tallies share as much among them."""

MISFIT_MISS = 0.001
"""How often the smallest possible number of respondents may be too large when the fit
of a design is judged: a tenth of the chance at which it is called a misfit."""


@dataclass(frozen=True, kw_only=True)
class CountRelease:
    """One release: what was drawn of which questions, by which epsilon.

    Attributes
    ----------
    epsilon : Fraction
        Of everything in it together, for one person: whether they took part, which
        changes the number and each tally by one, and what they answered, which takes
        one from a count and adds one to another in each tally.
    respondents : int
        Released; may be below 0, as every count.
    tallies : mapping of int to tuple of int
        The released count of each report, by the number of the question.
    """

    epsilon: Fraction
    respondents: int
    survey_counts: Mapping[int, tuple[int, ...]]

    @classmethod
    def draw(
        cls, results: SurveyResults, epsilon: Fraction, source: Below = below
    ) -> Self:
        survey_counts = {
            question.number: tuple(count for _row, _report, count in question.reports)
            for question in results.questions
            if not question.mean  # no interval of a mean allows for the noise
        }
        empty = cls(epsilon=epsilon, respondents=0, survey_counts=survey_counts)
        of_reports = empty.noise_of_reports
        return replace(
            empty,
            respondents=results.respondents + empty.noise_of_respondents.draw(source),
            survey_counts={
                number: tuple(count + of_reports.draw(source) for count in counts)
                for number, counts in survey_counts.items()
            },
        )

    @classmethod
    def read(cls, stored: Mapping[str, Any]) -> Self:
        return cls(
            epsilon=Fraction(stored["epsilon"]),
            respondents=stored["respondents"],
            survey_counts={
                int(number): tuple(counts)
                for number, counts in stored["tallies"].items()
            },
        )

    @property
    def stored(self) -> dict[str, Any]:
        return {
            "epsilon": str(self.epsilon),
            "respondents": self.respondents,
            "tallies": {
                str(number): list(counts)
                for number, counts in self.survey_counts.items()
            },
        }

    @property
    def noise_of_respondents(self) -> DiscreteLaplace:
        """Noise of the number of respondents, whose sensitivity is 1."""
        return DiscreteLaplace(self.epsilon * OF_THE_NUMBER)

    @property
    def noise_of_reports(self) -> DiscreteLaplace:
        """Noise of each count of reports: a changed answer changes two counts."""
        return DiscreteLaplace(
            self.epsilon / len(self.survey_counts), compute_histogram_sensitivity()
        )

    def interval(self, level: float) -> tuple[int, int]:
        return compute_count_interval(
            self.respondents, self.noise_of_respondents, level
        )

    def results(
        self, survey: Survey, design: Design, *, shown: Sequence[int], level: float
    ) -> SurveyResults:
        numbers = [number for number in shown if number in self.survey_counts]
        return SurveyResults(
            survey=survey,
            design=design,
            questions=tuple(
                replace(
                    self.question(
                        design.estimated_questions[number - 1],
                        number,
                        level,
                        asked_of_everybody=not survey.is_imported
                        and design.find_group(number) is None,
                    ),
                    is_randomised_by_server=survey.mode == Survey.Mode.SERVER,
                    may_be_by_hand=survey.mode == Survey.Mode.HAND,
                )
                for number in numbers
            ),
            respondents=max(0, self.respondents),
            left_out=tuple(
                question_result(
                    question,
                    tuple(dict.fromkeys(question.mechanism.reports, 0).items()),
                    number=number,
                    confidence_level=level,
                    method=DEFAULT_METHOD,
                )
                for number, question in enumerate(design.estimated_questions, start=1)
                if number not in numbers
            ),
        )

    def question(
        self,
        question: DesignQuestion,
        number: int,
        level: float,
        *,
        asked_of_everybody: bool,
    ) -> QuestionResult:
        """Return the result of one released tally, its noise allowed for.

        Where everybody was asked, as the design says, the number of people who took
        part is the number of reports too. It has less noise than the sum of a tally.
        """
        mechanism, counts = question.mechanism, self.survey_counts[number]
        noise = self.noise_of_reports
        took_part = ParticipantCount(
            released=self.respondents,
            noise=self.noise_of_respondents,
            all_have_reports=asked_of_everybody,
        )
        # No count is below 0, and cutting off there takes it nearer to the true one.
        report_counts = zip(
            mechanism.reports, (max(0, each) for each in counts), strict=True
        )
        exact = question_result(
            question,
            tuple(report_counts),
            number=number,
            confidence_level=level,
            method=DEFAULT_METHOD,
        )
        intervals = find_released_intervals(
            mechanism, counts, noise, confidence_level=level, took_part=took_part
        )
        if not exact.respondents:  # no count above 0: nothing is known of any share
            intervals = [Interval(0.0, 1.0)] * len(exact.rows)
        fit = compute_released_design_fit(mechanism, counts, noise, miss=MISFIT_MISS)
        status = Status.OK if fit >= MISFIT else Status.MISFIT
        rows = []
        for place, (row, ends) in enumerate(zip(exact.rows, intervals, strict=True)):
            error = compute_error_with_noise(
                mechanism,
                place,
                standard_error=row.standard_error,
                raw=row.raw,
                respondents=exact.respondents,
                noise=noise,
            )
            rows.append(
                replace(
                    row,
                    standard_error=error,
                    low=ends.low,
                    high=ends.high,
                    method=METHOD,
                    status=status,
                )
            )
        respondents = exact.respondents
        if asked_of_everybody:
            respondents = max(0, self.respondents)
        return replace(
            exact,
            rows=tuple(rows),
            # No interval of these allows for the noise.
            bounds=(),
            among_answered=(),
            among_asked=(),
            pair=(),
            respondents=respondents,
            design_fit=fit,
            method=METHOD,
            noisy=NoisyCounts(counts=counts, noise=noise, took_part=took_part),
        )


def newest(publication: Publication) -> CountRelease | None:
    found = [each for each in publication.releases if "tallies" in each]
    return CountRelease.read(found[-1]) if found else None


def spent(publication: Publication) -> Fraction:
    return sum(
        (Fraction(each["epsilon"]) for each in publication.releases), Fraction(0)
    )


def needs_release(publication: Publication) -> bool:
    """Whether what was chosen can only be shown after a new release.

    Showing fewer questions of a release, or another level, gives away nothing new.
    """
    if publication.release_epsilon is None:
        return False
    release = newest(publication)
    return (
        release is None
        or release.epsilon != Fraction(publication.release_epsilon)
        or not set(publication.questions) <= set(release.survey_counts)
    )


def simulate_release(publication: Publication, results: SurveyResults) -> CountRelease:
    """Return a release that only a preview shows, and that is never stored.

    Its noise comes from a key of the server and what was chosen, so page, charts and
    file of a preview show the same. A release that is published draws other noise.
    """
    numbers = [question.number for question in results.questions]
    chosen = f"{publication.token} {publication.release_epsilon} {numbers}"
    key = salted_hmac("estimation.publishing.preview", chosen, algorithm="sha256")
    words = draw_pseudorandom(key.digest())
    epsilon = Fraction(publication.release_epsilon or 0)
    source = partial(below, draw=words.__next__)
    return CountRelease.draw(results, epsilon, source)


def draw_pseudorandom(key: bytes) -> Iterator[int]:
    for number in count():
        block = hashlib.sha256(key + number.to_bytes(8, "big")).digest()
        yield int.from_bytes(block[: WORD_BITS // 8], "big")


def refuse_release(survey: Survey, epsilon: Decimal | None) -> str:
    ledger = survey.read_ledger()
    return ledger.refuse(float(epsilon or 0)) if ledger else ""


def store_release(
    publication: Publication, results: SurveyResults, *, after: int
) -> bool:
    def draw(locked: Publication) -> dict[str, Any] | None:
        epsilon = locked.release_epsilon
        if epsilon is None or refuse_release(locked.survey, epsilon):
            return None
        return CountRelease.draw(results, Fraction(epsilon)).stored

    return store(publication, draw, after=after)


def store(
    publication: Publication,
    draw: Callable[[Publication], dict[str, Any] | None],
    *,
    after: int,
) -> bool:
    """Store what is drawn, unless another release or a deletion came between.

    Parameters
    ----------
    publication : Publication
    draw : callable
        Returns a release of the locked publication, or None if it has no budget.
    after : int
        How many releases there were when the owner confirmed what one more costs: a
        button that is pressed twice releases once.
    """
    with transaction.atomic():
        publication.survey.lock_panel()
        # The survey before its page, as the deletion of reports locks them.
        Survey.objects.select_for_update().get(pk=publication.survey_id)
        rows = Publication.objects.select_for_update()
        locked = rows.filter(pk=publication.pk).first()
        if locked is None or len(locked.releases) != after:
            return False
        if (drawn := draw(locked)) is None:
            return False
        publication.releases = [*locked.releases, drawn]
        publication.save(update_fields=["releases"])
        total = spent(publication)
        Survey.objects.filter(pk=publication.survey_id).update(
            released_epsilon=Decimal(total.numerator) / total.denominator
        )
    return True
