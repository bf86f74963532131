"""archives.md describes every key and column, and states the digests."""

import re
from dataclasses import fields

from candor.mechanisms import build
from respondents.imports.archives import rows
from respondents.imports.archives.archive import INSTALL, Archive
from respondents.storage.sealed_tally import MAX_COUNT
from surveys.design import parse_design
from surveys.models import Survey
from tests.docs.documents import DOCS, PROJECT, text_of

PAGE = text_of(DOCS / "administrators" / "archives.md")
LARGE = text_of(DOCS / "administrators" / "large-sites.md")


def test_every_key_of_the_design_is_described_in_its_order():
    table = PAGE.split("`design.json`:")[1]
    text = re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)
    assert text == [each.name for each in fields(Archive)]


def test_every_column_is_described_with_its_type():
    question = {
        "text": "", "innocuous_question": "", "choices": [],
        "table": build("coin").to_dict(),
    }  # fmt: skip
    definition = {**dict.fromkeys(Survey.DEFINED, ""), "questions": [question] * 2}
    design = parse_design(definition, survey_id=0, digest="", is_rehearsal=False)
    text = re.findall(r"^\| (`q1`, `q2`|`count`).*\| `(\w+)` \|", PAGE, re.MULTILINE)
    kinds = {name: kind for names, kind in text for name in re.findall(r"\w+", names)}
    assert kinds == rows.list_types(design)


def test_documented_limits_and_installation_match_the_code():
    assert f"above 10^{len(str(MAX_COUNT)) - 1}" in PAGE
    for extra in ("archives", "spark"):
        assert INSTALL.format(extra) in PAGE + LARGE
        assert (PROJECT / f"requirements-{extra}.txt").exists()
