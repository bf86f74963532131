"""What mathematics and readers of files refuse, in the words of a page.

They speak as code does, since commands and other programs read them: "a number in
(0, 10]", "questions[0]". Nobody who fills in a form should have to know that.
"""

import re

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

SPAN = re.compile(
    r"in (?P<opens>[\[(])(?P<low>-?[\d.e-]+), (?P<high>-?[\d.e-]+)(?P<closes>[\])])"
)

SPANS = {
    "[]": gettext_noop("from %(low)s to %(high)s"),
    "()": gettext_noop("above %(low)s and below %(high)s"),
    "(]": gettext_noop("above %(low)s and at most %(high)s"),
    "[)": gettext_noop("from %(low)s to below %(high)s"),
}
"""By whether the ends belong to the numbers."""

PLACE = re.compile(r"(?P<what>questions|choices)\[(?P<index>\d+)\][.:]?")

PLACES = {
    "questions": gettext_noop("Question %s:"),
    "choices": gettext_noop("answer %s:"),
}


def without_brackets(message: str) -> str:
    """Return the message with every interval in words."""

    def in_words(found: re.Match[str]) -> str:
        return _(SPANS[found["opens"] + found["closes"]]) % found.groupdict()

    return SPAN.sub(in_words, message)


def of_a_file(problem: str) -> str:
    """Return a problem of a file with the questions counted as people count them."""
    given, got, value = problem.partition("; got ")

    def counted(found: re.Match[str]) -> str:
        return _(PLACES[found["what"]]) % (int(found["index"]) + 1) + " "

    told = re.sub(r" +", " ", PLACE.sub(counted, given)).replace(":  ", ": ").strip()
    return without_brackets(told) + got + value
