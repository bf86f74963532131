"""The regression of one answer of a survey on the answers to its other questions."""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from candor.binary import FloatArray
from candor.dichotomies import find_answer_dichotomy
from candor.intervals import Interval
from candor.mechanisms.draws import NOT_ASKED
from candor.regression.fit import fit_logistic
from candor.regression.patterns import NoFitError, Obstacle, Scrambled
from candor.regression.regress import (
    Contrast,
    Regression,
    make_regression,
)
from candor.table import Estimate
from estimation.rows.assumptions import MAX_IGNORING
from estimation.rows.counts import ContingencyTable, read_contingency_table
from estimation.rows.groups import MIN_GROUP_SIZE, are_clusters, find_large_groups
from estimation.rows.shares import fits_design
from surveys.design import DesignQuestion
from surveys.models import Survey

CONSTANT = "Intercept"

Counts = dict[tuple[int, ...], list[int]]
"""Counts of the outcome's reports, yes first, by the reports to the predictors. With a
scrambled predictor there are counts for each of its reports, in the outer order."""


@dataclass(frozen=True, kw_only=True)
class Chosen:
    """The questions of a regression, by their numbers from 1.

    Attributes
    ----------
    outcome, answer : int
        A question, and the index of the answer to predict.
    references : mapping of int to int
        {direct question: index of the reference answer}.
    scrambled : int or None
        A scrambled question with two answers; the second is the reference.
    clusters : int or None
        A direct question whose answers are clusters.
    ignoring : int
        In percent, 0 to 50.
    """

    outcome: int
    answer: int
    references: Mapping[int, int]
    scrambled: int | None = None
    clusters: int | None = None
    ignoring: int = 0
    """Largest percentage whose report of the outcome ignores the truth."""

    @property
    def numbers(self) -> tuple[int, ...]:
        last = (each for each in (self.clusters, self.scrambled) if each is not None)
        return (self.outcome, *self.references, *last)


@dataclass(frozen=True, kw_only=True)
class AnswerRow:
    label: str
    coefficient: Estimate
    effect: Estimate
    band: Interval | None = None
    """Union of the intervals of the coefficient under non-compliance."""
    holds_to: int | None = None
    """Largest percentage tried at which the band excludes 0; None without one."""


@dataclass(frozen=True, kw_only=True)
class PredictorResult:
    question: DesignQuestion
    reference: str
    """The reference answer."""
    hidden: tuple[str, ...]
    """Answers of too few respondents, who are left out. They include answers without
    respondents only if no answer is shown."""
    is_usable: bool
    """Whether the reference and another answer have enough respondents."""
    rows: tuple[AnswerRow, ...] = ()

    @property
    def is_scrambled(self) -> bool:
        return self.question.mechanism.is_scrambled


@dataclass(frozen=True, kw_only=True)
class SurveyRegression:
    outcome: DesignQuestion
    answer: str
    predictors: tuple[PredictorResult, ...]
    respondents: int
    """Number with a report to all these questions, without small groups."""
    missing: int
    """Number without a report to one of them."""
    small: int
    """Number left out with small groups."""
    misfits: tuple[DesignQuestion, ...]
    regression: Regression | None
    obstacle: Obstacle | None
    obstacle_names: tuple[str, ...]
    """Answers to predictors that cause the obstacle."""
    confidence_level: float
    clusters: DesignQuestion | None = None
    ignoring: int = 0

    @property
    def rows(self) -> Iterator[tuple[PredictorResult, AnswerRow]]:
        for predictor in self.predictors:
            for row in predictor.rows:
                yield predictor, row


def regress_questions(
    survey: Survey, chosen: Chosen, *, confidence_level: float
) -> SurveyRegression:
    survey_counts = read_contingency_table(survey, chosen.numbers, seals=False)
    return regress_contingency_table(
        survey_counts, chosen, confidence_level=confidence_level
    )


