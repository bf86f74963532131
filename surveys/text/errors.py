"""Explain errors of the library and of files on pages."""

import re
from dataclasses import replace

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from candor.mechanisms import ParameterError
from candor.mechanisms.parameters import shown
from candor.validation import WITHIN, spell_out_ranges
from surveys.files.values import FileProblem
from surveys.numbers import format_written_number
from surveys.sentence import Sentence

NOT_ASSUMED = gettext_noop(", and not the assumed share")
EXAMPLE = rf"(, such as (?P<example>.+?))?(?P<rest>{NOT_ASSUMED})?"
NUMBER = re.compile(f"a number {WITHIN}{EXAMPLE}")
NUMBERS = {
    "[]": gettext_noop("a number from %(low)s to %(high)s"),
    "()": gettext_noop("a number above %(low)s and below %(high)s"),
    "(]": gettext_noop("a number above %(low)s and at most %(high)s"),
    "[)": gettext_noop("a number from %(low)s to below %(high)s"),
}
WHOLE_NUMBER = re.compile(
    r"a whole number (from |in \[)(?P<low>\d+)( to |, )(?P<high>\d+)\]?" + EXAMPLE
)

EPSILON = re.compile(f"chosen for an epsilon {WITHIN}")
EPSILON_WITHIN = gettext_noop(
    "chosen for an epsilon above %(low)s and at most %(high)s"
)

RULES = [
    gettext_noop("chosen so that answers can be distinguished"),
    gettext_noop("less than 1, which leaves the truth a chance"),
]
"""Rules of the library, which has no translations: its texts are looked up verbatim."""

PLACE = re.compile(r"questions\[(?P<question>\d+)\](\.choices\[(?P<answer>\d+)\])?\.?")


def explain_error(error: ParameterError, *, name: str = "") -> str:
    """Return the error as a sentence for pages, in the active language."""
    is_empty = error.value is None or not str(error.value).strip()
    return _("%(name)s must be %(allowed)s; got %(value)s") % {
        "name": name or error.parameter,
        "allowed": translate_allowed(error.allowed),
        "value": _("nothing") if is_empty else shown(error.value),
    }


def translate_allowed(allowed: str) -> str:
    if found := NUMBER.fullmatch(allowed):
        text = _(NUMBERS[found["opens"] + found["closes"]])
    elif found := WHOLE_NUMBER.fullmatch(allowed):
        text = _("a whole number from %(low)s to %(high)s")
    elif found := EPSILON.fullmatch(allowed):
        return _(EPSILON_WITHIN) % format_bounds(found)
    else:
        return spell_out_ranges(_(allowed))
    text %= format_bounds(found)
    if found["example"]:
        text = _("%(allowed)s, such as %(example)s") % {
            "allowed": text,
            "example": format_written_number(found["example"]),
        }
    return text + _(NOT_ASSUMED) if found["rest"] else text


def format_bounds(found: re.Match[str]) -> dict[str, str]:
    return {end: format_written_number(found[end]) for end in ("low", "high")}


def explain_file_problem(problem: str | FileProblem | Sentence) -> str:
    if not isinstance(problem, FileProblem):
        return str(problem)
    blanks = dict(problem.text.blanks)
    if isinstance(blanks.get("allowed"), str):
        blanks["allowed"] = translate_allowed(blanks["allowed"])
    if blanks.get("value") == shown(None):
        blanks["value"] = _("nothing")
    place, separator = translate_place(problem.place), problem.separator
    text = replace(problem.text, blanks=blanks)
    return f"{place}{' ' if place.endswith(':') else separator}{text}"


def translate_place(place: str) -> str:
    """Return "Question 1: answer 2:" for questions[0].choices[1]."""
    if place == "the file":
        return _("the file")
    found = PLACE.match(place)
    if not found:
        return place
    parts = [_("Question %s:") % (int(found["question"]) + 1)]
    if found["answer"]:
        parts.append(_("answer %s:") % (int(found["answer"]) + 1))
    return " ".join([*parts, *filter(None, [place[found.end() :]])])
