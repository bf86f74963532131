"""Render the Markdown that researchers write as safe HTML for respondents.

Two independent filters: markdown-it-py does not output typed HTML, and nh3 removes all
elements that are not listed here. authoring.md describes the syntax.
"""

import re
from collections.abc import Sequence

import nh3
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from markdown_it import MarkdownIt
from markdown_it.token import Token
from markdown_it.utils import OptionsDict

ELEMENTS = {
    "p", "br", "strong", "em", "ul", "ol", "li", "blockquote", "a",
}  # fmt: skip

SCHEMES = {"http", "https", "mailto"}

ADDRESS = re.compile(rf"(?:{'|'.join(sorted(SCHEMES))}):", re.IGNORECASE)

DEEPEST = 16
"""Nesting depth of elements, two for each list; deeper content is omitted."""

PAGE_LINK = re.compile(r'(<a href="http[^>]*>.*?)</a>', re.DOTALL)

INDENT = "   "
"""Indentation of list items in plain text."""

UNSEEN = "unseen visually-hidden"
"""Classes of text for screen readers only, on respondents' pages and in previews."""

# Left out: code, which respondents need not read, and rules, which divide pages.
RULES_LEFT_OUT = ["code", "fence", "backticks", "hr", "html_block", "html_inline"]


class Parser(MarkdownIt):
    def validateLink(self, url: str) -> bool:  # noqa: N802 - called so by its base
        """Whether a link may lead to `url`: not to a script or a page of this site."""
        return ADDRESS.match(url.strip()) is not None


def render_heading(
    _renderer: object,
    tokens: Sequence[Token],
    index: int,
    _options: OptionsDict,
    _environment: object,
) -> str:
    """Render headings as bold text: they would break the page's heading order."""
    return "<p><strong>" if tokens[index].nesting > 0 else "</strong></p>"


def render_image(
    _renderer: object,
    tokens: Sequence[Token],
    index: int,
    _options: OptionsDict,
    _environment: object,
) -> str:
    """Render the text of an image; loading it would reveal the reader."""
    return escape(tokens[index].content)


def make_parser() -> Parser:
    parser = Parser(
        "commonmark", {"html": False, "breaks": True, "maxNesting": DEEPEST}
    )
    parser.disable(RULES_LEFT_OUT)
    parser.add_render_rule("heading_open", render_heading)
    parser.add_render_rule("heading_close", render_heading)
    parser.add_render_rule("image", render_image)
    return parser


PARSER = make_parser()


def render_markdown(text: str) -> SafeString:
    """Return `text` as HTML of paragraphs, emphasis, lists, quotations and links."""
    clean = nh3.clean(
        PARSER.render(text),
        tags=ELEMENTS,
        attributes={"*": set(), "a": {"href"}},
        url_schemes=SCHEMES,
        link_rel="noopener noreferrer",
        set_tag_attribute_values={"a": {"target": "_blank"}},
    )
    # Any "<" that was typed is escaped by now, so only real links match.
    note = f'<span class="{UNSEEN}"> {escape(_("(opens in a new tab)"))}</span>'
    noted = PAGE_LINK.sub(lambda link: f"{link[1]}{note}</a>", clean)
    return mark_safe(noted)  # noqa: S308 - nh3 makes it safe, and the note is ours


def render_plain_text(text: str) -> str:
    """Return `text` without markup, for invitations and other programs."""
    written, bullet = "", ""
    numbers: list[int] = []
    for token in PARSER.parse(text):
        if token.type.endswith("_list_open"):
            first = token.attrs.get("start", 1)
            numbers.append(int(first) if token.type.startswith("ordered") else 0)
        elif token.type.endswith("_list_close"):
            numbers.pop()
        elif token.type == "list_item_open":
            bullet = f"{numbers[-1]}. " if numbers[-1] else "• "
            numbers[-1] += bool(numbers[-1])
        elif token.type == "inline":
            margin = INDENT * len(numbers)
            line = render_inline_text(token.children or []).replace("\n", f"\n{margin}")
            # Paragraphs are separated by blank lines, list items are not.
            separator = "\n" if bullet and written else "\n\n"
            written += f"{separator}{margin[len(INDENT) :] if bullet else margin}"
            written += f"{bullet}{line}"
            bullet = ""
    return written.strip()


def render_inline_text(tokens: Sequence[Token]) -> str:
    rendered, address = "", ""
    for token in tokens:
        if token.type == "link_open":
            address = str(token.attrs["href"]).removeprefix("mailto:")
        elif token.type == "link_close":
            rendered += "" if rendered.endswith(address) else f" ({address})"
        elif token.type in {"softbreak", "hardbreak"}:
            rendered += "\n"
        else:
            rendered += token.content
    return rendered
