"""Numbers as people and as programs read them."""

import re

from django import template

from surveys.words.numbers import error_of, grouped, percent, percent_apart

register = template.Library()

IN_BRACKETS = re.compile(r"(?:\(|(?<=; ))[^();]{1,30}\)")
"""Longer ones would not fit into a line of a phone; of two parts it is the second."""

NO_BREAK_SPACE = "\N{NO-BREAK SPACE}"

register.filter("percent", percent)
register.filter("percent_apart", percent_apart)
register.filter("grouped", grouped)
register.filter("error", error_of)


@register.filter
def exactly(number: float) -> str:
    """Return all digits of a number, whatever the language of the page."""
    return repr(number)


@register.filter
def unbroken(sentence: str) -> str:
    """Return a finding whose best estimate, in brackets, stays on one line."""
    return IN_BRACKETS.sub(
        lambda found: found[0].replace(" ", NO_BREAK_SPACE), sentence
    )
