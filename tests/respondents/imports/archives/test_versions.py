"""Two versions of one survey: merged where every report means the same."""

import json

import pytest
from django.conf import settings
from django.core.management import CommandError
from django.db import transaction

from candor.mechanisms.draws import NOT_ASKED
from estimation.files.codebook import list_variables, serialize_codebook
from estimation.files.estimates import serialize_survey
from estimation.files.methods import methods_text
from estimation.presentation.survey import SurveyPanel
from estimation.rows.shares import get_results
from respondents.imports.archives.archive import read_archive
from respondents.models import SealedPattern
from surveys.design import get_design
from surveys.frozen import compute_digest
from surveys.log import find_entries, translate_entry
from surveys.models import Survey
from tests.archives import archived, change, elsewhere, run
from tests.factories import make_survey, make_user

pytestmark = pytest.mark.django_db

THREE = ("k_ary", {"epsilon": 1, "choices": 3})
TWO = {"forced_yes": "1/6", "forced_no": "1/3"}
SWAPPED = {"forced_yes": "1/3", "forced_no": "1/6"}


@pytest.fixture(autouse=True)
def owner():
    return make_user()


def question(text, choices, family="coin", parameters=None, **fields):
    return {
        "text": text, "choices": choices, "family": family,
        "parameters": parameters or {}, **fields,
    }  # fmt: skip


HABITS = question("How often?", ["Never", "Seldom", "Often"], *THREE)
COPIED = question("Did you copy?", ["Yes", "No"])
HOW_OFT = question("Wie oft?", ["Selten", "Nie", "Oft"], *THREE)
KOPIERT = question("Haben Sie abgeschrieben?", ["Ja", "Nein"])
SAME = ("1=2", "2=1:2,1,3")


WRITTEN = {}
"""Files of archives that a test has written, for others that want the same."""


def archive_of(folder, questions, counts, **fields):
    """Write an archive of a survey that this database then forgets."""
    asked = repr((questions, counts, fields, settings.LEAST_RESPONSES))
    if asked not in WRITTEN:
        write_archive(folder, questions, counts, fields)
        WRITTEN[asked] = {each.name: each.read_bytes() for each in folder.iterdir()}
    folder.mkdir(exist_ok=True)
    for name, content in WRITTEN[asked].items():
        (folder / name).write_bytes(content)
    return folder


def write_archive(folder, questions, counts, fields):
    with transaction.atomic():
        survey = make_survey(questions, counts=counts, closed=True, **fields)
        archived(survey, folder)
        transaction.set_rollback(True)


def english(folder, questions=(COPIED, HABITS), counts=None, **fields):
    counts = counts or {b"\0\0": 40, b"\1\2": 30}
    return archive_of(folder / "english", questions, counts, **fields)


def german(folder, questions=(HOW_OFT, KOPIERT), counts=None, **fields):
    counts = counts or {b"\0\0": 20, b"\1\0": 7, b"\2\1": 5}
    fields = {"title": "Lerngewohnheiten", "language": "de", **fields}
    return archive_of(folder / "german", questions, counts, **fields)


def merge(*folders, same=SAME):
    shown = run("merge", "both", *folders, "--same", *same)
    return Survey.objects.get(), shown


def refused(message, *folders, same=SAME):
    with pytest.raises(CommandError, match=f"(?s)Nothing was stored.*{message}"):
        merge(*folders, same=same)
    assert not Survey.objects.exists()
    assert not SealedPattern.objects.exists()


def test_merged_reports_use_the_coding_of_the_first_version(tmp_path):
    """Selten, Nie and Oft of the other are Seldom, Never and Often."""
    survey, _shown = merge(english(tmp_path), german(tmp_path))
    assert SealedPattern.objects.counts(survey) == {
        b"\0\0": 40 + 7,
        b"\0\1": 20,
        b"\1\2": 30 + 5,
    }
    assert [each.text for each in survey.questions.all()] == [
        "Did you copy?",
        "How often?",
    ]
    results = get_results(survey)
    assert results.respondents == 102
    assert dict(results.questions[1].report_counts) == {"1": 47, "2": 20, "3": 35}


