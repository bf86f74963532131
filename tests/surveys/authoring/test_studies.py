"""Complete studies: each opens as a sound draft, in every language it is written in."""

import json
import re

import pytest

from candor.mechanisms import load_families
from candor.planning.plan import plan
from surveys.authoring.checklist import make_checklist
from surveys.authoring.hints import find_hints
from surveys.authoring.studies import LANGUAGES, read_files, read_study
from surveys.files.definition import store_definition
from surveys.log import read_log
from surveys.models import Survey
from surveys.models.draws import read_draws
from surveys.models.epsilon import is_over_limit
from tests.factories import make_user
from tests.surveys.authoring.posted import text_of

NAMES = [
    "campus-integrity",
    "drug-use",
    "workplace-harassment",
    "doping",
    "medication",
    "class-demonstration",
]
STUDIES = "/admin/surveys/survey/studies/"

for_each_study = pytest.mark.parametrize("name", NAMES)
for_each_language = pytest.mark.parametrize("language", LANGUAGES)


def list_texts(written):
    """Yield the texts of a file, in all languages at once."""
    if isinstance(written, dict):
        if set(written) == set(LANGUAGES):
            yield written
        else:
            for each in written.values():
                yield from list_texts(each)
    elif isinstance(written, list):
        for each in written:
            yield from list_texts(each)


@for_each_study
def test_every_text_is_written_in_every_language(name):
    texts = list(list_texts(read_files()[name]))
    assert len(texts) > 8
    for text in texts:
        english, german = (text[language] for language in LANGUAGES)
        if isinstance(english, list):
            assert len(english) == len(german)
        else:
            assert english
            assert german
            assert english != german


@for_each_study
@for_each_language
def test_study_questions_cause_no_hints_and_have_a_reason(name, language):
    study = read_study(name, language)
    assert len(study.reasons) == len(study.definition.questions)
    assert all("\n" not in each and 30 < len(each) < 140 for each in study.reasons)
    for question in study.definition.questions:
        if not question.mechanism.is_scrambled:
            continue
        is_timeless = "scale" in question.mechanism.family
        hints = find_hints(
            question.text,
            language=language,
            is_yes_or_no=len(question.mechanism.answers) < 4,
            is_timeless=is_timeless,
        )
        assert [str(hint.message) for hint in hints] == [], question.text
        assert question.text.endswith("?")


@for_each_study
@for_each_language
def test_each_study_becomes_a_draft_that_lacks_only_the_organiser(db, name, language):
    definition = read_study(name, language).definition
    survey = store_definition(definition, make_user())
    assert survey.is_draft
    assert (survey.language, survey.organiser) == (language, "")
    missing = make_checklist(survey).missing
    assert [each.place for each in missing] == ["id_organiser"]
    assert not is_over_limit(survey.compose_reports())
    assert not survey.epsilon_reason
    assert survey.shares_to_beat or survey.pinned_pairs
    survey.organiser = "Institute of Examples"
    survey.save()
    survey.open()
    assert survey.is_open


@for_each_study
def test_the_planned_number_reaches_the_wanted_margin(name):
    definition = read_study(name, "en").definition
    groups = read_draws(definition.fields["draws"])
    for number, question in enumerate(definition.questions, start=1):
        chance = next((g.chance for g in groups if number in g.questions), 1)
        people = int(definition.fields["target"] * chance)
        margin = plan(question.mechanism, respondents=people).precision.margin
        family = load_families()[question.mechanism.family]
        width = len(question.mechanism.answers) - 1 if family.is_scale else 1
        wanted = float(definition.fields["wanted_margin"]) / 100
        assert margin / width <= wanted, question.text


@pytest.mark.parametrize("name", NAMES[:-1])
@for_each_language
def test_sensitive_questions_can_be_skipped_and_have_a_helpline(name, language):
    definition = read_study(name, language).definition
    assert definition.fields["helpline"]
    assert definition.fields["consent"].count("\n- ") > 4
    fixed = {"one_bit", "crosswise"}  # they have no answer to spare
    for question in definition.questions:
        if question.mechanism.family not in fixed:
            last = (question.choices or ["Prefer not to answer"])[-1]
            assert last in {"Prefer not to answer", "Keine Angabe"}


def test_one_click_makes_a_draft_of_a_study(client, db):
    assert list(read_files()) == NAMES
    owner = make_user()
    client.force_login(owner)
    page = text_of(client.get(STUDIES))
    assert page.count('name="language" value="de">') == len(NAMES)
    for sent in {}, {"study": "none", "language": "en"}:
        assert client.post(STUDIES, sent).status_code == 200
    answer = client.post(STUDIES, {"study": "doping", "language": "de"})
    survey = Survey.objects.get()
    assert answer["Location"] == f"/admin/surveys/survey/{survey.pk}/change/"
    assert (survey.owner, survey.title) == (owner, "Sauberer Sport")
    [line] = read_log(survey)
    assert line.what == ("Created from the study “Sauberer Sport”.",)
    page = text_of(client.get(STUDIES, headers={"Accept-Language": "de"}))
    assert "Ehrlichkeit im Studium" in page
    assert "Study and honesty" not in page


def test_numbers_in_reasons_match_the_study():
    written = json.dumps(read_files()["drug-use"])
    assert re.findall(r"adds up to ([\d.]+), not", written) == ["2.20"]
    assert read_study("drug-use", "en").total_epsilon == "2.20"
    campus = read_study("campus-integrity", "en")
    assert "1,200 people" in campus.reasons[1]
    assert campus.people == "1,200"
