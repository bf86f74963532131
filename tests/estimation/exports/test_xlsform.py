"""The form for ODK and KoboToolbox, read by pyxform, and the files they export."""

import csv
import re
from io import BytesIO, StringIO
from xml.etree import ElementTree as ET

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from pyxform.xls2xform import convert

from candor.mechanisms import load_families
from respondents.models import SealedPattern
from surveys.models import Membership, Role, Survey
from tests.factories import make_multilingual_survey, make_survey, make_user

pytestmark = pytest.mark.django_db

FORCED = ("forced_response", {"forced_yes": "1/6", "forced_no": "1/6"})
CROSSWISE = ("crosswise", {"prevalence": "1/4"})
KUK = ("kuk", {"p_red_given_yes": "4/5", "p_red_given_no": "1/5"})

NAMESPACES = {"x": "http://www.w3.org/2002/xforms", "h": "http://www.w3.org/1999/xhtml"}


def make_hand(questions=("coin", FORCED, CROSSWISE, KUK), **fields):
    fields = {"mode": "hand", "opened": False, **fields}
    survey = make_survey(questions, **fields)
    for question in survey.questions.all() if survey.is_draft else ():
        question.innocuous_question = "Is it her birthday in spring?"
        question.save()
    return survey


def address_of(survey):
    return reverse("admin:estimation_xlsform", args=[survey.pk])


class Form:
    """The form that pyxform makes of the file."""

    def __init__(self, client, survey):
        client.force_login(survey.owner)
        answer = client.get(address_of(survey))
        assert answer["Content-Disposition"].endswith(f'"{survey.slug}-xlsform.xlsx"')
        self.read = convert(BytesIO(answer.getvalue()), file_type=".xlsx")
        self.root = ET.fromstring(self.read.xform)  # noqa: S314 - ours

    def paths(self):
        """Return the paths of questions, without the name of the form."""
        nodes = self.root.iterfind(".//x:bind", NAMESPACES)
        return [node.get("nodeset").removeprefix("/data/") for node in nodes]

    def types(self):
        return {
            node.get("nodeset").removeprefix("/data/"): node.get("type")
            for node in self.root.iterfind(".//x:bind", NAMESPACES)
        }

    def choices(self, number):
        """Return names and labels of a question's choices."""
        (listed,) = self.root.iterfind(
            f".//x:instance[@id='reports_{number}']", NAMESPACES
        )
        return [
            (
                item.find("x:name", NAMESPACES).text,
                item.find("x:label", NAMESPACES).text,
            )
            for item in listed.iterfind(".//x:item", NAMESPACES)
        ]

    def texts(self):
        found = self.root.find("h:body", NAMESPACES).itertext()
        return " ".join(" ".join(found).split())


@pytest.fixture
def form(client):
    return Form(client, make_hand())


def test_it_asks_for_outcomes_only(form):
    assert [w for w in form.read.warnings if "language" not in w] == []
    asked = {path: kind for path, kind in form.types().items() if kind != "string"}
    assert set(form.types()) == {
        "about",
        "protection",
        *(f"question_{n}/steps_{n}" for n in range(1, 5)),
        *(f"question_{n}/q{n}" for n in range(1, 5)),
        "meta/instanceID",
    }
    # Metadata that forms can collect: time, place, device, person.
    assert set(asked.values()) <= {None}
    for word in ("deviceid", "starttime", "geopoint", "username", "jr:preload="):
        assert word not in form.read.xform.replace('jr:preload="uid"', "")


def test_consent_is_required_and_a_background_question_has_no_steps(client):
    form = Form(client, make_hand(["direct", "coin"], consent="I am **18**."))
    assert {"q1", "question_2/q2"} <= set(form.paths())
    assert "question_1/steps_1" not in form.paths()
    assert "Not scrambled: we store this answer as it is" in form.texts()
    assert "I am 18." in form.texts()
    (node,) = form.root.iterfind(".//x:bind[@nodeset='/data/consent']", NAMESPACES)
    assert node.get("required") == "true()"


def test_forms_evaluate_conditions_on_direct_answers(client):
    fourth = {"family": "direct", "show_if": "1 is No and not 1 is Yes"}
    conditional = [{"show_if": "1 is Yes"}, {"show_if": "2 is Yes"}, fourth]
    survey = make_hand(["direct", *conditional])
    form = Form(client, survey)
    relevant = {
        node.get("nodeset"): node.get("relevant")
        for node in form.root.iterfind(".//x:bind[@relevant]", NAMESPACES)
    }
    first = "/data/q1"
    assert relevant == {
        "/data/question_2": f"( {first}  = 'yes')",
        "/data/q4": f"(( {first}  = 'no') and ( {first}  = 'no'))",
    }
    # No one enters an answer to question 2, so question 3 states whom it is for.
    assert form.texts().count("This question is for you if your answer to") == 1
    # pyxform straightens quotation marks.
    assert 'do the steps as if your answer were "No"' in form.texts()


HOSTILE = [
    "${q1} or ${nothing} <b>&amp;</b> </label>",
    "=1+1",
    "{{ x }} %(yes)s %s\none\ttab"
    " \N{LEFT SINGLE QUOTATION MARK}quotes\N{RIGHT DOUBLE QUOTATION MARK} 'of' \"all\"",
    "\N{RIGHT-TO-LEFT OVERRIDE}شكرا" * 30,
]


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_texts_do_not_change_the_form(client, text):
    survey = make_hand(["coin"], title=text[:200], purpose=text, contact=text[:200])
    survey.questions.update(text=text)
    survey.questions.get().set_choices([text[:100], "No"])
    form = Form(client, survey)
    assert "question_1/q1" in form.paths()
    assert [name for name, _label in form.choices(1)] == ["yes", "no"]
    assert "<output" not in form.read.xform


