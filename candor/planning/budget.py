"""How to divide a privacy budget over several questions to the same person."""

import math
from dataclasses import dataclass
from functools import cached_property, lru_cache

from candor.binary import BinaryChannel
from candor.mechanisms.family import MAX_CHOICES
from candor.planning.assumptions import NormalMargins, ScaleAnswers
from candor.planning.fieldwork import Draw

EPSILON_EACH = 2.2
"""Below about this epsilon, two questions are less informative than one at twice the
epsilon: the root of sinh t = 2 t is 2.18, for shares of one half."""

CACHED_BUDGETS = 64
"""A form requests a plan after every keystroke, and few of them change the budget. A
budget has up to 200 divisions."""


@dataclass(frozen=True, kw_only=True)
class Kind:
    """The estimand of a question: the share of an answer, or the mean of a scale."""

    answers: int = 2
    scale: ScaleAnswers | None = None

    def variance(self, epsilon: float, *, share: float) -> float:
        """Return n times the variance under the best table, on a scale from 0 to 1."""
        channel = make_k_ary_channel(epsilon, answers=self.answers)
        if self.scale is None:
            return channel.variance(share)
        last = self.answers - 1
        mean, sd = self.scale.mean / last, self.scale.sd / last
        # One bit: the report "high" is like a yes whose share is the mean.
        one_bit = make_k_ary_channel(epsilon, answers=2).variance(mean)
        if self.answers > MAX_CHOICES:
            return one_bit
        # Grid: the true point is sent with probability a - b, otherwise any point with
        # equal probability, with mean 1/2 and variance (K + 2) / (12 K). Scores divide
        # by a - b.
        true, uniform = channel.span, 1 - channel.span
        spread = (
            true * sd**2
            + uniform * (last + 2) / (12 * last)
            + true * uniform * (mean - 1 / 2) ** 2
        )
        return min(one_bit, spread / true**2)


YES_OR_NO = Kind()


@dataclass(frozen=True, kw_only=True)
class Sharing:
    """One way to divide a budget: over `asked` questions, drawn at random.

    `variance` is the variance of a question, times the number of all respondents; the
    largest one if there are several kinds of questions.
    """

    asked: int
    epsilon_each: float
    variance: float

    def margins(self, confidence_level: float) -> NormalMargins:
        return NormalMargins(variance=self.variance, confidence_level=confidence_level)


@dataclass(frozen=True)
class Sharings:
    """All ways to divide a budget over questions: with 1, 2, ... of them asked."""

    kinds: tuple[Kind, ...]
    ways: tuple[Sharing, ...]

    @cached_property
    def best(self) -> Sharing:
        return min(self.ways, key=lambda way: way.variance)


@dataclass(frozen=True, kw_only=True)
class QuestionAdvice:
    """How to divide a budget over equally sensitive questions.

    `share` is the assumed share of each question, or its mean as a part of the scale.
    `by_rule` applies to yes/no questions with unknown shares; `best` is the most
    precise at the assumed share.
    """

    questions: int
    total_epsilon: float
    share: float
    planned: Sharing
    all_asked: Sharing
    one_asked: Sharing
    by_rule: Sharing | None
    best: Sharing


@lru_cache(maxsize=CACHED_BUDGETS)
def divide_budget(
    total_epsilon: float,
    *,
    questions: int,
    share: float,
    kinds: frozenset[Kind] | tuple[Kind, ...] = (YES_OR_NO,),
) -> Sharings:
    """Return all ways to divide a budget equally over questions."""
    return Sharings(
        tuple(kinds),
        tuple(
            Sharing(
                asked=asked,
                epsilon_each=total_epsilon / asked,
                # (m / s) V(eps / s): s / m of the respondents answer it (Wang et al.
                # 2019, IEEE ICDE, section IV)
                variance=questions
                / asked
                * max(
                    kind.variance(total_epsilon / asked, share=share) for kind in kinds
                ),
            )
            for asked in range(1, questions + 1)
        ),
    )


def make_k_ary_channel(epsilon: float, *, answers: int) -> BinaryChannel:
    """Return the channel of one answer under k-ary randomised response."""
    # Kairouz, Bonawitz & Ramage 2016; for two answers no table at the same epsilon is
    # more precise (Kairouz, Oh & Viswanath 2016).
    # a = E / (E + k - 1), b = 1 / (E + k - 1), by e^-eps, which never overflows
    ratio = math.exp(-epsilon)
    total = 1 + (answers - 1) * ratio
    return BinaryChannel(p_yes_given_yes=1 / total, p_yes_given_no=ratio / total)


def advise_on_questions(
    draw: Draw, *, total_epsilon: float, share: float, kind: Kind = YES_OR_NO
) -> QuestionAdvice:
    """Return how many of the questions to ask each respondent."""
    found = divide_budget(
        total_epsilon, questions=draw.questions, share=share, kinds=(kind,)
    )
    ways = found.ways
    by_rule = min(
        max(math.floor(round(total_epsilon / EPSILON_EACH, 9) + 0.5), 1), len(ways)
    )
    return QuestionAdvice(
        questions=draw.questions,
        total_epsilon=total_epsilon,
        share=share,
        planned=ways[draw.asked - 1],
        all_asked=ways[-1],
        one_asked=ways[0],
        by_rule=ways[by_rule - 1] if kind == YES_OR_NO else None,
        best=found.best,
    )
