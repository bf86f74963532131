import re
from pathlib import Path

import pytest

from candor import intervals as maths
from candor.mechanisms import load_families
from estimation.files import methods
from estimation.files.methods import (
    REFERENCES,
    methods_as_bibtex,
    methods_text,
    named_in,
)
from estimation.presentation.methods import METHODS
from estimation.rows.shares import get_results
from respondents.models import close
from tests.estimation.exports.exported import THREE, make_sealed

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.usefixtures("any_number_is_shown"),
]


def text_of(survey, **chosen):
    """The section with ordinary spaces."""
    text = methods_text(get_results(survey, **chosen))
    return text.replace("\N{NO-BREAK SPACE}", " ")


class TestText:
    @pytest.mark.parametrize("method", METHODS)
    def test_it_cites_the_chosen_interval_and_lists_the_work(self, method):
        survey = make_sealed()
        text = text_of(survey, method=method, confidence_level=0.9)
        kind = "credible" if method == "bayes" else "confidence"
        assert f"90 % {kind} intervals are {METHODS[method].citation}" in text
        (work,) = named_in(METHODS[method].citation)
        assert work.text in text.partition("References\n")[2]

    def test_a_direct_question_is_not_called_protected(self):
        text = text_of(make_sealed({b"\0\0": 1}, ["direct", "coin"]))
        assert "Question 1 was asked directly and not randomised." in text
        assert "arrive" not in text.partition("Coin flip")[0]
        alone = text_of(make_sealed({b"\0": 1}, ["direct"], slug="alone"))
        assert "Answers to" not in alone

    def test_it_warns_of_numbers_that_are_not_final_or_not_real(self):
        survey = make_sealed({b"\0": 1}, ["coin"], is_simulated=True)
        assert text_of(survey).startswith("SIMULATED")
        assert "INTERIM" in text_of(survey)
        close(survey)
        assert "INTERIM" not in text_of(survey)

    def test_a_family_whose_file_is_gone_has_no_source(self, monkeypatch):
        survey = make_sealed({b"\0": 1}, ["coin"])
        monkeypatch.setattr("estimation.files.methods.load_families", dict)
        assert "Source:" not in text_of(survey)


def test_every_interval_has_its_names_and_no_other():
    assert list(METHODS) == list(maths.METHODS)


class TestReferences:
    # A question asked directly is nobody's invention.
    @pytest.mark.parametrize("family", [*load_families()])
    def test_the_source_of_a_family_is_among_them(self, family):
        asked = load_families()[family]
        assert named_in(asked.source) or not asked.is_protected

    def test_a_work_is_listed_only_where_it_is_cited(self):
        text = text_of(make_sealed({b"\0": 1}, [THREE]))
        listed = text.partition("References\n")[2].splitlines()
        assert [work.partition(",")[0] for work in listed] == [
            "Feldman",
            "Kairouz",
            "van den Hout",
            "Warner",
        ]

    def test_bibtex_has_an_entry_for_each_with_a_key_of_its_own(self):
        keys = [reference.key for reference in REFERENCES]
        assert len(set(keys)) == len(keys)
        results = get_results(make_sealed())
        entries = re.findall(
            r"^@\w+\{(\w+),$", methods_as_bibtex(results), re.MULTILINE
        )
        listed = methods_text(results).partition("References\n")[2].splitlines()
        assert len(entries) == len(listed)
        assert "dworkroth2014" in entries

    def test_every_entry_of_the_file_is_read_with_its_fields(self):
        written = Path(methods.__file__).with_name("references.bib").read_text("utf-8")
        assert methods.format_bibtex(REFERENCES) == written
        for reference in REFERENCES:
            assert len(reference.fields) == reference.bibtex.count("\n") - 1
            assert {"author", "title", "year"} < set(reference.fields)
            assert reference.text.endswith(".")

    def test_braces_balance_and_no_letter_is_special_to_latex(self):
        for reference in REFERENCES:
            entry = reference.bibtex
            assert entry.count("{") == entry.count("}")
            assert not set(entry) & set("&%$#_~^\\")
