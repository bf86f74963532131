"""Surveys with published coefficients, and simulated ones."""

import numpy as np

COIN = {"p_yes_given_yes": 0.75, "p_yes_given_no": 0.25}


def seeded(seed):
    """Return the generator of a simulated survey."""
    return np.random.default_rng(seed)  # noqa: TID251 -- simulates, protects nobody


def fixture():
    """Return 400 predictors and reports: design/2-statistics.md, section 3."""
    i = np.arange(400)
    x = ((37 * i) % 101) / 50 - 1
    u = (((61 * i) % 397) + 0.5) / 397
    yes = u < 0.25 + 0.5 / (1 + np.exp(0.5 - 1.2 * x))
    return np.column_stack([np.ones(400), x]), yes


def counts_of(*reports):
    """Return one row per respondent from counts of every combination, yes first."""
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
    """Return the log likelihood of single reports, without code of the project."""
    chance = b + (a - b) / (1 + np.exp(-predictors @ coefficients))
    return np.log(np.where(reports, chance, 1 - chance)).sum()
