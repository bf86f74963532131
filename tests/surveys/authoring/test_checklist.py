"""What is looked at before opening, and that it promises nothing it cannot keep."""

from datetime import timedelta
from decimal import Decimal

import pytest
from django.utils import timezone

from surveys.authoring.checklist import Finding, make_checklist
from surveys.models import Membership, Question, Role, Survey
from tests.factories import make_survey, make_user
from tests.surveys.authoring.posted import page_of, text_of

pytestmark = pytest.mark.django_db


def yesterday():
    return timezone.localdate() - timedelta(days=1)


def break_the_family(survey):
    Question.objects.filter(survey=survey).update(family="gone")


def take_a_choice(survey):
    survey.questions.get().choices.first().delete()


DRAFTS = {
    "sound": {},
    "empty": {"questions": ()},
    "over": {"closes_on": yesterday},
    "in a foreign language": {"language": "xx"},
    "without an organiser": {"organiser": ""},
    "run by spaces": {"organiser": " \t"},
    "by hand": {"mode": "hand"},
    "not by hand": {
        "mode": "hand",
        "questions": [("custom", {"p_yes_given_yes": "3/4", "p_yes_given_no": "1/4"})],
    },
    "without its harmless question": {
        "mode": "hand",
        "questions": [("crosswise", {"prevalence": "1/4"})],
    },
    "in batches of one": {"batch_size": 1},
    "with one link": {"access": "invitation", "least_links": 1},
    "of a family that is gone": {"then": break_the_family},
    "short of a choice": {"then": take_a_choice},
}


def make_draft(questions=("coin",), then=lambda survey: None, **fields):
    fields = {
        name: value() if callable(value) else value for name, value in fields.items()
    }
    survey = make_survey(questions, opened=False, **fields)
    then(survey)
    return Survey.objects.get(pk=survey.pk)


@pytest.mark.parametrize("name", DRAFTS)
def test_missing_items_block_opening_and_link_to_their_input(client, name):
    survey = make_draft(**DRAFTS[name])
    found = make_checklist(survey)
    problems = survey.problems()
    assert len(found.missing) == len(problems)
    for check, problem in zip(found.missing, sorted(problems), strict=False):
        assert any(each.endswith(check.text) for each in problems), problem
    assert found.allows_opening == (not problems)
    client.force_login(survey.owner)
    form = text_of(client.get(page_of(survey)))
    for check in found.missing:
        assert f'id="{check.place}"' in form, check.place


def found_in(survey, place):
    """Return how the checks of an input came out, and what they say."""
    checks = [each for each in make_checklist(survey).checks if each.place == place]
    return [(each.finding.value, each.text) for each in checks]


def findings(survey, place):
    return [finding for finding, _text in found_in(survey, place)]


ADVISED_FIELDS = {
    "id_contact": {"contact": "office@example.org"},
    "id_purpose": {"purpose": "To learn."},
    "id_consent": {"consent": "I am of age."},
    "id_ethics_reference": {"ethics_reference": "EC 7/2026"},
    "id_results_note": {"results_note": "On our page."},
    "id_closes_on": {"closes_on": timezone.localdate},
    "id_target": {"target": 400},
    "id_access_0": {"access": "invitation"},
}


def test_optional_items_are_advice_and_do_not_block_opening():
    fields = {k: v for each in ADVISED_FIELDS.values() for k, v in each.items()}
    without, complete = make_draft(), make_draft(slug="complete", **fields)
    for place in ADVISED_FIELDS:
        assert findings(without, place) == ["advice"], place
        assert findings(complete, place) == ["good"], place
    assert make_checklist(without).allows_opening
    for mode, finding in {
        "browser": "good",
        "server": "advice",
        "hand": "advice",
    }.items():
        assert findings(make_draft(mode=mode, slug=mode), "id_mode_0") == [finding]


@pytest.mark.parametrize(
    ("margin", "wanted", "finding", "words"),
    [
        (0.06198, "7", "good", "±\xa06.2\xa0points. Wanted: ±\xa07\xa0points."),
        (0.06198, "5", "advice", "takes more respondents or a weaker mechanism."),
        (0.06198, None, "good", "Least precise question: ±\xa06.2\xa0points."),
        (0.49, None, "good", "points."),
        (0.5, None, "advice", "Expect results too imprecise to interpret."),
    ],
)
def test_the_expected_margin_is_compared_with_the_wanted_one(
    margin, wanted, finding, words
):
    survey = make_draft(target=1000, wanted_margin=wanted and Decimal(wanted))
    checks = make_checklist(survey, margin=margin).checks
    (found,) = [each for each in checks if each.place == "id_target"]
    assert (found.finding.value, found.text.endswith(words)) == (finding, True)


