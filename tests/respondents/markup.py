"""Reads the text and the inputs of a page from its HTML."""

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser

BLOCKS = {
    "p", "li", "h1", "h2", "h3", "td", "th", "dt", "dd", "figcaption", "summary",
    "legend", "button", "label", "title", "caption", "template", "div", "section",
}  # fmt: skip
SILENT = {"script", "style", "code", "pre"}
ICON = "data:image/svg+xml,"


@dataclass
class Markup(HTMLParser):
    """Blocks of text, inputs with the form they stand in, and every address.

    But for that of an icon that is in the page: there is nothing to ask for.
    """

    html: str
    blocks: list[str] = field(default_factory=list)
    inputs: list[dict] = field(default_factory=list)
    addresses: list[str] = field(default_factory=list)
    inline: list[str] = field(default_factory=list)

    def __post_init__(self):
        super().__init__()
        self.forms = 0
        self.silent = 0
        self.feed(self.html)
        self.blocks = [" ".join(block.split()) for block in self.blocks]
        self.blocks = [block for block in self.blocks if block]

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.forms += tag == "form"
        self.silent += tag in SILENT
        if tag in BLOCKS:
            self.blocks.append("")
        if tag in {"input", "button", "select", "textarea"}:
            self.inputs.append({"tag": tag, "in_form": self.forms > 0, **attributes})
        self.addresses += [
            attributes[name]
            for name in ("src", "href", "action", "data-reports", "data-randomise")
            if not attributes.get(name, ICON).startswith(ICON)
        ]
        self.inline += [name for name in attributes if name.startswith("on")]
        self.inline += ["style"] if "style" in attributes or tag == "style" else []
        if tag == "script" and "src" not in attributes:
            self.inline += [] if attributes["type"] == "application/json" else [tag]

    def handle_endtag(self, tag):
        self.forms -= tag == "form"
        self.silent -= tag in SILENT
        if tag in BLOCKS:
            self.blocks.append("")

    def handle_data(self, text):
        if not self.silent and self.blocks:
            self.blocks[-1] += text


def sentences(markup):
    for block in markup.blocks:
        yield from (each for each in re.split(r"(?<=[.?!:;])\s+", block) if each)


def words(sentence):
    return re.findall(r"[\w\u2019@.-]*\w", sentence)