def test_merged_versions_are_named_in_all_outputs(tmp_path):
    folders = english(tmp_path), german(tmp_path)
    digests = [read_archive(each).design_digest for each in folders]
    survey, _shown = merge(*folders)
    named = f"“Lerngewohnheiten” (de, {digests[1][:12]}…, 1=2 2=1:2,1,3)"
    results = get_results(survey)
    assert any(named in each.text for each in SurveyPanel(results).cautions)
    assert named in methods_text(results)
    codebook = serialize_codebook(list_variables(survey))
    assert any(named in line for line in codebook["note"])
    assert [each["design_digest"] for each in codebook["merged_versions"]] == digests
    assert any(named in each for each in map(sentence, find_entries(survey)))
    assert serialize_survey(results)["merged_versions"] == survey.merged_versions
    # The digest names them, so no one can drop them later.
    assert survey.definition()["merged_versions"] == survey.merged_versions
    assert [each.title for each in get_design(survey).merged_versions] == [
        "Study habits",
        "Lerngewohnheiten",
    ]


def sentence(entry):
    return " ".join(translate_entry(entry))


def test_a_merged_survey_can_be_archived_and_merged_again(tmp_path):
    survey, _shown = merge(english(tmp_path), german(tmp_path))
    both = archived(survey, tmp_path / "both")
    analysed = json.loads(run("analyse", both, "--questions", 2))
    assert analysed["merged_versions"] == survey.merged_versions
    sealed = dict(SealedPattern.objects.counts(survey))
    run("merge", "again", both)
    again = Survey.objects.get(slug="again")
    assert again.merged_versions == survey.merged_versions
    assert SealedPattern.objects.counts(again) == sealed
    french = archive_of(
        tmp_path / "french",
        (question("Copié ?", ["Oui", "Non"]), question("?", ["a", "b", "c"], *THREE)),
        {b"\1\1": 19},
        language="fr",
    )
    run("merge", "three", both, french, "--same", "1=1", "2=2")
    three = Survey.objects.get(slug="three")
    assert [each["language"] for each in three.merged_versions] == ["en", "de", "fr"]
    assert SealedPattern.objects.counts(three) == {**sealed, b"\1\1": 19}


@pytest.mark.parametrize("wrong", [[{}], [{"title": "x"}], "de", [1], {"a": 1}])
def test_a_design_with_invalid_merged_versions_is_rejected(tmp_path, wrong):
    folder = elsewhere(tmp_path / "north", {b"\0": 40}, ("coin",), draws="")
    design = {**read_archive(folder).design, "merged_versions": wrong}
    change(folder, design=design, design_digest=compute_digest(design))
    with pytest.raises(CommandError, match="this is no design of a survey"):
        run("merge", "both", folder)


def test_swapped_answers_need_a_swapped_table(tmp_path):
    """The probabilities of yes and no have to be swapped as their answers are."""
    asked = question("Did you copy?", ["Yes", "No"], "forced_response", TWO)
    swapped = question("Ehrlich?", ["Nein", "Ja"], "forced_response", SWAPPED)
    folders = [
        english(tmp_path, [asked], {b"\0": 40, b"\1": 30}),
        german(tmp_path, [swapped], {b"\0": 20, b"\1": 7}),
    ]
    refused(
        r"tables of questions 1 and 1 differ: P\(yes \| “Yes”\) is 2/3 and 5/6",
        *folders,
        same=["1=1"],
    )
    survey, _shown = merge(*folders, same=["1=1:2,1"])
    assert SealedPattern.objects.counts(survey) == {b"\0": 47, b"\1": 50}


SCALE = question("How much?", None, "grid", {"epsilon": 1, "points": 4})
ONE_BIT = question("How much?", None, "one_bit", {"epsilon": 1, "points": 4})


def on_scale(asked, low, high):
    return {**asked, "text": "Wie viel?", "scale": {"low": low, "high": high}}


@pytest.mark.parametrize("scale", [SCALE, ONE_BIT])
def test_scales_are_merged_where_their_values_are_equal(tmp_path, scale):
    first = english(tmp_path, [scale], {b"\0": 40, b"\1": 30})
    equal = german(tmp_path, [on_scale(scale, "0", "3")], {b"\0": 20})
    refused("points of a scale stay in order", first, equal, same=["1=1:4,3,2,1"])
    higher = archive_of(tmp_path / "higher", [on_scale(scale, "1", "4")], {b"\0": 20})
    refused(
        "Question 1: 0 to 3. Question 1 of the other survey: 1 to 4",
        first,
        higher,
        same=["1=1"],
    )
    survey, _shown = merge(first, equal, same=["1=1"])
    assert SealedPattern.objects.counts(survey)[b"\0"] == 60


