"""The home page: every survey with its state, its precision and its next step."""

import re

import pytest
from django.utils import timezone

from estimation.rows.shares import MIN_RESPONDENTS
from respondents.models import SealedPattern, close
from surveys.models import Membership, Role, Survey
from tests.factories import make_survey, make_user
from tests.surveys.authoring.posted import page_of, text_of

YES, NO = b"\0", b"\1"


@pytest.fixture
def researcher(client, db):
    owner = make_user()
    client.force_login(owner)
    return owner


def steps(client):
    """Return label and address of every step in the list, those in menus too."""
    page = text_of(client.get("/admin/"))
    rows = page.partition('<ul class="survey-list')[2].partition("more-filters")[0]
    found = re.findall(r'(?<!<h2>)<a [^>]*?href="([^"]*)"[^>]*>([^<]*)<', rows)
    of_any = ("/duplicate/", "/archive/")
    return [(label, page) for page, label in found if not page.endswith(of_any)]


def test_a_draft_without_questions_asks_for_questions(client, researcher):
    survey = make_survey([], opened=False)
    assert steps(client) == [
        ("Write questions", f"{page_of(survey)}#questions-heading")
    ]


def test_a_draft_offers_rehearsal_and_opening(client, researcher):
    survey = make_survey(opened=False)
    assert steps(client) == [
        ("Try it", page_of(survey, "try")),
        ("Open", page_of(survey, "open")),
    ]


def test_an_open_survey_offers_sharing_and_then_monitoring(client, researcher):
    survey = make_survey()
    assert steps(client) == [("Share", page_of(survey, "share"))]
    SealedPattern.objects.add(survey, {YES: 20})
    assert steps(client) == [
        ("Monitor", page_of(survey, "monitor")),
        ("Share", page_of(survey, "share")),
    ]


def test_a_closed_survey_has_results(client, researcher):
    survey = make_survey()
    close(survey)
    labels = [label for label, _address in steps(client)]
    assert labels == ["See results", "Export", "Publish"]
    Survey.objects.filter(pk=survey.pk).update(purged_on=timezone.localdate())
    assert steps(client) == []


@pytest.mark.parametrize(
    ("role", "questions", "expected"),
    [
        (Role.VIEWER, ["coin"], ["Look at it"]),
        (Role.VIEWER, [], ["Look at it"]),
        (Role.EDITOR, ["coin"], ["Try it"]),
        (Role.EDITOR, [], ["Write questions"]),
    ],
)
def test_a_role_is_offered_only_what_it_allows(
    client, researcher, role, questions, expected
):
    draft = make_survey(questions, opened=False, owner=make_user("other"))
    Membership.objects.create(survey=draft, user=researcher, role=role)
    assert [label for label, _address in steps(client)] == expected


@pytest.mark.parametrize("role", list(Role))
def test_every_offered_step_can_be_opened(client, researcher, role):
    other = make_user("other")
    owner = researcher if role == Role.OWNER else other
    surveys = [
        make_survey([], opened=False, slug="empty", owner=owner),
        make_survey(opened=False, slug="draft", owner=owner),
        make_survey(slug="fresh", owner=owner),
        make_survey(counts={YES: 60, NO: 40}, slug="open", owner=owner),
        make_survey(counts={YES: 60, NO: 40}, slug="closed", owner=owner),
    ]
    close(surveys[-1])
    if role != Role.OWNER:
        for survey in surveys:
            Membership.objects.create(survey=survey, user=researcher, role=role)
    offered = steps(client)
    assert len(offered) >= len(surveys)
    refused = [
        (label, address)
        for label, address in offered
        if client.get(address).status_code != 200
    ]
    assert refused == []


def precision(client):
    page = text_of(client.get("/admin/"))
    return re.findall(r"<b>([^<]*)</b> <span>precision", page)


def test_precision_is_shown_from_the_minimum_number_of_responses(client, researcher):
    # As many Yes as No: all of one kind would not fit the design.
    half = MIN_RESPONDENTS // 2
    survey = make_survey(counts={YES: half, NO: half - 1})
    assert precision(client) == ["—"]
    SealedPattern.objects.add(survey, {NO: 1})
    assert "points" in precision(client)[0]


def test_the_precision_is_that_of_the_least_precise_question(client, researcher):
    counts = {b"\0\0": 50, b"\1\1": 50}
    make_survey(counts=counts, questions=["coin", "die"])
    # The die: 1.96 sqrt(1/2 * 1/2 / 100) / (1/3) = 0.294, by hand.
    assert precision(client) == ["± 29.4 points"]


def test_the_precision_of_a_mean_is_a_percentage_of_its_scale(client, researcher):
    scale = ("one_bit", {"epsilon": "1", "points": 11})
    survey = make_survey(
        counts={YES + YES: 500, NO + NO: 500}, questions=["coin", scale]
    )
    # One bit at epsilon 1: 1.96 sqrt(1/4 / 1000) (e + 1)/(e - 1) = 0.0671, by hand.
    # The coin has .031/.5 = 0.0620, which is less.
    assert precision(client) == ["± 6.7 % of the scale"]
    numbers = client.get(page_of(survey, "monitor/numbers")).json()
    assert [" ".join(numbers["texts"]["margin"].split())] == precision(client)
    assert numbers["texts"]["margin-1"].endswith("points")