def as_kobotoolbox(paths, rows):
    """Semicolons, "group/name" and extra columns."""
    extra = ["start", "_id", "_uuid", "_submission_time", "_validation_status"]
    return written(
        [*paths, *extra], rows, ";", lambda row: [*row, "t", 7, "u", "t", ""]
    )


def as_odk(paths, rows):
    """Commas, "group-name" and extra columns."""
    names = ["SubmissionDate", *(path.replace("/", "-") for path in paths), "KEY"]
    return written(names, rows, ",", lambda row: ["2026-05-01T10:00", *row, "uuid:1"])


def as_labels(paths, rows):
    """KoboToolbox with labels instead of names."""
    labels = {"yes": "Ja", "no": "Nein", "same": "Gleich", "different": "Verschieden"}
    labels |= {"red": "Rot", "black": "Schwarz"}
    names = [
        re.sub(r".*\bq(\d)$", r"\1. Sensitive question \1?", path) for path in paths
    ]
    return written(
        names, rows, ";", lambda row: [labels.get(cell, cell) for cell in row]
    )


def written(names, rows, separator, whole):
    file = StringIO()
    writer = csv.writer(file, delimiter=separator)
    writer.writerow(names)
    writer.writerows(whole(row) for row in rows)
    return file.getvalue()


@pytest.mark.parametrize("write", [as_kobotoolbox, as_odk, as_labels])
def test_collected_phone_data_are_imported_without_mapping(client, write):
    survey = make_hand(language="de")
    form = Form(client, survey)
    reports = {
        f"question_{n}/q{n}": [name for name, _label in form.choices(n)]
        for n in range(1, 5)
    }
    rows = [
        [reports[path][pick] if path in reports else "note" for path in form.paths()]
        for pick in (0, 1, 1)
    ]
    rows.append(["" for _path in form.paths()])
    sent = write(form.paths(), rows)
    page = reverse("admin:estimation_import")

    def hand_in(**more):
        file = SimpleUploadedFile("sent.csv", sent.encode())
        return client.post(page, {"reports": file, "asked": survey.pk, **more})

    checked = hand_in()
    assert checked.status_code == 200
    text = checked.content.decode()
    assert "Everything can be read" in text
    assert "<code>meta" in text
    fingerprint = re.search(r'name="checked"\s+value="(\w{64})"', text)[1]
    assert hand_in(checked=fingerprint).status_code == 302
    imported = Survey.objects.exclude(pk=survey.pk).get()
    assert SealedPattern.objects.counts(imported) == {
        b"\0\0\0\0": 1,
        b"\1\1\1\1": 2,
        b"\xff\xff\xff\xff": 1,
    }


def test_every_family_usable_by_hand_has_a_form(client):
    asked = {}
    for family in load_families().values():
        given = {each.name: each.example for each in family.parameters}
        if family.instruction(given) is not None:
            asked[family] = (family.identifier, given)
    form = Form(client, make_hand([*asked.values()]))
    for number, family in enumerate(asked, start=1):
        codes = [code for code, _label in form.choices(number)]
        assert codes == list(family.reports)


class TestWhoGetsIt:
    def test_viewers_can_download_the_form_and_strangers_cannot(self, client):
        survey = make_hand()
        viewer, stranger = make_user("viewer"), make_user("stranger")
        Membership.objects.create(survey=survey, user=viewer, role=Role.VIEWER)
        client.force_login(viewer)
        assert client.get(address_of(survey)).getvalue()
        client.force_login(stranger)
        assert client.get(address_of(survey)).status_code == 404

    def test_other_modes_have_no_form(self, client):
        survey = make_survey()
        client.force_login(survey.owner)
        assert client.get(address_of(survey)).status_code == 404

    def test_questions_that_a_form_cannot_ask_are_named(self, client):
        survey = make_hand([("grid_skip", {"epsilon": "1", "points": "5"})])
        client.force_login(survey.owner)
        answer = client.get(address_of(survey), follow=True)
        assert "does not work by hand" in answer.content.decode()
        survey.questions.all().delete()
        assert client.get(address_of(survey)).status_code == 302

    def test_a_survey_with_drawn_questions_has_no_form(self, client):
        survey = make_hand(["coin", "coin"], draws="1 of 1, 2")
        client.force_login(survey.owner)
        answer = client.get(address_of(survey), follow=True)
        assert "cannot draw exactly which questions" in answer.content.decode()


def test_it_has_a_column_for_each_language(client):
    survey = make_multilingual_survey(
        [{"hint": "Think of a year."}, FORCED],
        mode="hand",
        opened=False,
        helpline="Someone to talk to",
    )
    form = Form(client, survey)
    itext = {
        each.get("lang"): [
            value.text or "" for value in each.iterfind(".//x:value", NAMESPACES)
        ]
        for each in form.root.iterfind(".//x:translation", NAMESPACES)
    }
    assert set(itext) == {"English (en)", "العربية (ar)", "Deutsch (de)"}
    assert "Ja" in itext["Deutsch (de)"]
    assert "Yes" in itext["English (en)"]
    assert len({len(texts) for texts in itext.values()}) == 1
    assert any(
        "Sensitive question 2? in German" in text for text in itext["Deutsch (de)"]
    )
