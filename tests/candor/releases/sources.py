"""Enumerate all draws of a sampler with their probabilities."""

from collections import defaultdict


class MoreError(Exception):
    """A sampler requests one more outcome than it was given."""

    def __init__(self, chances):
        self.chances = chances


class AgainError(Exception):
    """A sampler rejects its draw and starts again."""


class Ways:
    """A source that returns the outcomes of one path, then requests more.

    Each round of the sampler begins with a number below `first`.
    """

    def __init__(self, given, first=None):
        self.given, self.first = iter(given), first
        self.has_begun = False

    def __call__(self, n):
        """Return a whole number below n."""
        if n == self.first:
            self.begin()
        return self.one_of([1 / n] * n)

    def begin(self):
        """Stop at the second round: all rounds have the same distribution."""
        if self.has_begun:
            raise AgainError
        self.has_begun = True

    def one_of(self, chances):
        """Return the index of one of these probabilities."""
        for outcome in self.given:
            return outcome
        raise MoreError(chances)


def channel_of(sampler, *, least, first=None):
    """Return {outcome: chance} of a sampler, and the chance of paths not followed.

    Paths end when their chance falls below `least`, or with the first round: every
    round that is accepted has the same distribution.
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
