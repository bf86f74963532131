"""docs/results-sentences.md says of every sentence when it comes: here it is held."""

import re
from collections import Counter
from itertools import product

import pytest

from estimation.compare.panels import ComparisonPanel
from estimation.compare.result import compare_tallies
from estimation.exports.methods import methods_text
from estimation.publishing.words import where_from
from estimation.results.panels import SurveyPanel
from estimation.results.result import (
    DESIGN_FIT_ALARM,
    MIN_RESPONDENTS,
    survey_results,
)
from estimation.results.tallies import Tallies
from estimation.results.words import reports_counted
from respondents.models import NOT_ASKED
from scripts.messages import in_python
from surveys.mechanisms import families
from surveys.models import Survey
from surveys.words.numbers import error_of
from surveys.words.protection import Protection
from tests.sentences import PROJECT, Listing
from tests.surveys.tables import make_design, table_of

SOURCES = (
    "estimation/results/words.py",
    "estimation/results/cautions.py",
    "estimation/results/perspective.py",
    "estimation/publishing/words.py",
    "estimation/compare/words.py",
)
"""Where the sentences of the page stand, all but those of the methods section."""

OF_NUMBERS = {"tells nothing"}
"""What numbers say of themselves, here and elsewhere."""

METHODS = "Methods section"

LISTING = Listing("results-sentences.md", not_marked=(METHODS,))
ROWS, LISTED = LISTING.rows, LISTING.sentences

PLACEHOLDER = re.compile(r"%\\?\((?:\w+)\\?\)s|%s")


SETTINGS = {
    "server": {"mode": "server"},
    "hand": {"mode": "hand"},
    "links": {"access": "invitation"},
    "imported": {"mode": "hand", "is_imported": True},
    "simulated": {"is_simulated": True},
    "test": {"is_simulated": True, "rehearsal_of_id": 1},
    "open": {"state": "open"},
    "batch of 1": {"state": "open", "batch_size": 1},
}
METHOD_NAMES = ("bayes", "wilson")


def read(written):
    """Read "imported, bayes: coin 40 60 + direct 30 70"."""
    names, colon, asked = written.rpartition(": ")
    names = names.split(", ") if colon else []
    fields, chosen = {"state": "closed", "batch_size": 20}, {}
    for name in names:
        if name in SETTINGS:
            fields |= SETTINGS[name]
        elif name in METHOD_NAMES:
            chosen["method"] = name
        elif name == "together":
            chosen["simultaneous"] = True
        else:
            chosen["confidence_level"] = float(name.removesuffix(" %")) / 100
    if " x " in asked:
        mechanisms, counts = both(asked)
    else:
        mechanisms, counts = one_by_one(asked.split(" + "))
    survey = Survey(title="Study", design_digest="0" * 64, **fields)
    design = make_design(*mechanisms, mode=survey.mode)
    numbers = range(1, len(mechanisms) + 1)
    tallies = Tallies(survey=survey, design=design, numbers=numbers, counts=counts)
    return tallies, chosen


def one_by_one(questions):
    """Each question with its own counts; whoever has no report was not asked."""
    mechanisms, columns = [], []
    for question in questions:
        mechanism, counts = mechanism_of(question)
        mechanisms.append(mechanism)
        columns.append([report for report, n in enumerate(counts) for _ in range(n)])
    most = max(map(len, columns))
    patterns = zip(
        *(each + [NOT_ASKED] * (most - len(each)) for each in columns), strict=True
    )
    return mechanisms, {bytes(p): n for p, n in Counter(patterns).items()}


def both(asked):
    """Two questions with the counts of their pairs: "coin x direct 40 60 10 90"."""
    first, rest = asked.split(" x ")
    second, counts = mechanism_of(rest)
    mechanisms = [mechanism_of(f"{first} 0")[0], second]
    sizes = (range(len(each.reports)) for each in mechanisms)
    pairs = map(bytes, product(*sizes))
    return mechanisms, {p: n for p, n in zip(pairs, counts, strict=True) if n}


