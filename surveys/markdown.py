"""Render the Markdown that researchers write as safe HTML for respondents.

Two independent filters: markdown-it-py writes no HTML that was typed, and nh3 lets
nothing through but the elements named here. authoring.md says what can be written.
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
"""Elements in one another, two for each list; what lies deeper is left out."""

PAGE_LINK = re.compile(r'(<a href="http[^>]*>.*?)</a>', re.DOTALL)

INDENT = "   "
"""Of what stands in a list, in plain text."""

UNSEEN = "unseen visually-hidden"
"""Read out only: by the style sheet of respondents, and by that of the previews."""

# Left out: code, which respondents need not read, and rules, which divide pages.
RULES_LEFT_OUT = ["code", "fence", "backticks", "hr", "html_block", "html_inline"]


class Parser(MarkdownIt):
    def validateLink(self, url: str) -> bool:  # noqa: N802 - called so by its base
        """Whether a link may lead there: never to this site's own pages or a script."""
        return ADDRESS.match(url.strip()) is not None


def render_heading(
    _renderer: object,
    tokens: Sequence[Token],
    index: int,
    _options: OptionsDict,
    _environment: object,
) -> str:
    """Keep headings out: those of the page around would lose their order."""
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
    # What was typed can bring no "<" here any more: only real links are found.
    note = f'<span class="{UNSEEN}"> {escape(_("(opens in a new tab)"))}</span>'
    noted = PAGE_LINK.sub(lambda link: f"{link[1]}{note}</a>", clean)
    return mark_safe(noted)  # noqa: S308 - nh3 makes it safe, and the note is ours


def render_plain_text(text: str) -> str:
    """Return `text` without markup: for letters and for other programs."""
    written, begins = "", ""
    numbers: list[int] = []
    for token in PARSER.parse(text):
        if token.type.endswith("_list_open"):
            first = token.attrs.get("start", 1)
            numbers.append(int(first) if token.type.startswith("ordered") else 0)
        elif token.type.endswith("_list_close"):
            numbers.pop()
        elif token.type == "list_item_open":
            begins = f"{numbers[-1]}. " if numbers[-1] else "• "
            numbers[-1] += bool(numbers[-1])
        elif token.type == "inline":
            margin = INDENT * len(numbers)
            said = render_inline_text(token.children or []).replace("\n", f"\n{margin}")
            # One point stands right below the other, paragraphs stand apart.
            between = "\n" if begins and written else "\n\n"
            written += f"{between}{margin[len(INDENT) :] if begins else margin}"
            written += f"{begins}{said}"
            begins = ""
    return written.strip()


def render_inline_text(tokens: Sequence[Token]) -> str:
    found, address = "", ""
    for token in tokens:
        if token.type == "link_open":
            address = str(token.attrs["href"]).removeprefix("mailto:")
        elif token.type == "link_close":
            found += "" if found.endswith(address) else f" ({address})"
        elif token.type in {"softbreak", "hardbreak"}:
            found += "\n"
        else:
            found += token.content
    return found
