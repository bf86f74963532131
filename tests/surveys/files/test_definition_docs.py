"""docs/reference/survey-format.md is kept true by reading what it shows."""

import json
import re
from pathlib import Path

import pytest
from django.conf import settings

from candor.files.table import FileError
from surveys.files.definition import (
    FORMAT,
    MAX_BYTES,
    QUESTION_KEYS,
    STUDY_KEYS,
    SURVEY_KEYS,
    store_definition,
    write_definition,
)
from surveys.files.read import read_definition
from surveys.models import Survey
from tests.factories import make_user

pytestmark = pytest.mark.django_db

PAGE = (
    Path(__file__).parents[3] / "docs" / "reference" / "survey-format.md"
).read_text("utf-8")
(EXAMPLE,) = re.findall(r"^```json\n(.*?)^```$", PAGE, re.M | re.S)
PROBLEMS = PAGE.partition("## When something is wrong")[2].split("```\n")[1]


def keys_of(table):
    (rows,) = re.findall(rf"^\| key of {table} .*?\n\|[-|]+\n((?:\|.*\n)+)", PAGE, re.M)
    return re.findall(r"^\| `(\w+)`", rows, re.M)


def test_the_documented_example_round_trips_unchanged():
    assert write_definition(
        store_definition(read_definition(EXAMPLE), make_user())
    ) == (EXAMPLE)


def test_the_documentation_lists_every_key_in_order():
    assert keys_of("the survey") == list(SURVEY_KEYS)
    assert sorted(keys_of("a question")) == sorted(QUESTION_KEYS)
    for key in STUDY_KEYS:
        assert f"`{key}`" in PAGE


def test_the_documentation_lists_all_languages():
    (row,) = re.findall(r"^\| `language` \| (.*?) \|", PAGE, re.M)
    assert sorted(re.findall(r"`(\w+)`", row)) == sorted(dict(settings.LANGUAGES))


def test_documented_defaults_match_the_code():
    described = {"title": "A", "questions": [{"text": "B?"}]}
    copy = store_definition(read_definition(json.dumps(described)), make_user())
    written = json.loads(write_definition(copy))
    rows = re.findall(r"^\| `(\w+)` \|.*\| `?(.+?)`? \|$", PAGE, re.M)
    for key, left_out in rows:
        value = written.get(key, written["questions"][0].get(key))
        if left_out in {"null", "false"} or left_out.isdecimal():
            assert value == json.loads(left_out), key
        elif left_out == "empty":
            assert value == "", key
        elif " " not in left_out and left_out not in {"needed", "none"}:
            assert value == left_out, key
    assert len(rows) == len(SURVEY_KEYS) + len(QUESTION_KEYS)


def test_documented_problems_match_the_example_with_three_errors():
    broken = json.loads(EXAMPLE)
    broken["mode"] = "fax"
    broken["questions"][1]["parameters"]["epsilon"] = "0"
    broken["questions"][1]["choices"][2] = ""
    with pytest.raises(FileError) as refused:
        read_definition(json.dumps(broken))
    assert sorted(refused.value.problems) == sorted(PROBLEMS.splitlines())
    assert not Survey.objects.exists()


def test_documented_limits_match_the_code():
    assert f"{MAX_BYTES:,} bytes" in PAGE
    assert f"| `format` | {FORMAT}:" in PAGE