def regress_contingency_table(
    survey_counts: ContingencyTable, chosen: Chosen, *, confidence_level: float
) -> SurveyRegression:
    outcome, *others = survey_counts.questions
    direct = others[: len(chosen.references)]
    references = tuple(chosen.references.values())
    complete, counts, kept, hidden = drop_small_groups(survey_counts, chosen, direct)
    respondents = sum(map(sum, counts.values()))
    asked = [*zip(direct, references, kept, hidden, strict=True)]
    if chosen.scrambled is not None:
        asked.append((others[-1], 1, {0, 1}, set()))
    predictors = [
        PredictorResult(
            question=question,
            reference=question.choices[reference],
            hidden=tuple(question.choices[answer] for answer in sorted(not_shown)),
            is_usable=reference in shown and len(shown) > 1,
        )
        for question, reference, shown, not_shown in asked
    ]
    places = [
        (at, answer)
        for at, (_question, reference, shown, _not_shown) in enumerate(asked)
        for answer in sorted(shown - {reference})
    ]
    regression, obstacle = None, None
    bands: list[dict[int, Interval]] = []
    names: tuple[str, ...] = ()
    is_usable = all(predictor.is_usable for predictor in predictors)
    if is_usable and respondents < MIN_GROUP_SIZE:
        obstacle = Obstacle.TOO_FEW
    elif is_usable and chosen.clusters and not are_clusters(cluster_sizes(counts)):
        obstacle = Obstacle.CLUSTERS
    elif is_usable:
        try:
            regression = fit_regression(
                survey_counts, chosen, counts, places, confidence_level=confidence_level
            )
            if chosen.ignoring and outcome.mechanism.is_scrambled:
                bands = list_bands(survey_counts, chosen, counts, places, regression)
        except NoFitError as error:
            obstacle = error.obstacle
            names = tuple(
                name_answer(
                    predictors[predictor].question,
                    predictors[predictor].question.choices[answer],
                    is_alone=len(predictors) == 1,
                )
                for predictor, answer in places
                if name_level(predictor, answer) in error.names
            )
    return SurveyRegression(
        outcome=outcome,
        answer=outcome.choices[chosen.answer],
        predictors=tuple(
            add_rows(predictor, at, places, regression, bands, chosen.ignoring)
            for at, predictor in enumerate(predictors)
        ),
        respondents=respondents,
        missing=survey_counts.respondents - complete,
        small=complete - respondents,
        misfits=tuple(
            question
            for _number, question, report_counts in survey_counts.by_question()
            if not fits_design(question.mechanism, report_counts)
        ),
        regression=regression,
        obstacle=obstacle,
        obstacle_names=names,
        confidence_level=confidence_level,
        clusters=others[len(direct)] if chosen.clusters else None,
        ignoring=chosen.ignoring,
    )


def name_answer(question: DesignQuestion, label: str, *, is_alone: bool) -> str:
    """Return an answer, with its question unless that is the only predictor."""
    return label if is_alone else f"{question.text} {label}"


def drop_small_groups(
    survey_counts: ContingencyTable, chosen: Chosen, direct: Sequence[DesignQuestion]
) -> tuple[int, Counts, list[set[int]], list[set[int]]]:
    """Return the number of complete respondents, and counts without small groups.

    Leaving out the respondents of a small group may make another group small, so this
    is repeated until no group is small. The last two parts are the answers to each
    direct predictor that are left and that are hidden. Keys of the counts are answers
    to direct predictors, and last the cluster, if any.
    """
    counted_reports = [
        find_answer_dichotomy(
            survey_counts.questions[0].mechanism, chosen.answer
        ).counted
    ]
    if chosen.scrambled is not None:
        counted_reports.append(
            find_answer_dichotomy(survey_counts.questions[-1].mechanism, 0).counted
        )
    counts: Counts = {}
    for pattern, count in survey_counts.counts.items():
        if NOT_ASKED in pattern:
            continue
        outcome, *others = pattern
        report = int(outcome not in counted_reports[0])
        if chosen.scrambled is not None:
            report += 2 * int(others.pop() not in counted_reports[1])
        cells = counts.setdefault(tuple(others), [0] * 2 ** len(counted_reports))
        cells[report] += count
    complete = sum(map(sum, counts.values()))
    given = [{answers[at] for answers in counts} for at in range(len(direct))]
    while True:
        kept = []
        for at, question in enumerate(direct):
            sizes = Counter[int]()
            for answers, cells in counts.items():
                sizes[answers[at]] += sum(cells)
            kept.append(
                find_large_groups([sizes[row] for row in range(len(question.choices))])
            )
        left = {
            answers: cells
            for answers, cells in counts.items()
            if all(row in shown for row, shown in zip(answers, kept, strict=False))
        }
        if len(left) == len(counts):
            hidden = [
                (answers if shown else set(range(len(question.choices)))) - shown
                for question, answers, shown in zip(direct, given, kept, strict=True)
            ]
            return complete, counts, kept, hidden
        counts = left


def cluster_sizes(counts: Counts) -> Iterable[int]:
    sizes = Counter[int]()
    for answers, cells in counts.items():
        sizes[answers[-1]] += sum(cells)
    return sizes.values()


@dataclass(frozen=True)
class Erring:
    share: float
    is_yes: bool
    """Whether their report counts as the answer."""

    def mix(self, chance: float) -> float:
        return (1 - self.share) * chance + self.share * self.is_yes


