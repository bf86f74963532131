from dataclasses import replace

import pytest

from respondents.collecting.forms import Pick, PlainForm
from respondents.collecting.protocol import FIELDS, RefusedError, check_fields, parse
from surveys.design import load_design
from tests.factories import make_survey

DESIGN, SUBMISSION = "a" * 64, "0123456789abcdef" * 2


@pytest.fixture
def design(db):
    survey = make_survey(["coin", "die"])
    return load_design(survey.pk, survey.design_digest)


def submit(design, /, **changes):
    submission = {
        "design": design.digest,
        "submission": SUBMISSION,
        "reports": "0001",
        **changes,
    }
    return check_fields(design, submission, "")


def refuse(design, /, **changes):
    """Return the field at fault, the status and the message of a refusal."""
    with pytest.raises(RefusedError) as caught:
        submit(design, **changes)
    return caught.value.field, caught.value.status, caught.value.message


def test_it_turns_reports_into_a_pattern_of_bytes(design):
    assert submit(design).pattern == b"\x00\x01"


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("reports", "00"),
        ("reports", "000100"),
        ("reports", "0002"),
        ("reports", "00ff"),
        ("reports", "000"),
        ("reports", ""),
        ("reports", "000A"),
        ("reports", "00 1"),
        ("reports", "0001\n"),
        ("reports", " 0001"),
        ("reports", "00\x0001"),
        ("reports", "\u0660\u0660\u0660\u0661"),  # digits that int() would read
        ("reports", "\ud8000001"),
        ("submission", SUBMISSION.upper()),
        ("submission", SUBMISSION[:-1]),
        ("submission", SUBMISSION + "0"),
        ("design", DESIGN[:-1]),
        ("design", "g" * 64),
    ],
)
def test_it_refuses_what_is_not_of_the_protocol(design, field, value):
    name, status, message = refuse(design, **{field: value})
    assert (name, status) == (field, 400)
    assert not value or value not in message


def test_it_names_the_first_field_at_fault(design):
    assert refuse(design, submission="", reports="")[:2] == ("submission", 400)


def test_it_knows_the_digest_of_another_survey(design):
    assert refuse(design, design=DESIGN, reports="")[:2] == ("design", 409)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"null",
        b"[]",
        b'"design"',
        b"{}",
        b'{"design": "a", "submission": "b"}',
        b'{"design": "a", "submission": "b", "reports": "c", "name": "d"}',
        b'{"design": "a", "submission": "b", "reports": 1}',
        b'{"design": "a", "submission": "b", "reports": ["c"]}',
        b'{"design": "a", "submission": "b", "reports": null}',
        b'{"design": "a", "submission": "b", "reports": NaN}',
        b'{"design": "a", "design": "a", "submission": "b", "reports": "c"}',
        b'{"design": "a", "submission": "b", "reports": "c"}{}',
        b"[" * 4000,
        b'{"design":' * 400,
        b"9" * 4000,
        b"\xff\xfe{\x00}\x00",
        b"\xef\xbb\xbf{}",
        b"q1=0&q2=1",
    ],
)
def test_it_parses_nothing_but_one_flat_object(body):
    with pytest.raises((ValueError, RecursionError)):
        parse(body, FIELDS)


def test_a_pick_is_read_by_look_up_only():
    pick = Pick(1, options=2, name="q1", written="01d")
    assert [pick.clean("0"), pick.clean("1")] == [0, 1]


@pytest.mark.parametrize(
    "raw", ["", None, "2", "-1", "00", " 1", "\u0660", "Yes", ["0"], 0]
)
def test_a_pick_refuses_without_repeating_the_value(raw):
    with pytest.raises(Exception, match=r"^\['Choose one\.'\]$") as caught:
        Pick(1, options=2, name="q1", written="01d").clean(raw)
    assert caught.value.__cause__ is None


@pytest.mark.parametrize("mode", ["server", "hand"])
def test_the_plain_form_counts_answers_or_outcomes(design, mode):
    wide = replace(design.questions[0], choices=("Yes", "No", "Prefer not to answer"))
    form = PlainForm(replace(design, mode=mode, questions=(wide,)), {})
    assert len(form.picks[0].positions) == (3 if mode == "server" else 2)
