"""Options that several commands take."""

import argparse

from estimation.maths.checked import CONFIDENCE_LEVEL
from surveys.words.refusals import without_brackets


def confidence_level(text: str) -> float:
    """Return a confidence level from the command line."""
    try:
        return CONFIDENCE_LEVEL.check("confidence_level", float(text))
    except ValueError as error:
        raise argparse.ArgumentTypeError(
            f"must be {without_brackets(CONFIDENCE_LEVEL.allowed)}; got {text!r}"
        ) from error
