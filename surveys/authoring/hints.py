"""Gentle hints on how a question is worded: rules in words that two languages read.

One source for two readers: the server and static/js/authoring/hints.js apply the same
patterns, so these keep to what regular expressions of Python and JavaScript share. No
hint prevents nothing. Where rules come from: Tourangeau & Yan 2007,
Psychological Bulletin 133:859, and any textbook on writing questions.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

MOST_WORDS = 25
"""Of a sentence that most people take in at once."""

LETTERS = "a-zäöüß"


@dataclass(frozen=True)
class Hint:
    """What to say where the pattern is found, or where it is missing."""

    name: str
    pattern: str
    message: Promise
    if_missing: bool = False
    for_yes_or_no: bool = False
    for_what_happened: bool = False
    """Not for what a person is or thinks: background questions and scales."""

    def applies(self, text: str, *, is_yes_or_no: bool, is_timeless: bool) -> bool:
        if self.for_yes_or_no and not is_yes_or_no:
            return False
        if self.for_what_happened and is_timeless:
            return False
        found = re.search(self.pattern, text, re.IGNORECASE) is not None
        return found != self.if_missing


def match(*alternatives: str) -> str:
    r"""Return a pattern of whole words; JavaScript's \b knows no umlauts."""
    return rf"(?<![{LETTERS}])(?:{'|'.join(alternatives)})(?![{LETTERS}])"


NO_TIME = gettext_lazy("Add a time frame, such as “In the past 12 months”.")
TWO_IN_ONE = gettext_lazy("Ask one thing at a time.")
NEGATION = gettext_lazy("Avoid negations.")
LEADING = gettext_lazy("Avoid leading questions.")
TOO_LONG = gettext_lazy("Use at most 25 words.")
NOT_YES_OR_NO = gettext_lazy("Ask for Yes or No, or choose another kind.")
ABSOLUTE = gettext_lazy("Avoid absolutes such as “always”.")
VAGUE = gettext_lazy("Give a number or a period.")
BLAMING = gettext_lazy("Avoid blame: say what was done.")
REVEALING = gettext_lazy("Avoid words that presume an answer.")
JARGON = gettext_lazy("Avoid jargon and abbreviations.")

LONG = rf"(?:\S+\s+){{{MOST_WORDS}}}\S"

HINTS: dict[str, tuple[Hint, ...]] = {
    "en": (
        Hint(
            "no time frame",
            match(
                "past", "last", "ever", "during", "since", "before", "ago", "today",
                "now", "currently", "at the moment", "when you were", "(?:19|20)[0-9]+",
                "this (?:year|month|week|semester|term)", "yesterday",
            ),
            NO_TIME,
            if_missing=True,
            for_what_happened=True,
        ),
        Hint("two in one", match("and", "or", "and/or", "as well as"), TWO_IN_ONE),
        Hint("negation", match("not", "never", "[a-z]+n['\u2019]t"), NEGATION),
        Hint(
            "leading",
            match(
                "do you agree", "(?:do|is|was|would)n['\u2019]t (?:you|it)", "surely",
                "of course", "obviously", "as we all know", "most people",
                "every(?:body|one) knows",
            ),
            LEADING,
        ),
        Hint("too long", LONG, TOO_LONG),
        Hint(
            "not yes or no",
            r"^\W*(?:in the past [^,]*, *)?"
            + match("what", "which", "who", "whom", "when", "where", "why", "how"),
            NOT_YES_OR_NO,
            for_yes_or_no=True,
        ),
        Hint("absolute", match("always", "completely", "totally"), ABSOLUTE),
        Hint(
            "vague",
            match(
                "(?<!how )often", "regularly", "frequently", "sometimes", "recently",
                "a lot", "occasionally", "usually",
            ),
            VAGUE,
        ),
        Hint(
            "blaming",
            match(
                "cheat(?:ed|ing)?", "steal", "stolen", "stole", "fraud", "immoral",
                "lied", "misbehaved?", "dishonest(?:ly)?",
            ),
            BLAMING,
        ),
        Hint(
            "revealing",
            match("you (?:too|also|still|again)", "(?:too|again|as well) *[?]"),
            REVEALING,
        ),
        Hint(
            "jargon",
            match("e[.]g[.]", "i[.]e[.]", "etc", "non-?compliance", "QRPs?"),
            JARGON,
        ),
    ),
    "de": (
        Hint(
            "no time frame",
            match(
                "letzten?", "letzter", "vergangenen?", "jemals", "je", "während",
                "seit", "vor", "heute", "gestern", "derzeit", "zurzeit", "bisher",
                "diese[mrns]? (?:jahr|monat|woche|semester)", "(?:19|20)[0-9]+",
            ),
            NO_TIME,
            if_missing=True,
            for_what_happened=True,
        ),
        Hint("two in one", match("und", "oder", "und/oder", "sowie"), TWO_IN_ONE),
        Hint("negation", match("nicht", "nie", "niemals", "keine?[mnrs]?"), NEGATION),
        Hint(
            "leading",
            match(
                "stimmen sie zu", "finden sie nicht", "nicht auch", "nicht wahr",
                "sicherlich", "natürlich", "selbstverständlich", "die meisten",
                "wie wir alle wissen",
            ),
            LEADING,
        ),
        Hint("too long", LONG, TOO_LONG),
        Hint(
            "not yes or no",
            r"^\W*"
            + match("was", "welche[mnrs]?", "wer", "wen", "wem", "wann", "wo", "warum",
                    "wie"),
            NOT_YES_OR_NO,
            for_yes_or_no=True,
        ),
        Hint("absolute", match("immer", "völlig", "total", "ständig"), ABSOLUTE),
        Hint(
            "vague",
            match(
                "(?<!wie )oft", "regelmäßig", "häufig", "manchmal", "kürzlich",
                "gelegentlich", "viel", "meistens",
            ),
            VAGUE,
        ),
        Hint(
            "blaming",
            match(
                "betrogen", "betrügen", "gestohlen", "stehlen", "geschummelt",
                "unmoralisch", "unehrlich",
            ),
            BLAMING,
        ),
        Hint("revealing", match("sie (?:auch|noch|wieder)", "auch *[?]"), REVEALING),
        Hint("jargon", match("z[.] ?b[.]", "d[.] ?h[.]", "usw", "etc"), JARGON),
    ),
}  # fmt: skip


def find_hints(
    text: str, *, language: str, is_yes_or_no: bool, is_timeless: bool = False
) -> Iterator[Hint]:
    """Yield what to say about `text`; nothing of a question that is not written yet."""
    if not text.strip():
        return
    for hint in HINTS.get(language, ()):
        if hint.applies(text, is_yes_or_no=is_yes_or_no, is_timeless=is_timeless):
            yield hint


def serialize_hints() -> dict[str, list[dict[str, object]]]:
    return {
        language: [
            {
                "pattern": hint.pattern,
                "message": str(hint.message),
                "ifMissing": hint.if_missing,
                "forYesOrNo": hint.for_yes_or_no,
                "forWhatHappened": hint.for_what_happened,
            }
            for hint in hints
        ]
        for language, hints in HINTS.items()
    }
