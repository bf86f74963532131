"""Known shares as people write them."""

import pytest

from estimation.weighting.forms import WeightsForm
from estimation.weighting.margins import read_margins
from estimation.weighting.result import answers_shown
from surveys.files.values import FileError
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
def test_shares_are_percent_or_parts_of_one(written):
    assert read_margins(written.encode()) == {
        "sex": pytest.approx({"f": 0.52, "m": 0.48})
    }


@pytest.mark.parametrize("shares", ["33.1 33.1 33.3", ".331 .331 .333", "33 33.5 34"])
def test_shares_may_miss_the_whole_by_half_a_point(shares):
    rows = zip("fmx", shares.split(), strict=True)
    written = "".join(f"sex,{answer},{share}\n" for answer, share in rows)
    found = read_margins(f"question,answer,share\n{written}".encode())
    assert [*found["sex"]] == ["f", "m", "x"]


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("question,answer,share\nsex,f,many\n", "line 2, column 'share': must be a"),
        ("question,answer,share\nsex,f,-1\nsex,m,101\n", "0 or more"),
        ("question,answer,share\nsex,f,\n", "got nothing"),
        ("question,answer,share\nsex,f,50\nsex,f,50\n", "'f' has a share already"),
        (
            "question,answer,share\nsex,f,33\nsex,m,33\nsex,x,33\n",
            "100 % (or 1); got 99",
        ),
        ("question,answer\nsex,f\n", "need one column 'share'; found"),
        ("question,answer,share\nsex,f\n", "line 2: 2 cells; the header has 3"),
        ("question,answer,share\n", "one row or more; found none"),
        ("question,answer,share\n" + "sex,f,x\n" * 30, "... and 10 more"),
    ],
)
def test_what_cannot_be_read_is_named(written, told):
    with pytest.raises(FileError) as caught:
        read_margins(written.encode())
    assert told in str(caught.value)


def test_the_page_says_it_in_the_language_of_its_reader(monkeypatch):
    """The sentence is looked up, with its blanks, and not made of English pieces."""
    monkeypatch.setattr("surveys.sentence._", lambda words: f"<{words}>")
    with pytest.raises(FileError) as caught:
        read_margins(b"question,answer,share\nsex,f\nsex,f,50\nsex,f,50\nsex,f,\n")
    assert caught.value.problems == [
        "<line 2: <2 cells; the header has 3>>",
        "<line 4: 'sex', 'f' has a share already>",
        "<line 5, column 'share': must be a number, 0 or more, such as 51.5; got "
        "<nothing>>",
    ]


def test_of_three_answers_one_may_be_left_and_no_more():
    questions = make_design(THREE).questions
    form = WeightsForm({"known1_1": "20", "known1_3": "50"}, questions)
    assert form.is_valid()
    assert form.margins == {1: pytest.approx([0.2, 0.3, 0.5])}
    form = WeightsForm({"known1_1": "20"}, questions)
    assert not form.is_valid()
    assert form.errors == {
        "known1_2": ["Enter a share for every answer but one, or for none of them."]
    }
    form = WeightsForm({"known1_1": "60", "known1_3": "50"}, questions)
    assert not form.is_valid()


def test_shares_that_were_rounded_are_taken_as_they_were_meant():
    typed = {f"known1_{place}": "33.3" for place in (1, 2, 3)}
    form = WeightsForm(typed, make_design(THREE).questions)
    assert form.is_valid()
    assert form.margins == {1: pytest.approx([1 / 3] * 3)}


def test_reports_that_are_named_the_other_way_round_show_their_answer():
    assert answers_shown(THREE) == [0, 1, 2]
    assert answers_shown(table_of([[0, 1], [1, 0]])) == [1, 0]
