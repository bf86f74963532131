"""Surveys with coefficients that were worked out elsewhere, or drawn by a seed."""

import numpy as np

COIN = {"p_yes_given_yes": 0.75, "p_yes_given_no": 0.25}


def seeded(seed):
    """The generator of a simulated survey."""
    return np.random.default_rng(seed)  # noqa: TID251 -- simulates, protects nobody


def fixture():
    """400 respondents, one number each: design/2-statistics.md, section 3."""
    i = np.arange(400)
    x = ((37 * i) % 101) / 50 - 1
    u = (((61 * i) % 397) + 0.5) / 397
    yes = u < 0.25 + 0.5 / (1 + np.exp(0.5 - 1.2 * x))
    return np.column_stack([np.ones(400), x]), yes


def counts_of(*reports):
    """Columns of counts, one row each, of every combination of reports: yes first."""
    (first, *rest) = [np.asarray(each, dtype=bool) for each in reports]
    if not rest:
        return np.column_stack([first, ~first]).astype(float)
    (second,) = rest
    return np.column_stack(
        [first & second, first & ~second, ~first & second, ~first & ~second]
    ).astype(float)


def scramble(answers, generator, *, p_yes_given_yes, p_yes_given_no):
    """Draw a report for each answer."""
    chance = np.where(answers, p_yes_given_yes, p_yes_given_no)
    return generator.random(len(answers)) < chance


def log_likelihood(reports, predictors, coefficients, *, a, b):
    """Of single reports, by the formula, without any of the project's code."""
    chance = b + (a - b) / (1 + np.exp(-predictors @ coefficients))
    return np.log(np.where(reports, chance, 1 - chance)).sum()
