"""Whole pages, for every family and any parameters: all numbers are the table's."""

import math
import re
from fractions import Fraction

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from candor.mechanisms import ParameterError, load_families
from tests.respondents.rendered import CHOICES, read_row, render, table_in, whole
from tests.surveys.tables import build_example

fixed = settings(derandomize=True, deadline=None, max_examples=4, database=None)


EVERY_FAMILY = pytest.mark.parametrize("name", load_families())


SCRAMBLING = [name for name, each in load_families().items() if each.is_protected]
EVERY_TABLE_OF_CHANCES = pytest.mark.parametrize("name", SCRAMBLING)
MODES = st.sampled_from(["browser", "server"])


def values_of(parameter):
    if parameter.counts_answers:
        # A scale that can be skipped has one more answer.
        least, most = max(2, parameter.low + 1), min(len(CHOICES) - 1, parameter.high)
        return st.integers(least, most).map(Fraction)
    return st.fractions(
        Fraction(1, 60), parameter.high - Fraction(1, 60), max_denominator=600
    )


@st.composite
def mechanisms(draw, name):
    family = load_families()[name]
    values = {each.name: draw(values_of(each)) for each in family.parameters}
    try:
        return family.build(**values)
    except ParameterError:
        assume(False)


def check_row(sentence, mechanism, choices, reports):
    """Read one sentence of odds back; return the base that it speaks of."""
    base, answer, listed, other = read_row(sentence)
    for number, row in enumerate(mechanism.weights):
        if answer not in {None, choices[number]}:
            continue
        total = sum(row)
        shares = {
            reports[number] if report == "that answer" else report: count
            for report, count in listed.items()
        }
        named = 0
        for report, weight in zip(reports, row, strict=True):
            count = shares.get(report, 0)
            if report in shares or other is None:
                named += count
                assert abs(Fraction(count, base) - Fraction(weight, total)) < (
                    Fraction(1, base)
                )
                # Impossible and certain are said of nothing else.
                assert (count == 0) == (weight == 0)
        if other is None:
            assert named == base
        else:
            count, is_sum = other
            rest = count if is_sum else count * (len(row) - len(shares))
            assert named + rest == base
    return base


def described(choices, mechanism):
    """Return the answers with a sentence: of a scale that shows its mean, the ends."""
    if mechanism.identifies_shares:
        return choices
    return (choices[0], *choices[mechanism.points - 1 :])


def ratio_of(weights):
    """Return the largest ratio in one column; None where a weight is 0."""
    columns = list(zip(*weights, strict=True))
    if any(min(column) == 0 for column in columns):
        return None
    return max(Fraction(max(column), min(column)) for column in columns)


def read_off(weights):
    """Return how often the most likely answer of a report is right, at least."""
    columns = list(zip(*weights, strict=True))
    return min(
        Fraction(
            sum(w for w, c in zip(row, columns, strict=True) if sorted(c)[-2] < w),
            sum(row),
        )
        for row in weights
    )


def hint_of(weights):
    """Return what the page concludes; privacy.md."""
    ratio = ratio_of(weights)
    hints = (
        (read_off(weights) >= Fraction(100, 101), "your answer, with rare exceptions"),
        (read_off(weights) >= Fraction(10, 11), "nearly your answer"),
        (ratio >= 10, "can come close to proof"),
        (ratio > 4, "a strong hint, never proof"),
        (ratio > 2, "a hint, never proof"),
        (True, "a weak hint, never proof"),
    )
    return next(said for is_so, said in hints if is_so)


def check_hint(said, weights):
    hint = hint_of(weights)
    is_hint = ratio_of(weights) < 10
    subject = "So one scrambled answer" if is_hint else "What we receive about you"
    text = hint if hint.startswith("can") else f"is {hint}"
    assert set(re.findall(rf"{subject} [^.]+\.", said)) == {f"{subject} {text}."}
    assert ("never proof" in said) == (ratio_of(weights) < 10)
    assert ("Never with certainty" in said) == (ratio_of(weights) <= 4)
    assert ("A clear hint." in said) == (4 < ratio_of(weights) < 10)


def check_epsilon(said, opening, exact):
    text = float(re.search(rf"{opening}: ε = (\d+\.\d+)", said)[1])
    assert exact <= text + 1e-12
    assert text < exact + 0.01 + 1e-12


@EVERY_TABLE_OF_CHANCES
@fixed
@given(data=st.data())
def test_every_number_on_the_page_follows_from_the_table(name, data):
    mechanism = data.draw(mechanisms(name))
    mode = data.draw(MODES)
    page = render(mechanism, mode=mode)
    [choices], [reports] = page.choices, page.reports
    sentences = page.sentences()
    answers = [read_row(each)[1] for each in sentences]
    text = described(choices, mechanism)
    assert answers in ([None], list(text))
    bases = {check_row(each, mechanism, choices, reports) for each in sentences}
    assert len(bases) == 1
    shown = table_in(page.html, "Question 1")
    assert [row[:-1] for row in shown] == [list(row) for row in mechanism.weights]
    assert {row[-1] for row in shown} == {mechanism.total}
    ratio = ratio_of(mechanism.weights)
    if ratio is None:
        assert "all scrambled answers together: ε = ∞" in page.said.lower()
    else:
        check_hint(page.said, mechanism.weights)
        for opening in (
            "What one report reveals at most",
            "All scrambled answers together",
        ):
            check_epsilon(page.said, opening, math.log(ratio))


@EVERY_FAMILY
@fixed
@given(data=st.data())
def test_dots_match_the_sentences_and_the_trial_lists_all_reports(name, data):
    mechanism = data.draw(mechanisms(name))
    page = render(mechanism)
    [choices], [reports] = page.choices, page.reports
    rows = [read_row(each) for each in page.sentences()]
    pictures = re.findall(r'aria-label="([\d,]+) dots: ([^"]+)"', page.html)
    assert len(pictures) in {0, len(described(choices, mechanism))}
    for (dots, named), (base, _answer, listed, other) in zip(
        pictures, rows, strict=False
    ):
        counts = [whole(count) for count in re.findall(r"([\d,]+) for ", named)]
        assert whole(dots) == base == sum(counts)
        if other is None:
            assert [listed.get(report, 0) for report in reports] == counts
    if practice := page.data["practice"]:
        assert len(set(practice["labels"])) == len(practice["labels"]) == len(choices)
        assert len(set(practice["reports"])) == len(practice["reports"]) == len(reports)


@pytest.mark.parametrize("name", sorted(set(load_families()) - set(SCRAMBLING)))
def test_a_page_without_randomisation_shows_no_odds_and_no_coin(name):
    page = render(build_example(name))
    assert page.sentences() == []
    assert "This is not protected: we receive your real answer." in page.said
    assert "data-coin" not in page.html


def test_all_families_in_one_survey_are_described_and_added_up():
    asked = [
        build_example(name)
        for name, each in load_families().items()
        if each.is_protected and not each.is_one_sided
    ]
    page = render(*asked)
    exact = sum(math.log(ratio_of(each.weights)) for each in asked)
    check_epsilon(page.said, "All scrambled answers together", exact)
    for each in asked:
        assert f"{hint_of(each.weights)}." in page.said
    assert "Close to proof." in page.said