@pytest.mark.parametrize(
    ("same", "message"),
    [
        (["2=1"], "question 1 has no counterpart; give 1=NUMBER"),
        (["1=2", "2=1", "1=1"], "question 1 is named twice"),
        (["1=2", "2=2"], "question 2 of the other is named twice"),
        (["1=2", "2=3"], "There is no question 3 in the other survey"),
        (["1=2", "3=1"], "There is no question 3."),
        (["1=2"], "question 2 has no counterpart; give 2=NUMBER"),
        (["1=2", "2=1", "3=3"], "There is no question 3."),
        (
            ["1=1", "2=2"],
            "Question 1: 2 answers. Question 1 of the other survey: 3 answers",
        ),
        (["1=2", "2=1:1,1,3"], "Question 2: assign each answer, 1 to 3"),
        (["1=2", "2=1:1,2"], "Question 2: assign each answer, 1 to 3"),
        (["1=2", "2=1:0,1,2"], "Question 2: assign each answer, 1 to 3"),
    ],
)
def test_questions_that_are_not_one_to_one_are_refused(tmp_path, same, message):
    refused(message, english(tmp_path), german(tmp_path), same=same)


@pytest.mark.parametrize("same", ["1", "1=", "1=1:", "1=1:2,", "1=1:2 1", "a=1", "²=1"])
def test_an_invalid_mapping_notation_is_rejected(tmp_path, same):
    with pytest.raises(CommandError, match="must be such as 2=3 or 2=3:2,1; got"):
        merge(english(tmp_path), same=[same])


def test_a_question_asked_by_one_version_only_is_reported(tmp_path):
    more = question("Noch etwas?", ["Ja", "Nein"])
    asked = german(tmp_path, (HOW_OFT, KOPIERT, more), {b"\0\0\0": 20})
    refused(
        "question 3 of the other version has no counterpart", english(tmp_path), asked
    )
    with pytest.raises(CommandError, match="question 3 has no counterpart"):
        run("merge", "both", asked, tmp_path / "english", "--same", "1=2:2,1,3", "2=1")


def test_other_methods_strengths_and_modes_are_refused(tmp_path):
    first = english(tmp_path, [COPIED], {b"\0": 40})
    for name, asked, fields, text in (
        (
            "family",
            question("x", None, "warner", {"p": "3/4"}),
            {},
            "of the other survey: warner",
        ),
        ("strength", question("x", None, "die"), {}, "of the other survey: die"),
        ("mode", question("x", None), {"mode": "hand"}, "the modes differ: browser"),
    ):
        other = archive_of(tmp_path / name, [asked], {b"\0": 20}, **fields)
        refused(text, first, other, same=["1=1"])
    weak, strong = (
        question("x", None, "epsilon", {"epsilon": each}) for each in (1, 2)
    )
    folders = [
        archive_of(tmp_path / str(place), [each], {b"\0": 20})
        for place, each in enumerate((weak, strong))
    ]
    refused("The tables of questions 1 and 1 differ", *folders, same=["1=1"])


DRAWN = [question(f"Question {each}?", None) for each in range(3)]
GEZOGEN = [question(f"Frage {each}?", None) for each in range(3)]


def test_versions_must_draw_the_same_questions(tmp_path):
    none = NOT_ASKED
    first = english(tmp_path, DRAWN, {bytes([0, none, 1]): 40}, draws="1 of 1, 2")
    other = german(tmp_path, GEZOGEN, {bytes([1, 0, none]): 20}, draws="1 of 2, 3")
    refused("draw different questions", first, other, same=["1=1", "2=2", "3=3"])
    survey, _shown = merge(first, other, same=["1=2", "2=3", "3=1"])
    assert SealedPattern.objects.counts(survey) == {bytes([0, none, 1]): 60}


def test_a_tick_list_does_not_merge_with_drawn_questions(tmp_path):
    boxes = [{**DRAWN[0], "tick_list": "Which?"}, *DRAWN[1:]]
    counts = {bytes([0, NOT_ASKED, 1]): 40}
    first = english(tmp_path, boxes, counts, draws="1 of 1, 2")
    other = german(tmp_path, GEZOGEN, counts, draws="1 of 1, 2")
    refused(
        "draw different questions, or tick lists",
        first,
        other,
        same=["1=1", "2=2", "3=3"],
    )
    kisten = [{**GEZOGEN[0], "tick_list": "Welche?"}, *GEZOGEN[1:]]
    ticked = archive_of(tmp_path / "ticked", kisten, counts, draws="1 of 1, 2")
    survey, _shown = merge(first, ticked, same=["1=1", "2=2", "3=3"])
    assert SealedPattern.objects.counts(survey)[bytes([0, NOT_ASKED, 1])] == 80


def with_condition(first, then, **conditions):
    return [first, {**then, **conditions}]


