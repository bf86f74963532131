"""Find everything in a served page that can run, load or send something."""

import json
import re
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import urldefrag, urljoin, urlsplit

LOADING = {"src", "href", "data", "poster", "srcset", "action", "formaction", "ping"}

LEAVES = {"a", "area"}
"""Elements whose addresses open only on request."""

NEVER_ON_A_PAGE = {
    "base", "iframe", "frame", "object", "embed", "applet", "style", "portal",
}  # fmt: skip

LEFT_OUT = re.compile(r"^[\x00-\x20]+|[\t\n\r]")
"""Characters that browsers remove (https://url.spec.whatwg.org/#url-parsing)."""

# Only one group may match "?". Otherwise matching takes quadratic time.
SCRIPT = re.compile(r"[^\s?]+\.m?js(\?.*)?")


@dataclass
class ServedPage(HTMLParser):
    """The parts of a page, from its served HTML.

    Attributes
    ----------
    scripts, styles, others, links : list of str
        Absolute addresses of scripts (also those that other scripts load), of style
        sheets, of everything else that loads by itself, and of linked pages of the
        site.
    suspicious : list of str
        Descriptions of parts that no page of this release has.
    named_radios : int
        Number of choices that a browser could send by itself.
    """

    html: str
    address: str
    scripts: list[str] = field(default_factory=list)
    styles: list[str] = field(default_factory=list)
    others: list[str] = field(default_factory=list)
    links: list[str] = field(default_factory=list)
    suspicious: list[str] = field(default_factory=list)
    sampler: str = ""
    named_radios: int = 0

    def __post_init__(self) -> None:
        super().__init__()
        self.data_texts: dict[str, str] = {}
        self.reads_data = ""
        try:
            self.feed(self.html)
            self.close()
        except AssertionError as error:  # the parser raises it for some invalid HTML
            self.suspicious.append(f"what is no HTML: {error}")

    def read_data(self, identifier: str) -> dict[str, Any]:
        try:
            found = json.loads(self.data_texts.get(identifier, ""))
        except (ValueError, RecursionError):
            return {}
        return found if isinstance(found, dict) else {}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.find_code(tag, given)
        if tag == "script" and "src" not in given:
            # Data of other languages follow later, in inert templates.
            name = given.get("id", "")
            self.reads_data = "" if name in self.data_texts else name
            if self.reads_data:
                self.data_texts[name] = ""
        elif tag == "script":
            self.add(self.scripts, given["src"])
        elif tag == "link":
            kinds = set(given.get("rel", "").lower().split())
            address = given.get("href", "")
            is_script = "modulepreload" in kinds or SCRIPT.fullmatch(address)
            place = self.scripts if is_script else self.others
            self.add(self.styles if "stylesheet" in kinds else place, address)
        elif tag in LEAVES:
            self.add_link(given)
        elif tag != "form":
            for name in LOADING & given.keys():
                self.add(self.others, given[name])
        for name, value in given.items():
            if name.startswith("data-") and SCRIPT.fullmatch(value):
                self.add(self.scripts, value)
        if given.get("data-randomise"):
            self.sampler = self.whole(given["data-randomise"])
        if tag == "input" and given.get("type") == "radio" and "name" in given:
            self.named_radios += 1

    def find_code(self, tag: str, given: dict[str, str]) -> None:
        if tag in NEVER_ON_A_PAGE:
            self.suspicious.append(f"an element <{tag}>")
        if tag == "meta" and "http-equiv" in given:
            self.suspicious.append(f"<meta http-equiv={given['http-equiv']!r}>")
        is_data = given.get("type", "").lower() == "application/json"
        if tag == "script" and "src" not in given and not is_data:
            self.suspicious.append("a script in the page itself")
        for name, value in given.items():
            if name.startswith("on"):
                self.suspicious.append(f"code in an attribute {name} of <{tag}>")
            if name == "style":
                self.suspicious.append(f"an attribute style of <{tag}>")
            if LEFT_OUT.sub("", value).lower().startswith("javascript:"):
                self.suspicious.append(f"code in the address {name} of <{tag}>")

    def add(self, place: list[str], address: str) -> None:
        whole = self.whole(address)
        if not whole:
            self.suspicious.append(f"an address that is none: {address}")
            return
        if urlsplit(whole).scheme == "data" or whole in place:
            return
        if urlsplit(whole).netloc != urlsplit(self.address).netloc:
            self.suspicious.append(f"something of another site: {whole}")
            return
        place.append(whole)

    def add_link(self, given: dict[str, str]) -> None:
        whole = urldefrag(self.whole(given.get("href", ""))).url
        is_near = urlsplit(whole).netloc == urlsplit(self.address).netloc
        # The link to leave leads to another site. Linked files are checked as files.
        is_page = not PurePosixPath(urlsplit(whole).path).suffix
        is_new = whole not in {*self.links, self.address}
        if is_near and is_page and is_new and "data-leave" not in given:
            self.links.append(whole)

    def whole(self, address: str) -> str:
        try:
            return urljoin(self.address, address)
        except ValueError:
            return ""

    def handle_data(self, data: str) -> None:
        if self.reads_data:
            self.data_texts[self.reads_data] += data

    def handle_endtag(self, tag: str) -> None:
        if tag == "script":
            self.reads_data = ""
