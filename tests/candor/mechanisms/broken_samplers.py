"""Samplers with one fault each, which the checks must detect."""

from itertools import accumulate

from candor.mechanisms.randomness import randomise, uniform_below, word


def first_above(row, u):
    return next(report for report, top in enumerate(accumulate(row)) if top > u)


def without_rejection(weights, answer, draw=word, *, word_bits=32):
    return first_above(weights[answer], draw() % sum(weights[0]))


def with_rejection_one_late(weights, answer, draw=word, *, word_bits=32):
    total = sum(weights[0])
    while (u := draw()) > 2**word_bits - 2**word_bits % total:
        pass
    return first_above(weights[answer], u % total)


def with_rejection_of_a_lap_too_many(weights, answer, draw=word, *, word_bits=32):
    total = sum(weights[0])
    while (u := draw()) >= 2**word_bits - 2**word_bits % total - total:
        pass
    return first_above(weights[answer], u % total)


def with_rows_swapped(weights, answer, draw=word, *, word_bits=32):
    return randomise(weights[::-1], answer, draw, word_bits=word_bits)


def without_noise(weights, answer, draw=word, *, word_bits=32):
    draw()
    return answer


def with_too_little_noise(weights, answer, draw=word, *, word_bits=32):
    u = uniform_below(sum(weights[0]) + 1, draw, word_bits=word_bits)
    return first_above(weights[answer], max(u - 1, 0))


def with_steps_one_late(weights, answer, draw=word, *, word_bits=32):
    u = uniform_below(sum(weights[0]), draw, word_bits=word_bits)
    tops = list(accumulate(weights[answer]))
    return next(report for report, top in enumerate(tops) if top >= u)


def with_scaling(weights, answer, draw=word, *, word_bits=32):
    """Multiply and shift, without a second draw: nearly uniform, not exactly."""
    return first_above(weights[answer], draw() * sum(weights[0]) >> word_bits)


def with_one_word_more_for_yes(weights, answer, draw=word, *, word_bits=32):
    if answer == 0:
        draw()
    return randomise(weights, answer, draw, word_bits=word_bits)


def with_the_answer_read_first(weights, answer, draw=word, *, word_bits=32):
    row = weights[answer]
    u = uniform_below(sum(row), draw, word_bits=word_bits)
    return first_above(row, u)


class Reused:
    """Make every second report from the previous draw."""

    def __init__(self):
        self.kept = []

    def __call__(self, weights, answer, draw=word, *, word_bits=32):
        used = self.kept.pop() if self.kept else None
        if used is None:
            used = uniform_below(sum(weights[0]), draw, word_bits=word_bits)
            self.kept.append(used)
        return first_above(weights[answer], used)