def test_the_page_shows_the_expected_margin(client):
    # A die that inverts one answer in three triples the standard error of a share of
    # one half, two coins double it: 3 * sqrt(0.25 / 1000) * 1.96 = 0.093.
    survey = make_draft(["die", "coin"], target=1000)
    client.force_login(survey.owner)
    page = text_of(client.get(page_of(survey, "open")))
    assert "Least precise question: ± 9.3 points." in page


def test_a_planned_number_below_the_minimum_gives_advice():
    assert findings(make_draft(target=10), "id_target") == ["good"]
    ((finding, text),) = found_in(make_draft(slug="few", target=9), "id_target")
    assert finding == "advice"
    assert "Results are shown from 10 responses on." in text


@pytest.mark.parametrize("field", ["consent", "helpline"])
def test_unfilled_placeholders_are_reported(field):
    blank = make_draft(**{field: "Someone to talk to: [phone number]"})
    text = found_in(blank, f"id_{field}")
    assert text == [("advice", "Fill in what is in brackets: [phone number]")]
    filled = make_draft(slug="filled", **{field: "Call [us](https://example.org)"})
    assert findings(filled, f"id_{field}") == ["good"]


def test_the_first_six_paths_are_listed():
    draft = make_draft(["direct"] * 3 + ["coin"] * 3)
    for position, condition in ((4, "1 is Yes"), (5, "2 is Yes"), (6, "3 is Yes")):
        draft.questions.filter(position=position).update(show_if=condition)
    [text] = [
        each.text for each in make_checklist(draft).checks if each.name == "Paths"
    ]
    assert text.startswith("1 “Yes”, 2 “Yes” and 3 “Yes”: questions 1")
    assert text.count("questions 1") == 6
    assert text.endswith("And 2 more.")


@pytest.fixture
def draft():
    return make_draft(["coin", "direct"], contact="office@example.org")


def test_the_checklist_page_links_to_each_input(client, draft):
    client.force_login(draft.owner)
    page = text_of(client.get(page_of(draft, "open")))
    form = text_of(client.get(page_of(draft)))
    for check in make_checklist(draft).checks:
        assert f'id="{check.place}"' in form, check.name
        assert f'href="{page_of(draft)}#{check.place}">{check.name}</a>' in page
        # As the page's own text: every space is one that breaks lines.
        assert " ".join(check.text.split()).replace("'", "&#x27;") in page
    assert "What opening freezes" in page
    assert "Open survey" in page


@pytest.mark.parametrize(
    ("mode", "kind"),
    [("browser", "missing"), ("server", "missing"), ("hand", "advice")],
)
def test_a_one_sided_mechanism_is_reported_once(mode, kind):
    one_sided = ("triangular", {"prevalence": "1/4"})
    found = make_checklist(make_draft(["coin", one_sided], mode=mode))
    texts = [check for check in found.checks if check.place == "id_questions-1-family"]
    assert texts == [check for check in getattr(found, kind) if check in texts]
    assert len(texts) == 1
    assert "proof" in texts[0].text


def test_an_editor_reads_the_list_and_sees_who_can_open_it(client, draft):
    editor = make_user("editor")
    Membership.objects.create(survey=draft, user=editor, role=Role.EDITOR)
    client.force_login(editor)
    page = text_of(client.get(page_of(draft, "open")))
    assert "Ready to open" in page
    assert "Open survey" not in page
    assert "owner can open it" in page


def test_questions_that_cannot_be_skipped_are_listed():
    def skipping(questions, **fields):
        survey = make_survey(questions, opened=False, slug=str(questions), **fields)
        checks = make_checklist(survey).checks
        return [(c.finding, c.text) for c in checks if c.name == "Skipping"]

    several = ("k_ary", {"choices": "3", "epsilon": "1"})
    points = {"epsilon": "1", "points": "5"}
    [(finding, text)] = skipping(["coin", "direct", several, ("grid", points)])
    assert finding is Finding.ADVICE
    assert text.startswith("Respondents cannot skip questions 1, 2 and 4.")
    [(finding, _text)] = skipping([several, ("grid_skip", points)])
    assert finding is Finding.GOOD
    # By hand a mechanism is fixed.
    assert skipping(["coin"], mode="hand") == []
