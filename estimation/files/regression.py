"""A regression as CSV: one row for each answer that is compared."""

import math
from collections.abc import Iterator

from candor.cli.rows import Cell, as_csv
from candor.regression.result import Regression
from estimation.rows.regression import SurveyRegression
from surveys.version import get_software_version


def regression_as_csv(
    result: SurveyRegression,
    regression: Regression,
    planned: dict[str, Cell] | None = None,
) -> str:
    """Return the whole file; groups that are too small have no row.

    `planned` are the cells of `analysis_cells`, the same on each row.
    """
    rows = rows_of(result, regression)
    return as_csv([row | (planned or {}) for row in rows])


def rows_of(
    result: SurveyRegression, regression: Regression
) -> Iterator[dict[str, Cell]]:
    """Yield the cells of each answer by the name of their column."""
    for predictor, row in result.rows:
        coefficient, effect = row.coefficient, row.effect
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
            "coefficient": coefficient.estimate,
            "standard_error": coefficient.standard_error,
            "low": coefficient.low,
            "high": coefficient.high,
            "p_value": coefficient.p_value or 0.0,
            "odds_ratio": math.exp(coefficient.estimate),
            "average_effect": effect.estimate,
            "average_effect_standard_error": effect.standard_error,
            "average_effect_low": effect.low,
            "average_effect_high": effect.high,
        }