def menu(client, survey):
    """Return the labels in the menu of the survey."""
    page = text_of(client.get("/admin/surveys/survey/?archived=0"))
    page += text_of(client.get("/admin/surveys/survey/?archived=1"))
    row = page.partition(f'aria-label="More: {survey}"')[2].partition("</details>")[0]
    return re.findall(r"<a [^>]*>([^<]*)</a>", row)


def test_only_the_owner_is_offered_the_archive(client, researcher):
    survey = make_survey(title="Theirs", owner=make_user("other"))
    Membership.objects.create(survey=survey, user=researcher, role=Role.EDITOR)
    assert menu(client, survey)[-1] == "Duplicate"


def test_surveys_with_the_same_title_show_their_addresses(client, researcher):
    make_survey(slug="first-wave", title="The same")
    make_survey(slug="other", title="Another")
    page = text_of(client.get("/admin/"))
    assert "/s/" not in page
    second = make_survey(slug="second-wave", title="The same")
    page = text_of(client.get("/admin/"))
    assert re.findall(r'"address">([^<]*)<', page) == [
        "/s/second-wave/",
        "/s/first-wave/",
    ]
    # Also where the other one is in the archive.
    client.post(page_of(second, "archive"))
    page = text_of(client.get("/admin/"))
    assert re.findall(r'"address">([^<]*)<', page) == ["/s/first-wave/"]


def test_a_target_is_hidden_once_it_is_exceeded(client, researcher):
    survey = make_survey(counts={YES: 20, NO: 4}, target=25)
    assert "<b>24</b> <span>of 25</span>" in text_of(client.get("/admin/"))
    SealedPattern.objects.add(survey, {YES: 16})
    assert "<b>40</b> <span> responses </span>" in text_of(client.get("/admin/"))
    watched = text_of(client.get(page_of(survey, "monitor")))
    assert "The 25 planned responses have arrived." in watched
    assert "160" not in watched


def test_states_are_counted_within_the_search_results(client, researcher):
    make_survey(opened=False, slug="a", title="First")
    make_survey(slug="b", title="Second")
    make_survey(slug="c", title="Third")

    def chips(query=""):
        page = text_of(client.get(f"/admin/{query}"))
        found = re.findall(r">(All|Draft|Open|Closed) <small>(\d+)</small>", page)
        return [int(number) for _state, number in found]

    assert chips() == [3, 1, 2, 0]
    assert chips("?state=open") == [3, 1, 2, 0]
    assert chips("?q=third") == [1, 0, 1, 0]


def test_archived_surveys_and_tests_of_drafts_are_not_listed(client, researcher):
    draft = make_survey(opened=False, title="Shown")
    make_survey(slug="r", title="Hidden", rehearsal_of=draft, is_simulated=True)
    archived = make_survey(slug="a", title="Hidden")
    close(archived)
    Survey.objects.filter(pk=archived.pk).update(archived_on=timezone.localdate())
    page = text_of(client.get("/admin/"))
    assert "Shown" in page
    assert "Hidden" not in page


@pytest.mark.parametrize("shared", [False, True])
def test_the_query_count_does_not_depend_on_the_number_of_surveys(
    client, researcher, django_assert_num_queries, shared
):
    owner = make_user("other") if shared else researcher
    for number in range(4):
        survey = make_survey(
            counts={b"\0\0": 60, b"\1\0": 40},
            questions=["coin", "die"],
            slug=f"survey-{number}",
            owner=owner,
        )
        Membership.objects.create(survey=survey, user=researcher, role=Role.VIEWER)
        # Session, user, invitations, whether there are surveys, owners to choose from,
        # number of those in each state and of those shown (twice), surveys, questions,
        # waiting and sealed responses, roles, counts, namesakes, whether some are
        # archived: the same for every number of surveys.
        with django_assert_num_queries(16):
            client.get("/admin/")


def test_the_heading_says_whose_surveys_are_listed(client, db):
    owner, root = make_user("owner"), make_user("root", is_superuser=True)

    def heading(user):
        client.force_login(user)
        page = client.get("/admin/").content.decode()
        (found,) = re.findall(r"<h1>(.*?)</h1>", page, re.DOTALL)
        return found.strip()

    make_survey(owner=root, slug="of-root")
    assert heading(root) == "Your surveys"
    shared = make_survey(owner=owner)
    assert heading(owner) == "Your surveys"
    assert heading(root) == "Surveys of all researchers"
    colleague = make_user("colleague")
    Membership.objects.create(survey=shared, user=colleague, role=Role.VIEWER)
    assert heading(colleague) == "Your surveys"