def test_skip_logic_has_to_be_the_same_after_the_mapping(tmp_path):
    asked = with_condition(HABITS, COPIED, show_if="1 is not Never")
    first = english(tmp_path, asked, {b"\0\1": 40})
    for name, conditions, text in (
        ("other", {"show_if": "1 ist nicht Oft"}, "differ in the condition"),
        ("none", {}, "differ in the condition"),
        (
            "hidden",
            {"show_if": "1 ist nicht Nie", "answer_if_hidden": "Ja"},
            "differ in the answer with which it counts",
        ),
    ):
        questions = with_condition(HOW_OFT, KOPIERT, **conditions)
        other = archive_of(tmp_path / name, questions, {b"\0\0": 20}, language="de")
        refused(text, first, other, same=["1=1:2,1,3", "2=2"])
    questions = with_condition(HOW_OFT, KOPIERT, show_if="1 ist nicht Nie")
    other = german(tmp_path, questions, {b"\1\1": 20})
    survey, _shown = merge(first, other, same=["1=1:2,1,3", "2=2"])
    assert SealedPattern.objects.counts(survey) == {b"\0\1": 60}


def test_declining_to_answer_maps_only_to_declining(tmp_path):
    declined = question("x", ["Yes", "No", "Prefer not to answer"], *THREE)
    gesagt = question("y", ["Ja", "Nein", "Keine Angabe"], *THREE)
    first = english(tmp_path, [declined], {b"\0": 40})
    other = german(tmp_path, [gesagt], {b"\2": 20})
    refused("“Prefer not to answer”", first, other, same=["1=1:1,3,2"])
    survey, _shown = merge(first, other, same=["1=1"])
    assert SealedPattern.objects.counts(survey) == {b"\0": 40, b"\2": 20}


def test_only_two_versions_are_merged_at_a_time(tmp_path):
    folders = english(tmp_path), german(tmp_path)
    third = archive_of(tmp_path / "third", (HOW_OFT, KOPIERT), {b"\0\0": 19})
    refused("merge two versions at a time", *folders, third)
    refused("--same: all archives have the same design", folders[0])
    # Without a mapping another design stays another design.
    with pytest.raises(CommandError, match="design_digest: must be"):
        run("merge", "both", *folders)


def test_the_stricter_group_sizes_apply_after_merging(tmp_path, settings):
    first = english(tmp_path, batch_size=20)
    settings.LEAST_RESPONSES = 30
    other = german(tmp_path, batch_size=50)
    survey, _shown = merge(first, other)
    assert (survey.least_responses, survey.batch_size) == (30, 50)
    assert get_design(survey).group_sizes.least_responses == 30


class TestPlans:
    def plans(self, tmp_path, first, other):
        return (
            english(tmp_path, shares_to_beat=first, pinned_level="0.9"),
            german(tmp_path, shares_to_beat=other, pinned_level="0.9"),
        )

    def test_an_equal_analysis_plan_is_kept(self, tmp_path):
        """The first answer to question 2 is the second to the other's question 1."""
        folders = self.plans(tmp_path, "2 > 20, 1 < 60", "2 < 60; 1.2 > 20")
        survey, shown = merge(*folders)
        assert survey.shares_to_beat == "2 > 20, 1 < 60"
        assert survey.plan_attested_by == "localhost"
        assert "left out" not in shown

    @pytest.mark.parametrize("other", ["2 < 60; 1 > 20", "", "2 < 60"])
    def test_another_plan_is_left_out(self, tmp_path, other):
        survey, shown = merge(*self.plans(tmp_path, "2 > 20, 1 < 60", other))
        assert not survey.has_analysis_plan
        assert "the two versions do not plan the same analysis" in shown


def test_questions_with_the_same_text_are_mapped_automatically(tmp_path):
    """Another introduction makes another design of the same questions."""
    other = archive_of(
        tmp_path / "other", (HABITS, COPIED), {b"\2\1": 19}, purpose="To find out."
    )
    survey, _shown = merge(english(tmp_path), other, same=["1=2"])
    assert SealedPattern.objects.counts(survey)[b"\1\2"] == 49


def test_answers_that_end_the_survey_have_to_be_the_same(tmp_path):
    direct = question("Are you 18?", ["Yes", "No"], "direct")
    alter = question("Sind Sie 18?", ["Nein", "Ja"], "direct")
    first = english(tmp_path, [{**direct, "ends_if": "No"}, COPIED], {b"\0\1": 40})
    other = german(tmp_path, [{**alter, "ends_if": "Ja"}, KOPIERT], {b"\0\1": 20})
    refused("the answers that end the survey", first, other, same=["1=1:2,1", "2=2"])
