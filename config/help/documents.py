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
"""Letters of code that a column of a table can hold; longer ones may break."""

END_OF_A_PART = re.compile(r"(::|[/_])(?=\w)")
WITH_ITS_NUMBER = re.compile(r"(?<=\d) (?=%)|(?<=±) (?=\d)")
"""The space before a sign of percent, where no line may break on a phone."""


class BrokenLinkError(ValueError):
    """A document names another one, or a picture, that is not there."""


@dataclass(frozen=True)
class Section:
    """What stands below one heading, or before the first, as plain text."""

    anchor: str
    heading: str
    text: str


@dataclass(frozen=True)
class Document:
    """One page; `name` is its path without docs/ and .md, of a README the folder."""

    name: str
    source: str
    title: str
    html: SafeString
    sections: tuple[Section, ...]

    @property
    def address(self) -> str:
        return help_address(self.name)

    @property
    def language(self) -> str:
        """Language of the text: translations are in a folder named after it."""
        return find_language(self.name)

    @property
    def anchors(self) -> list[str]:
        return [section.anchor for section in self.sections]


@dataclass(frozen=True)
class Shelf:
    """A heading of the index with the documents that it lists: a part of the menu."""

    heading: str
    links: tuple[tuple[str, str], ...]
    """Address and words of each."""


def help_address(place: str) -> str:
    """Return the address of a document, or of a place: "start/glossary#epsilon"."""
    name, mark, anchor = place.partition("#")
    page = reverse("help_page", args=[name]) if name else reverse("help")
    return f"{page}{mark}{anchor}"


def help_address_in(language: str, place: str) -> str:
    """Return the address of a place, translated where it is a whole page that is."""
    return help_address(find_translation(place, language) or place)


def find_language(name: str) -> str:
    folder = name.partition("/")[0]
    is_translated = folder in settings.LANGUAGES_OF_RESEARCHERS
    return folder if is_translated else settings.LANGUAGE_CODE


def find_translation(name: str, language: str) -> str:
    """Return the name of a document in a language; empty where there is none."""
    original = name.removeprefix(f"{find_language(name)}/")
    is_english = language == settings.LANGUAGE_CODE
    wanted = original if is_english else f"{language}/{original}"
    return wanted if wanted in sources() else ""


@cache
def sources() -> dict[str, str]:
    """Return the file of every document, below the project's folder, by its name."""
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
    """Return the document of that name; of a folder without an index a list of it."""
    # Only what there is, is kept: anyone may ask for names without end.
    return make_document(name) if name in sources() or name in folders() else None


@cache
def make_document(name: str) -> Document:
    if name in sources():
        source = sources()[name]
        return read(name, source, (BASE_DIR / source).read_text("utf-8"))
    inside = [each for each in sources() if posixpath.dirname(each) == name]
    folder = posixpath.join(FOLDER, name)
    rows = [f"- [{find_title(each)}]({posixpath.basename(each)}.md)" for each in inside]
    heading = name.rpartition("/")[2].capitalize()
    listing = "\n".join([f"# {heading}", "", *rows])
    return read(name, f"{folder}/", listing)


def find_title(name: str) -> str:
    with (BASE_DIR / sources()[name]).open(encoding="utf-8") as file:
        return file.readline().removeprefix("#").strip()


def all_documents() -> Iterator[Document]:
    for name in sources():
        if document := find_document(name):
            yield document


@cache
def menu() -> tuple[Shelf, ...]:
    shelves: list[Shelf] = []
    tokens = PARSER.parse((BASE_DIR / FOLDER / INDEX).read_text("utf-8"))
    for before, token in pairwise(tokens):
        if before.type == "heading_open" and before.tag == "h2":
            shelves.append(Shelf(said(token), ()))
        elif token.type == "inline" and shelves:
            found = list_links(token, f"{FOLDER}/{INDEX}")
            shelf = shelves.pop()
            shelves.append(Shelf(shelf.heading, (*shelf.links, *found)))
    return tuple(shelf for shelf in shelves if shelf.links)


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
            return help_address(name) + mark
    if target.startswith(PICTURES) and (name := posixpath.basename(target)) in (
        pictures()
    ):
        return reverse("help_picture", args=[name])
    folder = target.removeprefix(f"{FOLDER}/")
    if any(posixpath.dirname(each) == folder for each in sources()):
        return help_address(folder)
    message = f"{source} links to {link}, which is not there"
    raise BrokenLinkError(message)


def make_anchor(heading: str) -> str:
    return NOT_IN_ANCHORS.sub("", heading.lower()).replace(" ", "-")


def said(token: Token) -> str:
    children = token.children or []
    return "".join(
        " " if child.type.endswith("break") else child.content for child in children
    )


Rule = Callable[[RendererHTML, Sequence[Token], int, OptionsDict, EnvType], str]


def wrap_wide(rule: str) -> Rule:
    """Return a rule: what may be wider than a phone scrolls, by keyboard too."""

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


def code_that_breaks(
    _renderer: RendererHTML,
    tokens: Sequence[Token],
    index: int,
    _options: OptionsDict,
    _environment: EnvType,
) -> str:
    """Return code in a sentence: a long name breaks between its parts."""
    code = escapeHtml(tokens[index].content)
    if max(map(len, code.split()), default=0) > MAX_NAME_LENGTH:
        code = END_OF_A_PART.sub(r"\1<wbr>", code)
    return f"<code>{code}</code>"


def make_parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    for rule in ("table_open", "table_close", "fence", "code_block"):
        parser.add_render_rule(rule, wrap_wide(rule))
    parser.add_render_rule("code_inline", code_that_breaks)
    return parser


PARSER = make_parser()


def read(name: str, source: str, text: str) -> Document:
    """Return what `text` says; its first heading is the title of the page."""
    tokens = PARSER.parse(text)
    title = said(tokens[1])
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
                child.content = WITH_ITS_NUMBER.sub("\N{NO-BREAK SPACE}", child.content)
    for opened, inside, closed in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if opened.type == "th_open" and not inside.content:
            # A corner of a table heads nothing.
            opened.tag = closed.tag = "td"
    # nh3 has nothing to do here: these files come with the program, and what they hold
    # of HTML is shown as it was typed.
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
            texts.append(said(token))
            continue
        yield Section(anchor, heading, "\n".join(texts))
        heading = said(token)
        plain = make_anchor(heading)
        anchor = f"{plain}-{anchors[plain]}" if anchors[plain] else plain
        anchors[plain] += 1
        before.attrs["id"] = anchor
        texts = []
    yield Section(anchor, heading, "\n".join(texts))


def list_headings(document: Document) -> list[tuple[str, str]]:
    found = re.findall(r'<h2 id="([^"]+)">', document.html)
    by_anchor = {each.anchor: each.heading for each in document.sections}
    return [(anchor, by_anchor[anchor]) for anchor in found]
