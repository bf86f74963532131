"""Every way of a sampler, each with its chance: nothing is drawn."""

from collections import defaultdict


class MoreError(Exception):
    """A sampler asks for one outcome more than it was given."""

    def __init__(self, chances):
        self.chances = chances


class AgainError(Exception):
    """A sampler throws away what it has, and starts as at the first time."""


class Ways:
    """Stands for the source: says the outcomes of one way, then asks for more.

    A number below `first` is what a round of the sampler begins with.
    """

    def __init__(self, given, first=None):
        self.given, self.first = iter(given), first
        self.has_begun = False

    def __call__(self, n):
        """Give a whole number below n."""
        if n == self.first:
            self.begin()
        return self.one_of([1 / n] * n)

    def begin(self):
        """Stop at the second round: all rounds are equal."""
        if self.has_begun:
            raise AgainError
        self.has_begun = True

    def one_of(self, chances):
        """Give the place of one of these chances."""
        for outcome in self.given:
            return outcome
        raise MoreError(chances)


def channel_of(sampler, *, least, first=None):
    """Return {outcome: chance} of a sampler, and the chance of ways not followed.

    Ways are followed until their chance falls below `least`, or to the end of the first
    round: whatever round is the last, the law is that of the rounds that end.
    """
    distribution, left, again, ways = defaultdict(float), 0.0, 0.0, [((), 1.0)]
    while ways:
        given, chance = ways.pop()
        if chance < least:
            left += chance
            continue
        try:
            distribution[sampler(Ways(given, first))] += chance
        except AgainError:
            again += chance
        except MoreError as more:
            ways += [
                ((*given, outcome), chance * each)
                for outcome, each in enumerate(more.chances)
            ]
    return {each: chance / (1 - again) for each, chance in distribution.items()}, left
