"""What mathematics and readers of files refuse, in the words of a page.

They speak as code does, since commands and other programs read them: "a number in
(0, 10]", "questions[0]". Nobody who fills in a form should have to know that.
"""

import re

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from surveys.mechanisms import ParameterError
from surveys.mechanisms.parameters import shown

WITHIN = (
    r"in (?P<opens>[\[(])(?P<low>-?[\d.e-]+), (?P<high>-?[\d.e-]+)(?P<closes>[\])])"
)
SPAN = re.compile(WITHIN)
SPANS = {
    "[]": "from %(low)s to %(high)s",
    "()": "above %(low)s and below %(high)s",
    "(]": "above %(low)s and at most %(high)s",
    "[)": "from %(low)s to below %(high)s",
}
"""By whether the ends belong to the numbers."""

EXAMPLE = r"(, such as (?P<example>.+))?"
NUMBER = re.compile(f"a number {WITHIN}{EXAMPLE}")
NUMBERS = {
    "[]": gettext_noop("a number from %(low)s to %(high)s"),
    "()": gettext_noop("a number above %(low)s and below %(high)s"),
    "(]": gettext_noop("a number above %(low)s and at most %(high)s"),
    "[)": gettext_noop("a number from %(low)s to below %(high)s"),
}
WHOLE_NUMBER = re.compile(
    rf"a whole number from (?P<low>\d+) to (?P<high>[\d,]+){EXAMPLE}"
)

PLACE = re.compile(r"(?P<what>questions|choices)\[(?P<index>\d+)\][.:]?")

PLACES = {"questions": "Question %s:", "choices": "answer %s:"}


def refused(error: ParameterError) -> str:
    """Return the error as a page says it, in the language at hand."""
    is_empty = error.value is None or not str(error.value).strip()
    return _("%(name)s must be %(allowed)s; got %(value)s") % {
        "name": error.parameter,
        "allowed": allowed_in_words(error.allowed),
        "value": _("nothing") if is_empty else shown(error.value),
    }


def allowed_in_words(allowed: str) -> str:
    """Return what is allowed without brackets; a rule of its own stays English."""
    if found := NUMBER.fullmatch(allowed):
        told = _(NUMBERS[found["opens"] + found["closes"]])
    elif found := WHOLE_NUMBER.fullmatch(allowed):
        told = _("a whole number from %(low)s to %(high)s")
    else:
        return without_brackets(allowed)
    told %= found.groupdict()
    if found["example"]:
        told = _("%(allowed)s, such as %(example)s") % {
            "allowed": told,
            "example": found["example"],
        }
    return told


def without_brackets(message: str) -> str:
    """Return the message with every interval in words."""

    def in_words(found: re.Match[str]) -> str:
        return SPANS[found["opens"] + found["closes"]] % found.groupdict()

    return SPAN.sub(in_words, message)


def of_a_file(problem: str) -> str:
    """Return a problem of a file with the questions counted as people count them."""
    given, got, value = problem.partition("; got ")

    def counted(found: re.Match[str]) -> str:
        return PLACES[found["what"]] % (int(found["index"]) + 1) + " "

    told = re.sub(r" +", " ", PLACE.sub(counted, given)).replace(":  ", ": ").strip()
    return without_brackets(told) + got + value
