from pathlib import Path

import pytest

from candor import intervals as maths
from candor.mechanisms import load_families
from estimation.files import methods
from estimation.files.methods import REFERENCES, cited_in, methods_text
from estimation.presentation.methods import METHODS
from estimation.rows.shares import get_results
from tests.estimation.exports.exported import make_sealed

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_minimum_responses")]


def text_of(survey, **chosen):
    """Return the section with ordinary spaces."""
    text = methods_text(get_results(survey, **chosen))
    return text.replace("\N{NO-BREAK SPACE}", " ")


class TestText:
    def test_an_unknown_family_has_no_source(self, monkeypatch):
        survey = make_sealed({b"\0": 1}, ["coin"])
        monkeypatch.setattr("estimation.files.methods.load_families", dict)
        assert "Source:" not in text_of(survey)


def test_every_interval_method_has_a_name():
    assert list(METHODS) == list(maths.METHODS)


class TestReferences:
    # A direct question has no reference.
    @pytest.mark.parametrize("family", [*load_families()])
    def test_the_source_of_every_family_is_a_reference(self, family):
        asked = load_families()[family]
        assert cited_in([asked.source]) or not asked.is_protected

    def test_every_entry_of_the_file_is_read_with_its_fields(self):
        written = Path(methods.__file__).with_name("references.bib").read_text("utf-8")
        assert "\n\n".join(each.bibtex for each in REFERENCES) + "\n" == written
        for reference in REFERENCES:
            assert len(reference.fields) == reference.bibtex.count("\n") - 1
            assert {"author", "title", "year"} < set(reference.fields)
            assert reference.text.endswith(".")

    def test_bibtex_entries_have_balanced_braces_and_plain_letters(self):
        for reference in REFERENCES:
            entry = reference.bibtex
            assert entry.count("{") == entry.count("}")
            assert not set(entry) & set("&%$#_~^\\")
