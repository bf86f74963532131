"""What commands add to their tables."""

from estimation.results.planned.analysis import Analysis
from estimation.results.planned.words import exploratory_line


def exploratory(analysis: Analysis) -> list[str]:
    """Return the line below a table that was not planned; none where it was."""
    told = exploratory_line(analysis)
    return [f"! {told}"] if told else []
