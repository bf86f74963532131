"""Ranges as the command prints them."""

import re

WITHIN = (
    r"in (?P<opens>[\[(])(?P<low>-?[\d.e+-]+), (?P<high>-?[\d.e+-]+)(?P<closes>[\])])"
)
SPAN = re.compile(WITHIN)
SPANS = {
    "[]": "from %(low)s to %(high)s",
    "()": "above %(low)s and below %(high)s",
    "(]": "above %(low)s and at most %(high)s",
    "[)": "from %(low)s to below %(high)s",
}
"""By whether the ends belong to the range."""


def without_brackets(message: str) -> str:
    """Return the message with "above 0 and below 1" in place of "in (0, 1)"."""
    return SPAN.sub(
        lambda found: SPANS[found["opens"] + found["closes"]] % found.groupdict(),
        message,
    )
