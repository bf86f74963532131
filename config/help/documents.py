"""The documents of docs/ as help pages: their list, text and links."""

import posixpath
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path

from django.conf import settings
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt
from markdown_it.common.utils import escapeHtml
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict

from config.env import BASE_DIR

FOLDER = "docs"
INDEX = "README.md"
CHANGELOG = "CHANGELOG.md"
PICTURES = "docs/images/"
PAGES = {"templates/help/experiments.html": "experiments"}
"""Pages of the application that documents link to, by their templates."""

NOT_IN_ANCHORS = re.compile(r"[^\w\- ]")
ELSEWHERE = re.compile(r"[a-z]+:|//")
MAX_NAME_LENGTH = 30
"""Characters of code that fit a table column; longer names may break."""

END_OF_PART = re.compile(r"(::|[/_])(?=\w)")
SPACE_AT_SIGN = re.compile(r"(?<=\d) (?=%)|(?<=±) (?=\d)")
"""The spaces before a percent sign and after ±, where no line may break."""


class BrokenLinkError(ValueError):
    """A document links to a document or picture that does not exist."""


@dataclass(frozen=True)
class Section:
    """The plain text below one heading, or before the first."""

    anchor: str
    heading: str
    text: str


@dataclass(frozen=True)
class Document:
    """One page; `name` is its path without docs/ and .md, or the folder of a README."""

    name: str
    source: str
    title: str
    html: SafeString
    sections: tuple[Section, ...]

    @property
    def address(self) -> str:
        return make_help_address(self.name)

    @property
    def language(self) -> str:
        """Language of the text: translations are in a folder named after it."""
        return find_language(self.name)

    @property
    def anchors(self) -> list[str]:
        return [section.anchor for section in self.sections]


@dataclass(frozen=True)
class MenuPart:
    """A part of the menu: a heading of the index with the documents that it lists."""

    heading: str
    links: tuple[tuple[str, str], ...]
    """Address and text of each link."""


def make_help_address(place: str) -> str:
    """Return the address of a document, or of a place: "start/glossary#epsilon"."""
    name, mark, anchor = place.partition("#")
    page = reverse("help_page", args=[name]) if name else reverse("help")
    return f"{page}{mark}{anchor}"


def make_help_address_in(language: str, place: str) -> str:
    """Return the address of a place; a page has its translation's, if there is one."""
    return make_help_address(find_translation(place, language) or place)


def find_language(name: str) -> str:
    folder = name.partition("/")[0]
    is_translated = folder in settings.LANGUAGES_OF_RESEARCHERS
    return folder if is_translated else settings.LANGUAGE_CODE


def find_translation(name: str, language: str) -> str:
    """Return the name of a document in a language, or an empty string."""
    original = name.removeprefix(f"{find_language(name)}/")
    is_english = language == settings.LANGUAGE_CODE
    wanted = original if is_english else f"{language}/{original}"
    return wanted if wanted in sources() else ""


@cache
def sources() -> dict[str, str]:
    """Return the files of all documents, relative to the project, by name."""
    found = {"changelog": CHANGELOG}
    for file in sorted((BASE_DIR / FOLDER).rglob("*.md")):
        source = file.relative_to(BASE_DIR).as_posix()
        inside = source.removeprefix(f"{FOLDER}/")
        name = inside.removesuffix(INDEX).removesuffix(".md").strip("/")
        found[name] = source
    return found


@cache
def pictures() -> dict[str, Path]:
    folder = BASE_DIR / PICTURES
    return {file.name: file for file in sorted(folder.glob("*.png"))}


@cache
def folders() -> frozenset[str]:
    return frozenset(map(posixpath.dirname, sources()))


def find_document(name: str) -> Document | None:
    """Return the document of that name, or a list for a folder without an index."""
    # Only existing names reach the cache: requests may name anything.
    return make_document(name) if name in sources() or name in folders() else None


@cache
def make_document(name: str) -> Document:
    if name in sources():
        source = sources()[name]
        return parse_document(name, source, (BASE_DIR / source).read_text("utf-8"))
    names = [each for each in sources() if posixpath.dirname(each) == name]
    folder = posixpath.join(FOLDER, name)
    rows = [f"- [{find_title(each)}]({posixpath.basename(each)}.md)" for each in names]
    heading = name.rpartition("/")[2].capitalize()
    listing = "\n".join([f"# {heading}", "", *rows])
    return parse_document(name, f"{folder}/", listing)


def find_title(name: str) -> str:
    with (BASE_DIR / sources()[name]).open(encoding="utf-8") as file:
        return file.readline().removeprefix("#").strip()


def iterate_documents() -> Iterator[Document]:
    for name in sources():
        if document := find_document(name):
            yield document


@cache
def menu() -> tuple[MenuPart, ...]:
    parts: list[MenuPart] = []
    tokens = PARSER.parse((BASE_DIR / FOLDER / INDEX).read_text("utf-8"))
    for before, token in pairwise(tokens):
        if before.type == "heading_open" and before.tag == "h2":
            parts.append(MenuPart(join_text(token), ()))
        elif token.type == "inline" and parts:
            links = list_links(token, f"{FOLDER}/{INDEX}")
            part = parts.pop()
            parts.append(MenuPart(part.heading, (*part.links, *links)))
    return tuple(part for part in parts if part.links)


