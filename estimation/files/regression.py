"""A regression as CSV: one row for each answer that is compared."""

import math
from collections.abc import Iterator

from candor.cli.rows import Cell, figures, format_csv
from candor.regression.result import Regression
from estimation.rows.regression import SurveyRegression
from surveys.version import get_software_version

COEFFICIENT = ("coefficient=estimate", "standard_error", "low", "high", "p_value")
EFFECT = (
    "average_effect=estimate",
    "average_effect_standard_error=standard_error",
    "average_effect_low=low",
    "average_effect_high=high",
)
"""Columns of a row: see `figures`."""


def regression_as_csv(
    result: SurveyRegression,
    regression: Regression,
    planned: dict[str, Cell] | None = None,
) -> str:
    """Return the whole file; groups that are too small have no row.

    `planned` are the cells of `analysis_cells`, the same on each row.
    """
    rows = make_rows(result, regression)
    return format_csv([row | (planned or {}) for row in rows])


def make_rows(
    result: SurveyRegression, regression: Regression
) -> Iterator[dict[str, Cell]]:
    for predictor, row in result.rows:
        yield {
            "software": get_software_version(),
            "outcome_question": result.outcome.text,
            "outcome_answer": result.answer,
            "predictor_question": predictor.question.text,
            "predictor_is": "scrambled" if predictor.is_scrambled else "direct",
            "answer": row.label,
            "reference": predictor.reference,
            "respondents": result.respondents,
            "missing": result.missing,
            "small_groups": result.small,
            "confidence_level": result.confidence_level,
            "method": regression.interval_name,
            "log_likelihood": regression.fit.log_likelihood,
            **figures(row.coefficient, COEFFICIENT),
            "odds_ratio": math.exp(row.coefficient.estimate),
            **figures(row.effect, EFFECT),
        }
