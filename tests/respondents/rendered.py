"""A survey's page, rendered without a database, and the numbers that it states."""

import json
import re
from dataclasses import dataclass, replace

from respondents.collecting import pages
from tests.respondents.markup import Markup
from tests.surveys.tables import make_design

CHOICES = ("Yes", "No", "Perhaps", "Never", "Often", "Always", "Rarely", "Once")
CHOICES += ("Twice", "Daily", "Weekly", "Monthly")

REPORTS = {
    "crosswise": ("Same", "Different"),
    "kuk": ("Red", "Black"),
    "one_bit": ("High", "Low"),
    "triangular": ("Either", "Neither"),
}
"""What is reported where it is not an answer; docs/reference/mechanisms/."""

NUMBER = r"([\d,]+)"
LISTED = re.compile(rf"{NUMBER} (?:arrive )?as (\w+)")
SENTENCE = re.compile(
    rf"Of {NUMBER} people (?:whose answer is (\w+)|with the same answer), (.+)"
)
ALL = re.compile(r"all arrive as (\w+)\.")
SAME_SENTENCE = re.compile(
    rf"about {NUMBER} arrive as (\w+|that answer)\. "
    rf"(?:About {NUMBER} arrive as each of the others\."
    rf"|The other {NUMBER} spread evenly over the other answers\.)"
    r"(?: This is so for every answer\.)?"
)


def whole(text):
    return int(text.replace(",", ""))


@dataclass
class Rendered:
    """The page of a survey that asks one question by each of these mechanisms."""

    html: str
    markup: Markup
    choices: list
    reports: list

    @property
    def said(self):
        return " ".join(self.markup.blocks)

    @property
    def data(self):
        found = re.search(r'<script id="survey"[^>]*>(.*?)</script>', self.html)
        return json.loads(found[1])

    def sentences(self):
        return [block for block in self.markup.blocks if block.startswith("Of ")]


def render(*mechanisms, mode="browser"):
    design = replace(
        make_design(*mechanisms, mode=mode),
        language="en",
        slug="study-habits",
        questions=tuple(
            replace(question, choices=CHOICES[: len(question.choices)])
            for question in make_design(*mechanisms).questions
        ),
    )
    name = "collecting/journey" if mode == "browser" else "collecting/plain"
    # Minutes are worked out from the page, which then is rendered twice.
    html = pages.render_survey(name, design, is_simulated=False, minutes=1)
    choices = [question.choices for question in design.questions]
    reports = [
        ("High", "Low", labels[-1])
        if each.family == "one_bit_skip"
        else REPORTS.get(each.family, labels)
        for each, labels in zip(mechanisms, choices, strict=True)
    ]
    return Rendered(html, Markup(html), choices, reports)


def read_row(sentence):
    """Return (base, answer or None for all, {report: count}, count of each other).

    The last one is a pair, (count, whether it is that of all others together), or None.
    """
    base, answer, rest = SENTENCE.fullmatch(sentence).groups()
    if found := ALL.fullmatch(rest):
        return whole(base), answer, {found[1]: whole(base)}, None
    if found := SAME_SENTENCE.fullmatch(rest):
        same, report, each, others = found.groups()
        other = (whole(each or others), each is None)
        return whole(base), answer, {report: whole(same)}, other
    assert rest.startswith("about ")
    listed = {report: whole(count) for count, report in LISTED.findall(rest)}
    return whole(base), answer, listed, None


def table_in(html, caption):
    """Return the whole numbers in the cells of the first table with this caption."""
    table = html[html.index(f"<caption>{caption}</caption>") :]
    rows = re.findall(r"<tr>(.*?)</tr>", table[: table.index("</table>")], re.DOTALL)
    return [
        [whole(cell) for cell in re.findall(r"<td>(\d+)</td>", row)] for row in rows
    ][1:]