def mechanism_of(written):
    """Read "coin 40 60", "k_ary epsilon=1 choices=3 50 45 5" or "[1 0, 1 1] 3 4"."""
    table, _, rest = written.rpartition("]")
    counts = [int(word) for word in rest.split() if word.isdigit()]
    if table:
        rows = [[int(n) for n in row.split()] for row in table.strip("[").split(",")]
        return table_of(rows), counts
    name, *words = rest.split()
    parameters = dict(word.split("=") for word in words if "=" in word)
    return families()[name].build(**parameters), counts


def panel_of(written):
    tallies, chosen = read(written)
    return SurveyPanel(survey_results(tallies, **chosen))


def of_questions(*names):
    def said(written):
        panels = panel_of(written).questions
        found = [getattr(panel, name) for panel in panels for name in names]
        return [
            text
            for each in found
            for text in (each if isinstance(each, list) else [each])
        ]

    return said


def of_cautions(written):
    panels = panel_of(written).questions
    return [caution.text for panel in panels for caution in panel.cautions]


def of_numbers(written):
    panel = panel_of(written)
    rows = [row for each in panel.questions for row in each.result.rows]
    radii = [each.radius for each in panel.questions]
    counts = [reports_counted(each.result.respondents) for each in panel.questions]
    return [*radii, *counts, *(error_of(row.likely_error) for row in rows)]


def of_charts(written):
    panels = panel_of(written).questions
    bars = [bar for panel in panels if panel.result.respondents for bar in panel.bars]
    texts = [panel.alternative_text for panel in panels if panel.result.respondents]
    return [
        *texts,
        *(text for bar in bars for text in (bar.interval_label, bar.estimate_label)),
        *(bar.name for bar in bars),
        *(bar.name for panel in panels for bar in panel.bars_told),
    ]


def of_the_survey(written):
    panel = panel_of(written)
    told = [
        panel.left_out_of_overview,
        panel.precision,
        panel.total_of_scrambled,
        panel.not_covered,
        panel.mode,
    ]
    return [*told, *(caution.text for caution in panel.cautions)]


def of_the_public_page(written):
    tallies, _chosen = read(written)
    is_imported = tallies.survey.is_imported
    return where_from(Protection(tallies.design), is_imported=is_imported)


def of_comparisons(written):
    tallies, chosen = read(written)
    options = {"confidence_level": 0.95, "method": "feldman-cousins", **chosen}
    panel = ComparisonPanel(compare_tallies(tallies, **options))
    groups = [text for each in panel.shown for text in (each.sentence, each.size_label)]
    return [
        *groups,
        *(each.drawn.heading for each in panel.shown),
        *(caution.text for caution in panel.cautions),
        panel.level,
        panel.interval_name,
        panel.joint_interval_name,
        panel.independence_line,
    ]


PLACES = {
    "Headline": of_questions("sentences"),
    "How sure": of_questions("level", "interval_name"),
    "Charts and tables": of_charts,
    "Numbers": of_numbers,
    "How answers were scrambled": of_questions("mechanism_line"),
    "Cautions of a question": of_cautions,
    "Forgers and direct questions": of_questions(
        "forged_line", "direct_line", "bounds"
    ),
    "The whole survey": of_the_survey,
    "The public page": of_the_public_page,
    "Two questions together": of_comparisons,
    METHODS: None,
}


@pytest.fixture
def marked(monkeypatch):
    LISTING.mark(monkeypatch)


def sentences_of(place, written):
    """Return the sentences of the list that a result says at one place."""
    return LISTING.said_in(PLACES[place](written))


def pattern_of(sentence):
    """Return what finds a sentence of the methods section, whatever fills its gaps."""
    found = PLACEHOLDER.sub(".+?", re.escape(sentence))
    # A point ends it, but not that of "section 3.2".
    return re.compile(re.sub(r"\\.$", r"\\.(?= |$)", found), re.MULTILINE)


@pytest.mark.parametrize("row", [row for row in ROWS if row.place != METHODS], ids=str)
def test_a_sentence_comes_and_goes_at_its_edge(row, marked):
    said = {
        each: row.sentence in sentences_of(row.place, each)
        for each in (*row.said_by, *row.not_by)
    }
    assert [each for each in row.said_by if not said[each]] == []
    assert [each for each in row.not_by if said[each]] == []


