"""Parsing known shares."""

import pytest

from candor.files.margins import read_margins
from candor.files.table import FileError
from estimation.pages.weighting import WeightsForm
from estimation.rows.weighted import list_shown_answers
from tests.surveys.tables import make_design, table_of

THREE = table_of(
    [[1, 0, 0], [0, 1, 0], [0, 0, 1]], answers=("1", "2", "3"), reports=("1", "2", "3")
)


@pytest.mark.parametrize(
    "written",
    [
        "question,answer,share\nsex,f,52\nsex,m,48\n",
        "Question;Answer;Share\nsex;f;52,0\nsex;m;48,0 %\n",
        "share,question,answer\n0.52,sex,f\n0.48,sex,m\n",
        "question,answer,share\nsex,f,13/25\nsex,m,12/25\n",
    ],
)
def test_shares_may_be_percentages_or_proportions(written):
    assert read_margins(written.encode()) == {
        "sex": pytest.approx({"f": 0.52, "m": 0.48})
    }


@pytest.mark.parametrize("shares", ["33.1 33.1 33.3", ".331 .331 .333", "33 33.5 34"])
def test_shares_may_differ_from_100_percent_by_half_a_point(shares):
    rows = zip("fmx", shares.split(), strict=True)
    written = "".join(f"sex,{answer},{share}\n" for answer, share in rows)
    found = read_margins(f"question,answer,share\n{written}".encode())
    assert [*found["sex"]] == ["f", "m", "x"]


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ("question,answer,share\nsex,f,many\n", "line 2, column 'share': must be a"),
        ("question,answer,share\nsex,f,-1\nsex,m,101\n", "from 0 to 100"),
        ("question,answer,share\nsex,f,\n", "got nothing"),
        ("question,answer,share\nsex,f,50\nsex,f,50\n", "'f' has a share already"),
        (
            "question,answer,share\nsex,f,33\nsex,m,33\nsex,x,33\n",
            "100 % (or 1); got 99",
        ),
        ("question,answer\nsex,f\n", "need one column 'share'; found"),
        ("question,answer,share\nsex,f\n", "line 2: 2 cells; the header has 3"),
        ("question,answer,share\n", "needs a header and at least one row"),
        ("question,answer,share\n" + "sex,f,x\n" * 30, "... and 10 more"),
    ],
)
def test_unreadable_margins_are_named(written, message):
    with pytest.raises(FileError) as caught:
        read_margins(written.encode())
    assert message in str(caught.value)


def test_one_share_of_three_answers_may_be_left_empty():
    questions = make_design(THREE).questions
    form = WeightsForm({"known1_1": "20", "known1_3": "50"}, questions)
    assert form.is_valid()
    assert form.margins == {1: pytest.approx([0.2, 0.3, 0.5])}
    form = WeightsForm({"known1_1": "20"}, questions)
    assert not form.is_valid()
    assert form.errors == {"known1_2": ["Enter all shares but one, or none."]}
    form = WeightsForm({"known1_1": "60", "known1_3": "50"}, questions)
    assert not form.is_valid()


@pytest.mark.parametrize(
    ("first", "second", "margin"),
    [
        ("60", "40", [0.6, 0.4]),
        ("0.6", "0.4", [0.6, 0.4]),
        ("0,6", "0,4", [0.6, 0.4]),
        ("3/5", "2/5", [0.6, 0.4]),
        ("60 %", "40 %", [0.6, 0.4]),
        ("60%", "40", [0.6, 0.4]),
        ("0.6", "99.4", [0.006, 0.994]),
        ("0.6 %", "99.4", [0.006, 0.994]),
        ("1", "0", [1, 0]),
        # With a gap.
        ("60", "", [0.6, 0.4]),
        ("1.5", "", [0.015, 0.985]),
        ("0.6 %", "", [0.006, 0.994]),
        ("0", "", [0, 1]),
        ("100", "", [1, 0]),
    ],
)
def test_a_typed_share_is_read_like_one_in_a_file(first, second, margin):
    questions = make_design(table_of([[1, 0], [0, 1]])).questions
    form = WeightsForm({"known1_1": first, "known1_2": second}, questions)
    assert form.is_valid(), form.errors
    assert form.margins == {1: pytest.approx(margin)}
    # The URL of the page reproduces them unambiguously.
    again = WeightsForm(form.query, questions)
    assert again.is_valid()
    assert again.margins == {1: pytest.approx(margin)}
    if second:
        rows = f'question,answer,share\n1,a,"{first}"\n1,b,"{second}"\n'
        found = read_margins(rows.encode())["1"]
        assert list(found.values()) == pytest.approx(margin)


@pytest.mark.parametrize(
    ("typed", "percent"),
    [("0.6", "60"), ("0,6", "60"), ("1", "100"), ("1/4", "25"), ("0.004", "0.4")],
)
def test_an_ambiguous_share_is_rejected(typed, percent):
    questions = make_design(table_of([[1, 0], [0, 1]])).questions
    form = WeightsForm({"known1_2": typed}, questions)
    assert not form.is_valid()
    answer = questions[0].choices[1]
    assert form.errors == {
        "known1_2": [
            f"“{answer}”: {typed} could mean {typed} % or {percent} %. Enter every "
            "share in percent."
        ]
    }


@pytest.mark.parametrize("typed", ["half", "-5", "120", "120 %", "1/0", "nan", "1e9"])
def test_an_invalid_share_is_rejected_with_its_range(typed):
    questions = make_design(table_of([[1, 0], [0, 1]])).questions
    form = WeightsForm({"known1_1": typed}, questions)
    answer = questions[0].choices[0]
    assert form.errors == {"known1_1": [f"“{answer}”: enter a share from 0 to 100 %."]}


def test_a_percent_sign_in_a_file_is_respected():
    with pytest.raises(FileError, match="must sum to 100 % "):
        read_margins(b"question,answer,share\nsex,f,0.6 %\nsex,m,0.4 %\n")


def test_rounded_shares_are_rescaled_to_100_percent():
    typed = {f"known1_{place}": "33.3" for place in (1, 2, 3)}
    form = WeightsForm(typed, make_design(THREE).questions)
    assert form.is_valid()
    assert form.margins == {1: pytest.approx([1 / 3] * 3)}


def test_direct_reports_map_to_the_answers_that_they_reveal():
    turned = table_of(
        [[0, 1, 0], [0, 0, 1], [1, 0, 0]], answers=THREE.answers, reports=THREE.reports
    )
    assert list_shown_answers(turned) == [2, 0, 1]