def list_links(token: Token, source: str) -> Iterator[tuple[str, str]]:
    children = token.children or []
    for opened, inside in pairwise(children):
        if opened.type == "link_open":
            yield resolve(str(opened.attrs["href"]), source), inside.content


def resolve(link: str, source: str) -> str:
    """Return where a link of the file `source` leads in the application.

    Documents link to files next to them, so that a code host, an editor and these pages
    follow the same links.
    """
    if ELSEWHERE.match(link) or link.startswith("#"):
        return link
    path, _, anchor = link.partition("#")
    target = posixpath.normpath(posixpath.join(posixpath.dirname(source), path))
    mark = f"#{anchor}" if anchor else ""
    if target in PAGES:
        return reverse(PAGES[target]) + mark
    for name, file in sources().items():
        if file in {target, f"{target}/{INDEX}"}:
            return make_help_address(name) + mark
    if target.startswith(PICTURES) and (name := posixpath.basename(target)) in (
        pictures()
    ):
        return reverse("help_picture", args=[name])
    folder = target.removeprefix(f"{FOLDER}/")
    if any(posixpath.dirname(each) == folder for each in sources()):
        return make_help_address(folder)
    message = f"{source} links to {link}, which is not there"
    raise BrokenLinkError(message)


def make_anchor(heading: str) -> str:
    return NOT_IN_ANCHORS.sub("", heading.lower()).replace(" ", "-")


def join_text(token: Token) -> str:
    children = token.children or []
    return "".join(
        " " if child.type.endswith("break") else child.content for child in children
    )


Rule = Callable[[RendererHTML, Sequence[Token], int, OptionsDict, EnvType], str]


def make_scrolling_rule(rule: str) -> Rule:
    """Return a rule that puts wide content in a box that scrolls, by keyboard too."""

    def render(
        renderer: RendererHTML,
        tokens: Sequence[Token],
        index: int,
        options: OptionsDict,
        environment: EnvType,
    ) -> str:
        plain = getattr(renderer, rule, renderer.renderToken)
        args = (tokens, index, options, environment)
        if rule == "table_open":
            return '<div class="scroll" tabindex="0">' + renderer.renderToken(*args)
        if rule == "table_close":
            return renderer.renderToken(*args) + "</div>"
        return f'<div class="scroll code" tabindex="0">{plain(*args)}</div>'

    return render


def render_inline_code(
    _renderer: RendererHTML,
    tokens: Sequence[Token],
    index: int,
    _options: OptionsDict,
    _environment: EnvType,
) -> str:
    """Render inline code; long names may break between their parts."""
    code = escapeHtml(tokens[index].content)
    if max(map(len, code.split()), default=0) > MAX_NAME_LENGTH:
        code = END_OF_PART.sub(r"\1<wbr>", code)
    return f"<code>{code}</code>"


def make_parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    for rule in ("table_open", "table_close", "fence", "code_block"):
        parser.add_render_rule(rule, make_scrolling_rule(rule))
    parser.add_render_rule("code_inline", render_inline_code)
    return parser


PARSER = make_parser()


def parse_document(name: str, source: str, text: str) -> Document:
    """Return the document of a Markdown text, whose first heading is the title."""
    tokens = PARSER.parse(text)
    title = join_text(tokens[1])
    sections = tuple(find_sections(tokens))
    for token in tokens:
        for child in token.children or []:
            for attribute in ("href", "src"):
                if attribute in child.attrs:
                    link = str(child.attrs[attribute])
                    child.attrs[attribute] = resolve(link, source)
            if child.type == "image":
                child.attrs["loading"] = "lazy"
            if child.type == "text":
                child.content = SPACE_AT_SIGN.sub("\N{NO-BREAK SPACE}", child.content)
    for opened, inside, closed in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if opened.type == "th_open" and not inside.content:
            # An empty corner of a table is no header.
            opened.tag = closed.tag = "td"
    # Not sanitised: these files come with the program, and the parser escapes the HTML
    # in them.
    html = PARSER.renderer.render(tokens[3:], PARSER.options, {})
    return Document(name, source, title, mark_safe(html), sections)  # noqa: S308


def find_sections(tokens: Sequence[Token]) -> Iterator[Section]:
    """Add an anchor to each heading, and yield the text below it."""
    anchors: Counter[str] = Counter()
    anchor, heading, texts = "", "", list[str]()
    for before, token in pairwise(tokens[2:]):
        if token.type in {"fence", "code_block"}:
            texts.append(token.content)
        if token.type != "inline":
            continue
        if before.type != "heading_open":
            texts.append(join_text(token))
            continue
        yield Section(anchor, heading, "\n".join(texts))
        heading = join_text(token)
        plain = make_anchor(heading)
        anchor = f"{plain}-{anchors[plain]}" if anchors[plain] else plain
        anchors[plain] += 1
        before.attrs["id"] = anchor
        texts = []
    yield Section(anchor, heading, "\n".join(texts))


def list_headings(document: Document) -> list[tuple[str, str]]:
    anchors = re.findall(r'<h2 id="([^"]+)">', document.html)
    by_anchor = {each.anchor: each.heading for each in document.sections}
    return [(anchor, by_anchor[anchor]) for anchor in anchors]
