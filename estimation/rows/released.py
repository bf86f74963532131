"""Counts of a public page with noise, drawn once and stored.

The page is computed from the released counts alone: the number of respondents and the
reports to each question. So no chart, file or digit reveals more than they do.
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
"""Name of the intervals in files; there is no choice of a method."""

OF_THE_NUMBER = Fraction(1, 2)
"""Part of epsilon for the number of respondents; the questions share the rest."""

MISFIT_MISS = 0.001
"""Probability that the lower bound of the number of respondents is too large in the
check of the design's fit: a tenth of the level of that check."""


@dataclass(frozen=True, kw_only=True)
class CountRelease:
    """One release: the noisy counts of some questions, and their epsilon.

    Attributes
    ----------
    epsilon : Fraction
        For the whole release and one person. Taking part changes the number of
        respondents and one count of each question by one. Another answer takes one from
        a count of each question and adds one to another.
    respondents : int
        Released; can be negative, like every released count.
    noisy_counts : mapping of int to tuple of int
        The released count of each report, by the number of the question.
    """

    epsilon: Fraction
    respondents: int
    noisy_counts: Mapping[int, tuple[int, ...]]

    @classmethod
    def draw(
        cls, results: SurveyResults, epsilon: Fraction, source: Below = below
    ) -> Self:
        exact_counts = {
            question.number: tuple(count for _row, _report, count in question.reports)
            for question in results.questions
            if not question.mean  # no interval of a mean allows for the noise
        }
        empty = cls(epsilon=epsilon, respondents=0, noisy_counts=exact_counts)
        of_reports = empty.noise_of_reports
        return replace(
            empty,
            respondents=results.respondents + empty.noise_of_respondents.draw(source),
            noisy_counts={
                number: tuple(count + of_reports.draw(source) for count in counts)
                for number, counts in exact_counts.items()
            },
        )

    @classmethod
    def read(cls, stored: Mapping[str, Any]) -> Self:
        return cls(
            epsilon=Fraction(stored["epsilon"]),
            respondents=stored["respondents"],
            noisy_counts={
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
                for number, counts in self.noisy_counts.items()
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
            self.epsilon / len(self.noisy_counts), compute_histogram_sensitivity()
        )

    def interval(self, level: float) -> tuple[int, int]:
        return compute_count_interval(
            self.respondents, self.noise_of_respondents, level
        )

    def results(
        self, survey: Survey, design: Design, *, shown: Sequence[int], level: float
    ) -> SurveyResults:
        numbers = [number for number in shown if number in self.noisy_counts]
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
        """Return the result of one question, with its noise allowed for.

        If the design asks the question of everyone, the number of respondents is also
        the number of its reports, and has less noise than the sum of their counts.
        """
        mechanism, counts = question.mechanism, self.noisy_counts[number]
        noise = self.noise_of_reports
        took_part = ParticipantCount(
            released=self.respondents,
            noise=self.noise_of_respondents,
            all_have_reports=asked_of_everybody,
        )
        # True counts are at least 0, so counts cut at 0 are nearer to them.
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
        if not exact.respondents:  # without a count above 0 shares are unknown
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
    """Return whether the chosen page needs a new release.

    Fewer questions or another confidence level disclose nothing new.
    """
    if publication.release_epsilon is None:
        return False
    release = newest(publication)
    return (
        release is None
        or release.epsilon != Fraction(publication.release_epsilon)
        or not set(publication.questions) <= set(release.noisy_counts)
    )


def simulate_release(publication: Publication, results: SurveyResults) -> CountRelease:
    """Return a release for a preview, which is never stored.

    Its noise is derived from a key of the server and the settings, so page, charts and
    file of a preview agree. A published release draws other noise.
    """
    numbers = [question.number for question in results.questions]
    chosen = f"{publication.token} {publication.release_epsilon} {numbers}"
    key = salted_hmac("estimation.publishing.preview", chosen, algorithm="sha256")
    blocks = draw_pseudorandom(key.digest())
    epsilon = Fraction(publication.release_epsilon or 0)
    source = partial(below, draw=blocks.__next__)
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
    """Store a release, unless another release or a deletion came first.

    Parameters
    ----------
    publication : Publication
    draw : callable
        Returns a release of the locked publication, or None if it has no budget.
    after : int
        Number of releases when the owner confirmed the cost of another one. So a button
        that is pressed twice releases once.
    """
    with transaction.atomic():
        publication.survey.lock_panel()
        # Lock the survey before its page, in the order of the deletion of reports.
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
