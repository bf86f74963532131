"""The sentences of the respondents' pages for each survey."""

import re
from dataclasses import replace
from datetime import date
from fractions import Fraction
from types import SimpleNamespace

import pytest

from candor.mechanisms import load_families
from candor.mechanisms.draws import DrawnGroup
from candor.mechanisms.odds import (
    HINT_RATIO,
    NEAR_PROOF_RATIO,
    RARE_EXCEPTIONS_RATIO,
    WEAK_HINT_RATIO,
)
from respondents.collecting import page_context, pages, question_context
from respondents.collecting.forms import PlainForm
from surveys.design import GroupSizes
from surveys.models.conditions import OneOf
from surveys.sections import Section
from surveys.text.by_hand import describe_steps, list_fair_devices
from surveys.text.icon_arrays import draw_icon_arrays
from surveys.text.protection import Protection
from tests.golden.sentence_records import Record
from tests.sealed import HOLDER
from tests.surveys.tables import build_example, make_design, table_of

SOURCES = (
    "respondents/collecting/page_context.py",
    "respondents/collecting/question_context.py",
    "candor/mechanisms/by_hand.py",
    "candor/mechanisms/families/*.py",
    "surveys/text/by_hand.py",
    "surveys/text/conditions.py",
    "surveys/text/tables.py",
    "surveys/text/icon_arrays.py",
    "surveys/text/protection.py",
    *(
        f"templates/respondents/collecting/{name}.html"
        for name in (
            "_ask_about_link",
            "_check",
            "_code",
            "_completion",
            "_method_links",
            "_problem",
            "_question",
            "_received",
            "_screened",
            "_sending",
            "_leave",
            "_start",
            "_unknown_link",
            "_welcome",
            "closed",
            "journey",
            "plain",
            "screened",
            "survey_base",
            "thanks",
        )
    ),
)
"""Sources of the sentences."""

NAMES = {family.label for family in load_families().values()} | {
    parameter.label
    for family in load_families().values()
    for parameter in family.parameters
}

RECORD = Record("survey", SOURCES, left_out=NAMES)

UNCOVERED = {
    "a fair coin, die or pack of cards",
    "at most %(count)s question",
    "at least %s",
    "at most %s",
    "not %s",
}
"""Sentences of no recorded design; test_conditions.py tests conditions."""

EDGES = (WEAK_HINT_RATIO, HINT_RATIO, NEAR_PROOF_RATIO, RARE_EXCEPTIONS_RATIO)


STATES = {"ends", "grace", "mistaken", "mistyped", "public", "undated"}
"""States of a survey or a submission that are not in the design."""


def read(written):
    """Return the design and the states of "server, contact: 3:1 + direct"."""
    names, colon, asked = written.rpartition(": ")
    names = names.split(", ") if colon else []
    states = STATES.intersection(names)
    fields = {"language": "en", "slug": "study-habits", "title": "Study habits"}
    if "invitation" in names:
        fields["access"] = "invitation"
    if "contact" in names:
        fields["contact"] = "study@example.org"
    if "ethics" in names:
        fields["ethics_reference"] = "2026/17"
    if "reason" in names:
        fields["epsilon_reason"] = "Only all answers together show it."
    if "sealed" in names:
        fields["holder_key"] = HOLDER.write().decode()
    if "panel" in names:
        fields["completion_code"] = "C0FFEE"
        fields["completion_link"] = "https://panel.example.org"
        fields["screened_code"] = "D0NE"
        fields["screened_link"] = "https://panel.example.org/screened"
    if "shuffled" in names:
        fields["sections"] = (Section(numbers=range(1, 3), is_shuffled=True),)
    if "draws" in names:
        fields["groups"] = (DrawnGroup(asked=1, questions=(1, 2)),)
    ticked = {"ticks": 1, "ticks-2": 2}
    for asked_of in map(ticked.get, ticked.keys() & set(names)):
        numbers = tuple(range(1, asked_of + 2))
        fields["groups"] = (DrawnGroup(asked=asked_of, questions=numbers),)
    if "counting" in names:
        links = 150 if "invitation" in names else None
        fields["group_sizes"] = GroupSizes(20, 10, links)
    (mode,) = {"browser", "server", "hand"}.intersection(names) or {"browser"}
    known = {
        mode, "invitation", "contact", "ethics", "reason", "draws", "counting",
        "panel", "shuffled", "sealed", "branching", "screening", *ticked, *states,
    }  # fmt: skip
    assert set(names) <= known, written
    mechanisms = [mechanism_of(each) for each in asked.split(" + ")]
    design = replace(make_design(*mechanisms, mode=mode), **fields)
    if ticked.keys() & set(names):
        items = [
            replace(each, tick_list="Which of these?") for each in design.questions
        ]
        design = replace(design, questions=tuple(items))
    first, *others = design.questions
    if "screening" in names:
        first = replace(first, ending=frozenset([1]))
    if "branching" in names:
        shown_if = OneOf(1, frozenset([0]))
        others[-1] = replace(others[-1], shown_if=shown_if, hidden_answer=1)
    return replace(design, questions=(first, *others)), states


def mechanism_of(written):
    """Read "3:1", "[2 0, 1 1]", "coin" or "warner p=4/5"."""
    if found := re.fullmatch(r"(\d+):(\d+)", written):
        truth, other = map(int, found.groups())
        return table_of([[truth, other], [other, truth]])
    if written.startswith("["):
        weights = [
            [int(weight) for weight in row.split()]
            for row in written.strip("[]").split(",")
        ]
        names = ("yes", "no", "neither")[: len(weights)]
        # No family, so that surveys in mode hand can use it without steps.
        return replace(table_of(weights, names, names), family="direct")
    name, *given = written.split()
    if not given:
        return build_example(name)
    return load_families()[name].build(**dict(each.split("=") for each in given))


