"""What commands write, for programs and for people."""

import json
from collections.abc import Mapping
from typing import Any

from estimation.results.planned.analysis import Analysis
from estimation.results.planned.words import exploratory_line


def as_json(found: Mapping[str, Any]) -> str:
    """Return strict JSON, indented for people."""
    return json.dumps(found, indent=2, allow_nan=False, ensure_ascii=False)


def exploratory(analysis: Analysis) -> list[str]:
    """Return the line below a table that was not planned; none where it was."""
    told = exploratory_line(analysis)
    return [f"! {told}"] if told else []
