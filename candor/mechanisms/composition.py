"""Sequential composition: the privacy of all reports of one respondent."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from candor.mechanisms.draws import DrawnGroup
from candor.mechanisms.epsilon import compute_epsilon
from candor.mechanisms.mechanism import Mechanism, total_ratio
from candor.mechanisms.parameters import shown

MAX_QUESTIONS = 200
"""Largest survey. Keeps a submission under the endpoint's limit of 4 KB."""


@dataclass(frozen=True, kw_only=True)
class Composition:
    """The reports of one respondent to all questions of a survey.

    `ratio` is the largest factor, 1 or more, by which all scrambled answers can shift
    any odds, whatever the direct answers are; None where nothing limits it, or no
    answer is scrambled. `scrambled` and `unscrambled` are numbers of questions, 1 for
    the first.
    """

    ratio: Fraction | None
    scrambled: tuple[int, ...]
    unscrambled: tuple[int, ...]

    @property
    def epsilon(self) -> float:
        """Privacy budget of all reports, ln ratio rounded up; infinite without one."""
        return compute_epsilon(self.ratio)

    def posterior(self, prior: Fraction) -> Fraction:
        """Return the posterior probability after the worst reports, by Bayes' rule."""
        if not 0 <= prior <= 1:
            raise ValueError(f"prior must be in [0, 1]; got {shown(prior)}")
        if self.ratio is None:
            return Fraction(1)
        return self.ratio * prior / (1 - prior + self.ratio * prior)


def compose(
    mechanisms: Sequence[Mechanism], groups: Sequence[DrawnGroup] = ()
) -> Composition:
    """Return the composition of the reports by these mechanisms, in their order.

    Of a group of questions of which each respondent is asked some, the mechanisms with
    the largest epsilon count, as many as are asked: no draw reveals more. Which
    questions were drawn reveals nothing, because the draw does not depend on an answer
    (sequential composition: Dwork & Roth 2014, The Algorithmic Foundations of
    Differential Privacy, theorem 3.14). Two questions by two coins each shift odds 3
    times 3 times at most:

    >>> from candor.mechanisms import build
    >>> compose([build("coin"), build("coin")]).ratio
    Fraction(9, 1)
    """
    numbered = list(enumerate(mechanisms, start=1))
    in_groups = {number for group in groups for number in group.questions}
    scrambled = [
        each
        for number, each in numbered
        if each.is_scrambled and number not in in_groups
    ]
    for group in groups:
        of_group = [mechanisms[number - 1] for number in group.questions]
        worst_first = sorted(
            (each for each in of_group if each.is_scrambled),
            key=lambda each: (each.worst_ratio is None, each.worst_ratio or 0),
            reverse=True,
        )
        scrambled += worst_first[: group.asked]
    numbers = tuple(number for number, each in numbered if each.is_scrambled)
    has_any = bool(scrambled) or not mechanisms
    return Composition(
        ratio=total_ratio(scrambled) if has_any else None,
        scrambled=numbers,
        unscrambled=tuple(number for number, each in numbered if not each.is_scrambled),
    )
