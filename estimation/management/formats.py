"""What commands add to their tables."""

from estimation.presentation.planned_sentences import exploratory_line
from estimation.rows.analysis import Analysis


def exploratory(analysis: Analysis) -> list[str]:
    """Return the line below a table that was not planned; none where it was."""
    told = exploratory_line(analysis)
    return [f"! {told}"] if told else []
