"""Hints on the wording of questions, as regular expressions.

static/js/authoring/hints.js applies them too, so they keep to what Python and
JavaScript share. Source: Tourangeau & Yan 2007, Psychological Bulletin 133:859.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

MAX_WORDS = 25
"""Words of a sentence that most people can take in at once."""

LETTERS = "a-zäöüß"


@dataclass(frozen=True)
class Hint:
    """A message to show if the pattern is found, or if it is missing."""

    name: str
    message: Promise
    if_missing: bool = False
    for_yes_or_no: bool = False
    for_what_happened: bool = False
    """Only for events, not for what a person is or thinks: background and scales."""
    pattern: str = rf"(?:\S+\s+){{{MAX_WORDS}}}\S"

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


RULES = (
    Hint(
        "no time frame",
        gettext_lazy("Add a time frame, such as “past 12 months”."),
        if_missing=True,
        for_what_happened=True,
    ),
    Hint("two in one", gettext_lazy("Ask one thing at a time.")),
    Hint("negation", gettext_lazy("Avoid negations.")),
    Hint("leading", gettext_lazy("Avoid leading questions.")),
    Hint("too long", gettext_lazy("Use at most 25 words.")),
    Hint(
        "not yes or no",
        gettext_lazy("Ask for Yes or No, or choose another kind."),
        for_yes_or_no=True,
    ),
    Hint("absolute", gettext_lazy("Avoid absolutes such as “always”.")),
    Hint("vague", gettext_lazy("Give a number or a period.")),
    Hint("blaming", gettext_lazy("Avoid blame: say what was done.")),
    Hint("revealing", gettext_lazy("Avoid words that presume an answer.")),
    Hint("jargon", gettext_lazy("Avoid jargon and abbreviations.")),
)

PATTERNS = {
    "en": {
        "no time frame": match(
            "past", "last", "ever", "during", "since", "before", "ago", "today",
            "now", "currently", "at the moment", "when you were", "(?:19|20)[0-9]+",
            "this (?:year|month|week|semester|term)", "yesterday",
        ),
        "two in one": match("and", "or", "and/or", "as well as"),
        "negation": match("not", "never", "[a-z]+n['\u2019]t"),
        "leading": match(
            "do you agree", "(?:do|is|was|would)n['\u2019]t (?:you|it)", "surely",
            "of course", "obviously", "as we all know", "most people",
            "every(?:body|one) knows",
        ),
        "not yes or no": r"^\W*(?:in the past [^,]*, *)?"
        + match("what", "which", "who", "whom", "when", "where", "why", "how"),
        "absolute": match("always", "completely", "totally"),
        "vague": match(
            "(?<!how )often", "regularly", "frequently", "sometimes", "recently",
            "a lot", "occasionally", "usually",
        ),
        "blaming": match(
            "cheat(?:ed|ing)?", "steal", "stolen", "stole", "fraud", "immoral",
            "lied", "misbehaved?", "dishonest(?:ly)?",
        ),
        "revealing": match(
            "you (?:too|also|still|again)", "(?:too|again|as well) *[?]"
        ),
        "jargon": match("e[.]g[.]", "i[.]e[.]", "etc", "non-?compliance", "QRPs?"),
    },
    "de": {
        "no time frame": match(
            "letzten?", "letzter", "vergangenen?", "jemals", "je", "während",
            "seit", "vor", "heute", "gestern", "derzeit", "zurzeit", "bisher",
            "diese[mrns]? (?:jahr|monat|woche|semester)", "(?:19|20)[0-9]+",
        ),
        "two in one": match("und", "oder", "und/oder", "sowie"),
        "negation": match("nicht", "nie", "niemals", "keine?[mnrs]?"),
        "leading": match(
            "stimmen sie zu", "finden sie nicht", "nicht auch", "nicht wahr",
            "sicherlich", "natürlich", "selbstverständlich", "die meisten",
            "wie wir alle wissen",
        ),
        "not yes or no": r"^\W*"
        + match(
            "was", "welche[mnrs]?", "wer", "wen", "wem", "wann", "wo", "warum", "wie"
        ),
        "absolute": match("immer", "völlig", "total", "ständig"),
        "vague": match(
            "(?<!wie )oft", "regelmäßig", "häufig", "manchmal", "kürzlich",
            "gelegentlich", "viel", "meistens",
        ),
        "blaming": match(
            "betrogen", "betrügen", "gestohlen", "stehlen", "geschummelt",
            "unmoralisch", "unehrlich",
        ),
        "revealing": match("sie (?:auch|noch|wieder)", "auch *[?]"),
        "jargon": match("z[.] ?b[.]", "d[.] ?h[.]", "usw", "etc"),
    },
}  # fmt: skip
"""By language and name of the rule; a question is too long in every language."""

HINTS = {
    language: tuple(
        replace(rule, pattern=patterns.get(rule.name, rule.pattern)) for rule in RULES
    )
    for language, patterns in PATTERNS.items()
}


def find_hints(
    text: str, *, language: str, is_yes_or_no: bool, is_timeless: bool = False
) -> Iterator[Hint]:
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