def fit_regression(
    survey_counts: ContingencyTable,
    chosen: Chosen,
    counts: Counts,
    places: Sequence[tuple[int, int]],
    *,
    confidence_level: float,
    erring: Erring | None = None,
) -> Regression:
    patterns = list(counts)
    outcome = find_answer_dichotomy(
        survey_counts.questions[0].mechanism, chosen.answer
    ).channel
    p_yes_given_yes, p_yes_given_no = outcome.p_yes_given_yes, outcome.p_yes_given_no
    if erring:
        p_yes_given_yes = erring.mix(p_yes_given_yes)
        p_yes_given_no = erring.mix(p_yes_given_no)
    names = [CONSTANT, *(name_level(*place) for place in places)]

    def design(changed: int = -1, answer: int = -1, *, if_yes: bool) -> FloatArray:
        """Return the predictors, where all respondents give one of them one answer."""
        rows = []
        for pattern in patterns:
            answers = list(pattern[: len(chosen.references)])
            if chosen.scrambled is not None:
                answers.append(0 if if_yes else 1)
            if changed >= 0:
                answers[changed] = answer
            rows.append([1.0, *(float(answers[at] == row) for at, row in places)])
        return np.array(rows)

    scrambled = None
    if chosen.scrambled is not None:
        channel = find_answer_dichotomy(
            survey_counts.questions[-1].mechanism, 0
        ).channel
        scrambled = Scrambled(
            predictors=design(if_yes=True),
            p_yes_given_yes=channel.p_yes_given_yes,
            p_yes_given_no=channel.p_yes_given_no,
        )
    fit = fit_logistic(
        design(if_yes=False),
        np.array([counts[pattern] for pattern in patterns], dtype=np.float64),
        p_yes_given_yes=p_yes_given_yes,
        p_yes_given_no=p_yes_given_no,
        names=names,
        scrambled=scrambled,
        clusters=[pattern[-1] for pattern in patterns] if chosen.clusters else None,
    )
    references = [*chosen.references.values(), 1]
    contrasts = [
        Contrast(
            name=name_level(at, row),
            against=name_level(at, references[at]),
            high=design(at, row, if_yes=False),
            low=design(at, references[at], if_yes=False),
            high_if_yes=design(at, row, if_yes=True),
            low_if_yes=design(at, references[at], if_yes=True),
        )
        for at, row in places
    ]
    return make_regression(
        fit, contrasts, left_out=0, confidence_level=confidence_level
    )


STEP = 5
"""Percentage points between the shares at which the regression is repeated."""


def list_bands(
    survey_counts: ContingencyTable,
    chosen: Chosen,
    counts: Counts,
    places: Sequence[tuple[int, int]],
    regression: Regression,
) -> list[dict[int, Interval]]:
    """Return {percentage that err: interval} of each coefficient.

    The interval allows for up to this percentage. With two answers they report the
    second. With more they may report any, and the interval is the union of both cases.
    If the regression cannot be fitted, the interval is infinite.
    """
    is_any = len(survey_counts.questions[0].choices) > 2
    bands = [{0: Interval(row.low, row.high)} for row in regression.coefficients[1:]]
    before = 0
    for percent in sorted({chosen.ignoring, *range(STEP, MAX_IGNORING + 1, STEP)}):
        for is_yes in (False, True) if is_any else (chosen.answer == 1,):
            try:
                found = fit_regression(
                    survey_counts,
                    chosen,
                    counts,
                    places,
                    confidence_level=regression.confidence_level,
                    erring=Erring(percent / 100, is_yes),
                ).coefficients[1:]
                ends = [(row.low, row.high) for row in found]
            except NoFitError:
                ends = [(-math.inf, math.inf)] * len(bands)
            for band, (low, high) in zip(bands, ends, strict=True):
                last = band.get(percent, band[before])
                band[percent] = Interval(min(last.low, low), max(last.high, high))
        before = percent
    return bands


def find_last_exclusion(band: Mapping[int, Interval]) -> int | None:
    found = [percent for percent, (low, high) in band.items() if not low <= 0 <= high]
    return max(found, default=None)


def name_level(predictor: int, answer: int) -> str:
    return f"{predictor}:{answer}"


def add_rows(
    predictor: PredictorResult,
    at: int,
    places: Sequence[tuple[int, int]],
    regression: Regression | None,
    bands: Sequence[Mapping[int, Interval]],
    ignoring: int,
) -> PredictorResult:
    if regression is None:
        return predictor
    found = zip(
        places,
        regression.coefficients[1:],
        regression.effects,
        bands or [{}] * len(places),
        strict=True,
    )
    return replace(
        predictor,
        rows=tuple(
            AnswerRow(
                label=predictor.question.choices[answer],
                coefficient=coefficient,
                effect=effect,
                band=band.get(ignoring),
                holds_to=find_last_exclusion(band),
            )
            for (place, answer), coefficient, effect, band in found
            if place == at
        ),
    )
