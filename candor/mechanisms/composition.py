"""Sequential composition: the privacy of all reports of one respondent."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from candor.mechanisms.draws import DrawnGroup
from candor.mechanisms.epsilon import compute_epsilon
from candor.mechanisms.mechanism import Mechanism, compute_total_ratio
from candor.mechanisms.parameters import shown

MAX_QUESTIONS = 200
"""Questions in the largest survey, whose submission is below the limit of 4 KB."""


@dataclass(frozen=True, kw_only=True)
class Composition:
    """The reports of one respondent to all questions of a survey.

    `ratio` is the largest factor, 1 or more, by which the reports to all scrambled
    questions can shift any odds. It is None if it has no limit or no question is
    scrambled. `scrambled` and `unscrambled` are numbers of questions, from 1.
    """

    ratio: Fraction | None
    scrambled: tuple[int, ...]
    unscrambled: tuple[int, ...]

    @property
    def epsilon(self) -> float:
        """Privacy budget of all reports: ln(ratio), rounded up; infinite for None."""
        return compute_epsilon(self.ratio)

    def posterior(self, prior: Fraction) -> Fraction:
        """Return the posterior probability by Bayes' rule after the worst reports."""
        if not 0 <= prior <= 1:
            raise ValueError(f"prior must be in [0, 1]; got {shown(prior)}")
        if self.ratio is None:
            return Fraction(1)
        return self.ratio * prior / (1 - prior + self.ratio * prior)


def compose(
    mechanisms: Sequence[Mechanism], groups: Sequence[DrawnGroup] = ()
) -> Composition:
    """Return the composition of the reports by these mechanisms, in order.

    If respondents are asked s questions of a group, its s mechanisms with the largest
    epsilons count: no draw reveals more. The draw itself reveals nothing, because it
    does not depend on an answer (sequential composition: Dwork & Roth 2014, The
    Algorithmic Foundations of Differential Privacy, theorem 3.14). Two questions with
    two coins each shift odds at most 3 * 3 times:

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
        ratio=compute_total_ratio(scrambled) if has_any else None,
        scrambled=numbers,
        unscrambled=tuple(number for number, each in numbered if not each.is_scrambled),
    )