@pytest.mark.parametrize("row", [r for r in ROWS if r.place == METHODS], ids=str)
def test_a_sentence_of_the_methods_section_comes_and_goes_at_its_edge(row):
    found = {each: methods_of(each) for each in (*row.said_by, *row.not_by)}
    pattern = pattern_of(row.sentence)
    assert [each for each in row.said_by if not pattern.search(found[each])] == []
    assert [each for each in row.not_by if pattern.search(found[each])] == []


def methods_of(written):
    tallies, chosen = read(written)
    text = methods_text(survey_results(tallies, **chosen)).partition("\nReferences")[0]
    return text.replace("\N{NO-BREAK SPACE}", " ")


def test_the_methods_section_says_nothing_that_is_not_listed():
    listed = [pattern_of(row.sentence) for row in ROWS if row.place == METHODS]
    for written in {e for r in ROWS if r.place == METHODS for e in r.said_by}:
        left = methods_of(written)
        for pattern in sorted(listed, key=lambda each: -len(each.pattern)):
            # What was within a sentence leaves a mark in its gap.
            left = pattern.sub("…", left)
        assert not left.replace("…", "").split(), (written, left)


@pytest.mark.parametrize("place", [place for place in PLACES if place != METHODS])
def test_no_result_of_the_page_says_what_its_place_does_not_list(place, marked):
    rows = [row for row in ROWS if row.place == place]
    # Names of intervals and numbers stand within other sentences.
    parts = {place, "How sure", "Numbers"}
    listed = {row.sentence for row in ROWS if row.place in parts} | {"and", "“%s”"}
    for written in {each for row in rows for each in row.said_by + row.not_by}:
        assert sentences_of(place, written) <= listed, written


def test_every_sentence_of_the_code_is_listed_and_nothing_else():
    found = set()
    for path in SOURCES:
        read_messages = in_python((PROJECT / path).read_text("utf-8"))
        found |= {text for each in read_messages for text in each}
    assert set(LISTED) == (found | OF_NUMBERS) - {""}


def test_every_row_of_the_page_is_read_and_shows_both_sides():
    LISTING.hold(PLACES)


EDGES = {
    "no report": "coin 0 0",
    "one report": "coin 1 0",
    "all alike": "direct 0 100",
    "raw below the scale": "coin 24 76",
    "raw above the scale": "coin 77 23",
    "epsilon .01": "epsilon epsilon=0.01 50 50",
    "epsilon 10": "epsilon epsilon=10 40 60",
    "does not fit": "coin 13 87",
    "direct beside scrambled": "coin 40 60 + direct 40 60",
    "imported": "imported: coin 40 60",
    "twenty answers": "k_ary epsilon=2 choices=20" + " 50" * 20,
}


@pytest.mark.parametrize("edge", EDGES)
def test_every_edge_stands_on_the_page(edge):
    assert f"`{EDGES[edge]}`" in LISTING.page


@pytest.mark.parametrize("edge", EDGES)
def test_at_no_edge_a_number_is_beyond_what_a_share_can_be(edge):
    """Raw estimates may be, and say so; nothing else."""
    for place in PLACES:
        if place == METHODS or (" x " in EDGES[edge]) != (place[:3] == "Two"):
            continue
        for text in PLACES[place](EDGES[edge]):
            told = text.replace("\N{NO-BREAK SPACE}", " ").replace(",", "")
            numbers = re.findall(r"([\d.]+) (?:percentage )?points", told)
            assert all(float(number) < 100 for number in numbers), told
            numbers = re.findall(r"(?<!raw )(?<!Raw estimate: )([\d.]+) %", told)
            if "raw" not in told:
                assert all(float(number) <= 100 for number in numbers), told


def test_the_edges_of_the_page_are_those_of_the_code():
    for written, fits in (("coin 13 87", False), ("coin 14 86", True)):
        (question,) = panel_of(written).questions
        assert (question.result.design_fit >= DESIGN_FIT_ALARM) is fits
    assert MIN_RESPONDENTS == 30
