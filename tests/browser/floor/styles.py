"""What in a style sheet must not be newer than the floor, and what may be.

A browser drops a declaration that it does not know, and a whole rule for one selector
that it does not know. Looks may go; whether a choice is seen and can be made may not.
"""

import re

from tests.browser.floor.newer import SELECTORS

SELECTOR = re.compile(SELECTORS)
NOTE_OR_TEXT = re.compile(r"/\*.*?\*/|\"[^\"]*\"|'[^']*'", re.DOTALL)

# Where these rules are missing, a page looks plainer and is used as before.
PLAINER = (
    "background background-color border-color box-shadow color max-inline-size"
    " outline outline-color outline-offset text-decoration"
)
DECORATION = frozenset(PLAINER.split())
# Where their value is too new, lines and boxes stand closer or wider.
SPACING = re.compile(
    r"(?:margin|padding|gap|row-gap|column-gap|border-radius|letter-spacing)(?:-.*)?"
    r"|font-size|line-height|text-.*|overflow-wrap|hyphens"
)
VALUE = re.compile(
    r"\b(?:clamp|color-mix|light-dark|oklch|oklab|lch|lab|hwb|round|anchor)\("
    r"|\d(?:[dsl]v[hwib]|cq\w+|r?lh)\b"
)
# One that is dropped leaves things where no one sees them, or in front of others.
PROPERTY = re.compile(
    r"inset(?:-.*)?|aspect-ratio|content-visibility|translate|rotate|scale|zoom|mask.*"
    r"|offset.*|anchor.*|position-.*|contain.*|interactivity|view-transition.*|overlay"
)
CONTROL = re.compile(r"\binput\b|\[type|:checked|radio|checkbox")
CONTROL_PROPERTIES = re.compile(
    r"(?:-webkit-)?appearance|opacity|visibility|display|position|clip(?:-path)?"
    r"|transform"
)
# Headings take focus from the script only; the others hang on what shows it instead.
MAY_LOSE_ITS_OUTLINE = re.compile(r"^h[1-6]\b|:has\(|:not\(:focus-visible\)")
SHOWS_FOCUS_INSIDE = re.compile(r"([^{},;]*):focus-within\s*{[^}]*\boutline:\s*[1-9]")
NO_OUTLINE = re.compile(r"outline(?:-style|-width)?:(?:0|none)")
BETWEEN_SELECTORS = re.compile(r",(?![^()]*\))")
WITHOUT_RULES = ("@keyframes", "@page", "@font-face")


def objections(sheet):
    """Return what a browser of the floor needs in a sheet and does not know."""
    return list(_Sheet(sheet).of_rules())


def _blocks(sheet):
    """Yield what stands before each brace, and what is in it; statements have None."""
    depth = start = opened = 0
    for brace in re.finditer(r"[{}]", sheet):
        if brace[0] == "{":
            opened = opened if depth else brace.start()
            depth += 1
        else:
            depth -= 1
            if not depth:
                *statements, head = sheet[start:opened].split(";")
                yield from ((each.strip(), None) for each in statements)
                yield " ".join(head.split()), sheet[opened + 1 : brace.start()]
                start = brace.end()


def _declarations(body):
    for each in body.split(";"):
        name, colon, value = each.partition(":")
        if colon:
            yield name.strip(), value.strip()


class _Sheet:
    """A sheet without notes, and with empty texts: their braces are none."""

    def __init__(self, sheet):
        self.sheet = NOTE_OR_TEXT.sub(
            lambda found: "" if found[0].startswith("/*") else '""', sheet
        )
        self.shows_inside = {
            found.strip() for found in SHOWS_FOCUS_INSIDE.findall(self.sheet)
        }
        named = re.findall(r"(--[\w-]+)\s*:([^;}]*)", self.sheet)
        # Where its value is too new, a variable is there, and what uses it falls back.
        self.too_new = [f"var({name}" for name, value in named if VALUE.search(value)]

    def of_rules(self, sheet=None, *, promised=False):
        for head, body in _blocks(self.sheet if sheet is None else sheet):
            if body is None:
                yield from [head] if head else []
            elif head == "@media print":
                continue  # no one makes a choice on paper
            elif head.startswith(("@media", "@supports", "@container")):
                if re.search(r"[<>]", head):
                    yield f"{head}: a range"
                # A browser without containers drops their rules, as those of @supports.
                known = promised or not head.startswith("@media")
                yield from self.of_rules(body, promised=known)
            elif head.startswith("@"):
                yield from [] if head.startswith(WITHOUT_RULES) else [head]
            elif "{" in body:
                yield f"{head}: a rule inside of a rule"
            else:
                declared = list(_declarations(body))
                found = [*self.of_selectors(head, declared)]
                found += [] if promised else self.of_declarations(declared)
                yield from (f"{head}: {what}" for what in found)

    def of_selectors(self, head, declared):
        selectors = [each.strip() for each in BETWEEN_SELECTORS.split(head)]
        newer = [each for each in selectors if SELECTOR.search(each)]
        if newer and len(newer) < len(selectors):
            yield f"{newer[0]} drops the others"
        elif newer:
            for name, _ in declared:
                if name not in DECORATION:
                    yield f"{name} depends on it"
        if not all(self.may_lose_its_outline(each) for each in selectors):
            for name, value in declared:
                if NO_OUTLINE.match(f"{name}:{value}"):
                    yield "no outline"
        if any(CONTROL.search(each.split()[-1]) for each in selectors):
            for name, _ in declared:
                if CONTROL_PROPERTIES.fullmatch(name):
                    yield f"{name}: a control that is not the browser's own"

    def may_lose_its_outline(self, selector):
        around = selector.removesuffix(" :focus-visible")
        return MAY_LOSE_ITS_OUTLINE.search(selector) or around in self.shows_inside

    def of_declarations(self, declared):
        older = set()
        sticks = ("position", "sticky") in declared  # else it moves along, and is seen
        for name, value in declared:
            if PROPERTY.fullmatch(name) and not sticks:
                yield name
            if not (VALUE.search(value) or any(use in value for use in self.too_new)):
                older.add(name)
            elif name in older or name.startswith("--") or SPACING.fullmatch(name):
                continue
            else:
                yield f"{name}: {value}"