def row_of_consequences(number):
    def collect(protection):
        found = protection.consequences[number : number + 1]
        return [
            text for each in found for text in (each.event, each.verdict, each.reason)
        ]

    return collect


def of_tables(name):
    return lambda protection: [getattr(each, name) for each in protection.tables]


def of_the_odds(protection):
    texts = [text for table in protection.tables for text in table.sentences]
    return [*protection.summary, *texts] if protection.scrambled else []


def of_scrambled_questions(protection):
    return [protection.reassurance(number) for number in protection.scrambled]


def of_a_trial(protection):
    practice = page_context.choose_practice(protection)
    return [*practice["labels"], *practice["reports"]]


def of_the_dots(protection):
    return [each.label for each in draw_icon_arrays(protection.worst)]


def by_hand(protection):
    asked = protection.design.questions
    steps = [each for each in map(describe_steps, asked) if each]
    texts = [text for each in steps for text in (*each.sentences, each.entered)]
    return [list_fair_devices(asked), *texts]


def names(protection):
    labels = [label for table in protection.tables for label in table.labels]
    titles = [each.title for each in protection.tables]
    return [
        *labels, *titles, *of_the_odds(protection), *of_scrambled_questions(protection)
    ]  # fmt: skip


def template(name):
    return lambda protection: [
        pages.render_survey(name, protection.design, is_simulated=False)
    ]


LAST_DAY = date(2026, 11, 22)


def welcome(protection, states):
    day = LAST_DAY if "ends" in states else None
    parts = ("collecting/_welcome", "collecting/_start")
    return [
        pages.render_survey(part, protection.design, is_simulated=False, closes_on=day)
        for part in parts
    ]


def each_question(protection):
    asked = question_context.describe_questions(protection)
    progress = [each["progress"] for each in asked]
    return progress + [
        pages.render_survey(
            "collecting/_question", protection.design, is_simulated=False, question=each
        )
        for each in asked
    ]


def screens(protection):
    name = "journey" if protection.design.mode == "browser" else "plain"
    return template(f"collecting/{name}")(protection)


def mistaken(protection, states):
    """The form after a submission with missing or wrong data."""
    design = protection.design
    given = {} if "mistaken" in states else {"consent": "on", "q1": "1"}
    if not states:
        return screens(protection)
    survey = SimpleNamespace(design=design, is_simulated=False, closes_on=None)
    is_mistyped = "mistyped" in states
    form = PlainForm(design, given)
    return [pages.render_mistakes(survey, form, "a code", is_mistyped=is_mistyped)]


def ended(protection, states):
    is_over = "grace" not in states
    return [
        pages.render_closed(
            SimpleNamespace(
                design=protection.design,
                closed_on=LAST_DAY if is_over and "undated" not in states else None,
                closes_on=None if is_over else LAST_DAY,
                is_closed=is_over,
                results_address="/results/" if "public" in states else "",
            )
        )
    ]


PLACES = {
    "The welcome": welcome,
    "A personal code": screens,
    "Who scrambles": lambda protection: protection.device_sentences,
    "The odds": of_the_odds,
    "What follows": of_tables("conclusion"),
    "What follows of all together": lambda protection: protection.composition_warning,
    "If somebody gets the data": row_of_consequences(0),
    "If somebody sees the screen": row_of_consequences(1),
    "If somebody changes the page": row_of_consequences(2),
    "Each question": each_question,
    "At a scrambled question": of_scrambled_questions,
    "Try it": of_a_trial,
    "The dots": of_the_dots,
    "By hand": by_hand,
    "Names": names,
    "The screens of a survey": screens,
    "After a mistake in a form": mistaken,
    "After sending": template("collecting/_received"),
    "The page /thanks/": template("collecting/thanks"),
    "After screening": template("collecting/screened"),
    "When the survey has closed": ended,
}

BY_STATE = {"The welcome", "After a mistake in a form", "When the survey has closed"}


@pytest.mark.parametrize("place", PLACES)
def test_designs_show_the_recorded_sentences(place, monkeypatch):
    RECORD.mark(monkeypatch)
    monkeypatch.setattr(pages, "get_design", lambda survey: survey.design)

    def say(written):
        design, states = read(written)
        given = [states] if place in BY_STATE else []
        return RECORD.find_sentences(PLACES[place](Protection(design), *given))

    RECORD.compare(place, say)


def test_every_design_sentence_is_covered_by_the_record():
    assert list(RECORD.places) == list(PLACES)
    assert RECORD.list_uncovered() == UNCOVERED


@pytest.mark.parametrize("edge", EDGES)
def test_recorded_sentences_change_at_the_limits_in_the_code(edge):
    ratios = {
        Fraction(*parts(written)): frozenset(shown)
        for written, shown in RECORD.places["What follows"].items()
        if re.fullmatch(r"\d+:\d+", written)
    }
    at, near = ratios[edge], {
        shown
        for ratio, shown in ratios.items()
        if ratio != edge and abs(ratio / edge - 1) < Fraction(1, 500)
    }  # fmt: skip
    assert len(near) == 1
    assert near != {at}


def parts(written):
    return map(int, written.split(":"))


@pytest.mark.parametrize(
    "written", sorted({written for each in RECORD.places.values() for written in each})
)
def test_never_proof_is_shown_only_below_ten_to_one(written):
    protection = Protection(read(written)[0])
    for table in protection.tables:
        ratio = table.mechanism.worst_ratio
        is_hint = ratio is not None and ratio < NEAR_PROOF_RATIO
        assert ("never proof" in table.conclusion) is is_hint
    assert len(protection.consequences) == 3
    assert len(protection.device_sentences) <= 2
