"""The limit of total epsilon: who needs a reason, and where it is kept and read."""

from decimal import Decimal

import pytest
from django.core.exceptions import ValidationError

from candor.mechanisms import load_families
from respondents.imports.examples import prepare
from surveys.authoring.checklist import make_checklist
from surveys.design import get_design
from tests.factories import make_survey, make_user

pytestmark = pytest.mark.django_db

REASON = "Only all ten answers together show what we want to learn."
EPSILON_1 = ("epsilon", {"epsilon": "1"})
NEEDED = (
    "Total epsilon is {}, above this site's limit of 5. Draw questions, strengthen "
    "protection, or give a reason."
)
NOT_NEEDED = "Total epsilon is within the limit of 5: delete the reason."

WITHIN = {
    "one coin": ["coin"],
    "four coins, 4.40": ["coin"] * 4,
    "the limit itself, from below": [EPSILON_1] * 5,
    "nothing scrambled": ["direct"] * 3,
    "direct questions next to scrambled ones": ["coin", *["direct"] * 9],
    "a tiny epsilon, 40 times": [("epsilon", {"epsilon": "1/100"})] * 40,
}
ABOVE = {
    "ten coins": (["coin"] * 10, "10.99"),
    "five coins": (["coin"] * 5, "5.50"),
    "ten coins next to a direct question": (["coin"] * 10 + ["direct"], "10.99"),
    "a little above the limit": (
        [EPSILON_1] * 5 + [("epsilon", {"epsilon": "1/100"})],
        "5.01",
    ),
    "one huge epsilon": ([("epsilon", {"epsilon": "10"})], "10.00"),
    "a report that is proof": ([("triangular", {"prevalence": "1/4"})], "∞"),
}


def make_draft(questions, **fields):
    return make_survey(questions, opened=False, **fields)


def mode_for(total):
    """Reports that are proof are for surveys by hand only."""
    return "hand" if total == "∞" else "browser"


@pytest.mark.parametrize("case", WITHIN)
def test_within_the_limit_a_survey_opens_without_a_reason(case):
    survey = make_draft(WITHIN[case])
    assert survey.problems() == []
    assert make_checklist(survey).allows_opening
    survey.epsilon_reason = REASON
    assert survey.problems() == [NOT_NEEDED]


@pytest.mark.parametrize("case", ABOVE)
def test_above_the_limit_a_survey_needs_a_reason(case):
    questions, total = ABOVE[case]
    survey = make_draft(questions, mode=mode_for(total), epsilon_reason="  ")
    survey.questions.update(innocuous_question="Is it raining?")
    text = NEEDED.format(total)
    assert survey.problems() == [text]
    (missing,) = make_checklist(survey).missing
    assert (missing.name, missing.text) == ("Total epsilon", text)
    assert missing.place == "id_epsilon_reason"
    with pytest.raises(ValidationError, match="Total epsilon is"):
        survey.open()
    survey.epsilon_reason = REASON
    survey.save()
    survey.open()
    assert get_design(survey).epsilon_reason == REASON


@pytest.mark.parametrize(("asked", "opens"), [(4, True), (5, False)])
def test_drawing_questions_lowers_the_total_epsilon(asked, opens):
    survey = make_draft(["coin"] * 10, draws=f"{asked} of 1-10")
    assert (survey.problems() == []) is opens


@pytest.mark.parametrize(("epsilon", "opens"), [("6/5", True), ("13/5", False)])
def test_a_linked_pair_counts_as_one_report(epsilon, opens):
    pair = ("linked_pair", {"epsilon": epsilon, "choices": 4})
    survey = make_draft([pair, pair])
    assert (survey.problems() == []) is opens


def test_the_epsilon_limit_is_a_site_setting(settings):
    survey = make_draft(["coin"])
    settings.MAX_TOTAL_EPSILON = Decimal("1.09")
    (text,) = survey.problems()
    assert text.startswith("Total epsilon is 1.10, above this site's limit of 1.09.")
    settings.MAX_TOTAL_EPSILON = Decimal("1.1")
    assert survey.problems() == []


def test_imported_reports_are_exempt_from_the_epsilon_limit():
    assert make_draft(["coin"] * 10, is_imported=True).problems() == []
    # An archive keeps the reason that it had where the limit was another.
    survey = make_draft(["coin"], slug="other", epsilon_reason=REASON, is_imported=True)
    assert survey.problems() == []


def test_the_checklist_shows_total_epsilon_and_limit():
    def notes_of(survey):
        return [
            (each.finding.value, each.text)
            for each in make_checklist(survey).checks
            if each.place == "id_epsilon_reason"
        ]

    # The form hides the input where no reason is needed.
    assert notes_of(make_draft(["coin"])) == []
    assert notes_of(make_draft(["direct"], slug="direct")) == []
    ten = make_draft(["coin"] * 10, slug="ten", epsilon_reason=REASON)
    assert notes_of(ten) == [
        ("advice", f"Total epsilon is 10.99, above this site's limit of 5. “{REASON}”")
    ]


def test_the_surveys_of_the_demo_open_under_any_limit(settings):
    settings.MAX_TOTAL_EPSILON = Decimal(1)
    surveys = prepare(make_user("demo"))
    assert [each.is_draft for each in surveys] == [False] * 3
    assert [bool(each.epsilon_reason) for each in surveys] == [True] * 3


def test_every_mechanism_is_within_the_limit_unless_one_sided():
    for name, family in load_families().items():
        survey = make_draft([(name, {p.name: p.example for p in family.parameters})],
                            slug=name)  # fmt: skip
        survey.questions.update(innocuous_question="Is it raining?")
        needs = family.is_one_sided
        assert ("Total epsilon is ∞" in " ".join(survey.problems())) is needs
