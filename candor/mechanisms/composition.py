"""What all reports of one respondent give away together, in numbers."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from candor.mechanisms.draws import DrawnGroup
from candor.mechanisms.epsilon import epsilon_of
from candor.mechanisms.mechanism import Mechanism, total_ratio

MAX_QUESTIONS = 200
"""Of a survey. Keeps a submission under the endpoint's limit of 4 KB."""


@dataclass(frozen=True, kw_only=True)
class Together:
    """The reports of one respondent to all questions of a survey.

    Attributes
    ----------
    ratio : Fraction or None
        So many times can the scrambled answers together shift the odds of anything:
        1 or more, whatever the direct answers are. None where nothing limits it, or
        no answer is scrambled.
    scrambled, unscrambled : tuple of int
        Numbers of the questions, 1 for the first. A direct answer shows itself, and
        says nothing about how the others were scrambled.
    """

    ratio: Fraction | None
    scrambled: tuple[int, ...]
    unscrambled: tuple[int, ...]

    @property
    def epsilon(self) -> float:
        """Ln of the ratio, never less than it is; infinite without one."""
        return epsilon_of(self.ratio)

    def suspicion_after(self, prior: Fraction) -> Fraction:
        """Return what the worst reports make of a suspicion, both in [0, 1].

        Bayes: odds after = ratio times odds before.
        """
        if self.ratio is None:
            return Fraction(1)
        return self.ratio * prior / (1 - prior + self.ratio * prior)


def together(
    mechanisms: Sequence[Mechanism], groups: Sequence[DrawnGroup] = ()
) -> Together:
    """Return what the reports by these mechanisms give away, in their order.

    Dwork & Roth 2014, theorem 3.14 (sequential composition), for the scrambled ones. Of
    a group count those that give away most, as many as are asked: no draw gives away
    more, and which questions were drawn tells nothing, since no answer is looked at.
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
    return Together(
        ratio=total_ratio(scrambled) if has_any else None,
        scrambled=numbers,
        unscrambled=tuple(number for number, each in numbered if not each.is_scrambled),
    )
