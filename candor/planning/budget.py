"""Several questions to the same person: epsilons add up, and sharing them out."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from candor.assumptions import Assumed, NormalMargins
from candor.binary import BinaryChannel
from candor.mechanisms import Mechanism
from candor.mechanisms.composition import MAX_QUESTIONS
from candor.mechanisms.epsilon import epsilon_of
from candor.mechanisms.family import MAX_CHOICES
from candor.mechanisms.mechanism import total_ratio
from candor.planning.assumed_mean import AssumedMean
from candor.planning.circumstances import Draw
from candor.validation import Range, check_whole

EPSILON_EACH = 2.2
"""Below about this epsilon, two questions teach less than one at twice the epsilon: the
root of sinh t = 2 t is 2.18, for shares of one half."""

BUDGET = Range(low=0, high=10_000, open_low=True, example="3")

CACHED_BUDGETS = 64
"""A form asks after every keystroke, and few of them change a table; one has up to 200
ways."""


@dataclass(frozen=True, kw_only=True)
class Kind:
    """What a question asks for: yes or no, one answer of several, a point of a scale.

    Attributes
    ----------
    answers : int
        How many, 2 or more; of a scale its points.
    scale : AssumedMean or None
        What is supposed of its points, where their mean is wanted, and not the share of
        an answer.
    """

    answers: int = 2
    scale: AssumedMean | None = None

    def variance(self, epsilon: float, *, share: float) -> float:
        """Return n times the variance of what it asks for, by its best table.

        Of the share of one answer; of a scale of the mean, in parts of the scale.
        """
        law = truth_or_another(epsilon, answers=self.answers)
        if self.scale is None:
            return law.variance(share)
        last = self.answers - 1
        mean, sd = self.scale.mean / last, self.scale.sd / last
        # One bit: High comes like a yes whose share is the mean.
        one_bit = truth_or_another(epsilon, answers=2).variance(mean)
        if self.answers > MAX_CHOICES:
            return one_bit
        # Each point: with chance a - b the true one is sent, else one of all alike, of
        # mean 1/2 and variance (K + 2) / (12 K); scores are (a - b) apart.
        true, alike = law.span, 1 - law.span
        spread = (
            true * sd**2
            + alike * (last + 2) / (12 * last)
            + true * alike * (mean - 1 / 2) ** 2
        )
        return min(one_bit, spread / true**2)


YES_OR_NO = Kind()


@dataclass(frozen=True, kw_only=True)
class Sharing:
    """One way to share out a budget.

    Attributes
    ----------
    asked : int
        How many of the questions, drawn at random, each respondent is asked.
    epsilon_each : float
        What each of these may take.
    variance : float
        Variance of a question's share or mean, times the number of all respondents; of
        questions of several kinds the largest.
    """

    asked: int
    epsilon_each: float
    variance: float

    def margins(self, confidence_level: float) -> NormalMargins:
        """Return the margins of such a question; respondents are all."""
        return NormalMargins(variance=self.variance, confidence_level=confidence_level)


@dataclass(frozen=True, kw_only=True)
class QuestionAdvice:
    """How to share out a budget over questions about equally sensitive.

    Attributes
    ----------
    questions : int
    total_epsilon : float
        The budget of one respondent.
    share : float
        Assumed share of every question.
    planned : Sharing
        So many are asked as was planned.
    all_asked, one_asked : Sharing
        Everybody is asked everything, or one question drawn at random.
    by_rule : Sharing or None
        The advice of yes/no where nothing is known of the shares: one question for
        every 2.2 of the budget. None for other kinds, which have no such number.
    best : Sharing
        What is most precise at the assumed share.
    """

    questions: int
    total_epsilon: float
    share: float
    planned: Sharing
    all_asked: Sharing
    one_asked: Sharing
    by_rule: Sharing | None
    best: Sharing


def total_epsilon(mechanisms: Sequence[Mechanism]) -> float:
    """Return the epsilon of all reports of one respondent together.

    Dwork & Roth 2014, theorem 3.14: epsilons add. 0 for no mechanism, infinite where
    one of them is.
    """
    return epsilon_of(total_ratio(mechanisms))


def advise(
    *, questions: int, total_epsilon: float, share: float = 0.5
) -> QuestionAdvice:
    """Return how many of the questions to ask each respondent.

    Parameters
    ----------
    questions : int
        m, in [1, 200]: yes/no questions, each asked with the best table.
    total_epsilon : float
        The budget of one respondent, in (0, 10000].
    share : float
        Assumed share of every question, pi, in [0, 1]; 1/2 is the most careful.

    References
    ----------
    Wang et al. 2019, IEEE ICDE, section IV (sampling of attributes, for means).

    Examples
    --------
    Five questions and a budget of 3: ask each respondent one of the five.

    >>> advise(questions=5, total_epsilon=3).by_rule.asked
    1
    """
    count = check_whole("questions", questions, low=1, high=MAX_QUESTIONS)
    draw = Draw(questions=count, asked=count)
    budget = BUDGET.check("total_epsilon", total_epsilon)
    return shared_out(Assumed(share=share), draw, total_epsilon=budget)


@dataclass(frozen=True)
class Sharings:
    """Every way to share out one budget over questions.

    Attributes
    ----------
    assumed : Assumed
        Of every question alike; of it share and level count.
    kinds : tuple of Kind
        Those of the questions, each once.
    ways : tuple of Sharing
        With 1, 2, ... of the questions asked, each with the best table.
    """

    assumed: Assumed
    kinds: tuple[Kind, ...]
    ways: tuple[Sharing, ...]

    @cached_property
    def best(self) -> Sharing:
        """What is most precise at the assumed share."""
        return min(self.ways, key=lambda way: way.variance)

    def margin(self, way: Sharing, respondents: int) -> float:
        """Return half the width of the normal interval of so many in all."""
        level = self.assumed.confidence_level
        return way.margins(level).margin(respondents)


@lru_cache(maxsize=CACHED_BUDGETS)
def sharings(
    assumed: Assumed,
    *,
    questions: int,
    total_epsilon: float,
    kinds: frozenset[Kind] | tuple[Kind, ...] = (YES_OR_NO,),
) -> Sharings:
    """Return every way to share out a budget; numbers are checked.

    Each of `questions` is of one of `kinds`, and all that are asked take as much.
    """
    return Sharings(
        assumed,
        tuple(kinds),
        tuple(
            Sharing(
                asked=asked,
                epsilon_each=total_epsilon / asked,
                # (m / s) V(eps / s): s / m of the respondents answer it
                variance=questions
                / asked
                * max(
                    kind.variance(total_epsilon / asked, share=assumed.share)
                    for kind in kinds
                ),
            )
            for asked in range(1, questions + 1)
        ),
    )


def truth_or_another(epsilon: float, *, answers: int) -> BinaryChannel:
    """Return the law of one answer where the true one is e^epsilon times as likely.

    k-RR (Kairouz, Bonawitz & Ramage 2016); of two answers no table at the same epsilon
    is more precise (Kairouz, Oh & Viswanath 2016).
    """
    # a = E / (E + k - 1), b = 1 / (E + k - 1), by e^-eps, which never overflows
    ratio = math.exp(-epsilon)
    total = 1 + (answers - 1) * ratio
    return BinaryChannel(p_yes_given_yes=1 / total, p_yes_given_no=ratio / total)


def shared_out(
    assumed: Assumed, draw: Draw, *, total_epsilon: float, kind: Kind = YES_OR_NO
) -> QuestionAdvice:
    """Return the same of checked numbers; of what is assumed only the share counts."""
    found = sharings(
        assumed, questions=draw.questions, total_epsilon=total_epsilon, kinds=(kind,)
    )
    ways = found.ways
    by_rule = min(
        max(math.floor(round(total_epsilon / EPSILON_EACH, 9) + 0.5), 1), len(ways)
    )
    return QuestionAdvice(
        questions=draw.questions,
        total_epsilon=total_epsilon,
        share=assumed.share,
        planned=ways[draw.asked - 1],
        all_asked=ways[-1],
        one_asked=ways[0],
        by_rule=ways[by_rule - 1] if kind == YES_OR_NO else None,
        best=found.best,
    )
