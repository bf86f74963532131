"""The page of weighted results: content, refusals and permissions."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from candor import post_stratify, rake
from candor.mechanisms import build
from candor.mechanisms.draws import NOT_ASKED
from respondents.models import SealedPattern
from surveys.models import Membership, Role
from tests.estimation.pages import get
from tests.factories import make_survey, make_user
from tests.surveys.authoring.posted import text_of

pytestmark = pytest.mark.django_db

OK, FOUND, BAD_REQUEST, NOT_FOUND = 200, 302, 400, 404

# Two coins: of 100 women 50 report yes, of 300 men 105.
WOMEN = {b"\0\0": 50, b"\1\0": 50, b"\0\1": 105, b"\1\1": 195}


def make_counted(counts=WOMEN, questions=("coin", "direct"), **fields):
    return make_survey(questions, counts=counts, **fields)


def send(client, survey, content):
    client.force_login(survey.owner)
    address = reverse("admin:estimation_weighted", args=[survey.pk])
    file = SimpleUploadedFile("margins.csv", content.encode())
    return client.post(address, {"file": file})


def test_the_page_shows_weighted_and_unweighted_shares(client):
    survey = make_counted()
    before = list(SealedPattern.objects.values_list("pattern", "count"))
    response = get(client, "weighted", survey, known2_1="50", known2_2="50")
    assert response.status_code == OK
    (question,) = response.context["panel"].questions
    expected = post_stratify(
        build("coin"),
        {("f", "yes"): 50, ("f", "no"): 50, ("m", "yes"): 105, ("m", "no"): 195},
        {"f": 0.5, "m": 0.5},
    )
    yes = question.result.rows[0]
    assert yes.raw == pytest.approx(expected["yes"].raw) == pytest.approx(0.35)
    assert (yes.low, yes.high) == (expected["yes"].low, expected["yes"].high)
    # 155 of 400: (.3875 - .25) / .5
    assert question.result.unweighted.rows[0].estimate == pytest.approx(0.275)
    text = text_of(response)
    assert "Effective sample size: 300 of 400 (design effect 1.33)." in text
    assert "Largest weight: 2.0 times the mean." in text
    assert list(SealedPattern.objects.values_list("pattern", "count")) == before


@pytest.mark.parametrize(("men", "is_cautioned"), [(24, False), (23, True)])
def test_fewer_than_thirty_effective_reports_show_a_caution(
    client, monkeypatch, men, is_cautioned
):
    """With equal weights the effective size is n, up to rounding."""
    monkeypatch.setattr("estimation.rows.weighted.MIN_GROUP_SIZE", 1)
    survey = make_counted({b"\0\0": 1, b"\1\0": 5, b"\0\1": 1, b"\1\1": men - 1})
    response = get(client, "weighted", survey, known2_1="20")
    (question,) = response.context["panel"].questions
    assert question.result.effective_respondents == pytest.approx(6 + men, abs=0.02)
    text = "The effective sample size is below 30" in text_of(response)
    assert text is is_cautioned


def test_impossible_shares_are_rejected(client):
    survey = make_counted()
    for typed, text in (
        ({"known2_1": "50", "known2_2": "40"}, "must sum to 100 %, not 90 %"),
        ({"known2_1": "half"}, "“Yes”: enter a share from 0 to 100 %"),
        ({"known2_1": "50", "confidence_level": "2"}, "Select a valid choice"),
    ):
        response = get(client, "weighted", survey, **typed)
        assert response.status_code == BAD_REQUEST
        assert text in text_of(response)
        found = get(client, "weighted_csv", survey, **typed)
        assert found.status_code == BAD_REQUEST


def test_a_survey_without_direct_questions_cannot_be_weighted(client):
    survey = make_counted({b"\0\0": 40}, ("coin", "coin"))
    response = get(client, "weighted", survey)
    assert response.status_code == FOUND
    assert response.url == reverse("admin:estimation_results", args=[survey.pk])
    assert b"results/weighted/" not in get(client, "results", survey).content


@pytest.mark.parametrize(
    ("counts", "message"),
    [
        ({b"\0\0": 29, b"\0\1": 300}, "Fewer than 30 respondents answered “Yes”"),
        ({b"\0\1": 300}, "No respondent answered “Yes”"),
    ],
)
def test_small_and_empty_groups_are_not_weighted(client, counts, message):
    response = get(client, "weighted", make_counted(counts), known2_1="50")
    assert response.status_code == OK
    assert response.context["panel"].questions == []
    assert message in text_of(response)
    found = get(client, "weighted_csv", response.context["survey"], known2_1="50")
    assert found.status_code == NOT_FOUND


# Three questions; nine people who are women and live at home.
CROSSED = {bytes([r, f, h]): n for r in (0, 1) for f, h, n in [(0, 0, 9), (0, 1, 60)]}
CROSSED |= {bytes([r, 1, h]): 70 for r in (0, 1) for h in (0, 1)}


def test_viewers_cannot_weight_by_small_combined_groups(client):
    survey = make_counted(CROSSED, ("coin", "direct", "direct"))
    typed = {"known2_1": "50", "known3_1": "40"}
    (question,) = get(client, "weighted", survey, **typed).context["panel"].questions
    expected = rake(
        build("coin"),
        {
            (f, h, ("yes", "no")[r]): n
            for (r, f, h), n in ((tuple(p), n) for p, n in CROSSED.items())
        },
        [{0: 0.5, 1: 0.5}, {0: 0.4, 1: 0.6}],
    )
    assert question.result.rows[0].raw == pytest.approx(expected["yes"].raw)
    viewer = make_user("viewer")
    Membership.objects.create(survey=survey, user=viewer, role=Role.VIEWER)
    response = get(client, "weighted", survey, user=viewer, **typed)
    assert response.context["panel"].questions == []
    assert "Together, these questions form groups" in text_of(response)
    # 18 women at home; by one question alone every group has at least 138.
    shown = (
        get(client, "weighted", survey, user=viewer, known2_1="50")
        .context["panel"]
        .questions
    )
    assert [each.result.unweighted.number for each in shown] == [1, 3]
    assert shown[0].result.respondents == sum(CROSSED.values())


def test_respondents_without_a_weighting_answer_are_excluded(client):
    counts = WOMEN | {bytes([0, NOT_ASKED]): 7}
    response = get(client, "weighted", make_counted(counts), known2_1="50")
    (question,) = response.context["panel"].questions
    assert (question.result.respondents, question.result.left_out) == (400, 7)
    assert question.result.rows[0].raw == pytest.approx(0.35)
    assert "because of gaps: 7." in text_of(response)


def test_an_uploaded_margins_file_redirects_to_its_query(client):
    survey = make_counted()
    text = "question;answer;share\n2;yes;50,5\nSensitive question 2?;No;49,5\n"
    # Both rows name question 2 differently and count as separate questions.
    assert send(client, survey, text).status_code == BAD_REQUEST
    response = send(client, survey, "question;answer;share\n2;yes;50,5\n2;No;49,5\n")
    assert response.status_code == FOUND
    assert "known2_1=50.5" in response.url
    assert "known2_2=49.5" in response.url
    assert client.get(response.url).context["form"].margins == {
        2: pytest.approx([0.505, 0.495])
    }


def test_an_unreadable_margins_file_shows_the_reason(client):
    survey = make_counted()
    for content, text in (
        ("question,answer,share\n1,Yes,50\n1,No,50\n", "No direct question has this"),
        ("question,answer,share\n2,Maybe,50\n2,No,50\n", "has no answer &#x27;Maybe"),
        ("question,answer,share\n2,Yes,50\n2,No,40\n", "must sum to 100 % (or 1)"),
        ("", "empty"),
    ):
        response = send(client, survey, content)
        assert response.status_code == BAD_REQUEST
        assert text in text_of(response)


@pytest.mark.parametrize(
    ("scale", "method"),
    [
        (("one_bit", {"epsilon": "1", "points": 5}), "feldman-cousins"),
        (("grid", {"epsilon": "1", "points": 2}), "feldman-cousins"),
        (("grid", {"epsilon": "1", "points": 3}), "scores"),
    ],
)
def test_a_scale_has_a_weighted_mean(client, scale, method):
    """One bit, two points and three, which no count determines."""
    counts = WOMEN | ({b"\2\0": 50, b"\2\1": 150} if method == "scores" else {})
    survey = make_counted(counts, (scale, "direct"))
    response = get(client, "weighted", survey, known2_1="50", known2_2="50")
    assert response.status_code == OK
    (question,) = response.context["panel"].questions
    mean = question.result.mean
    report_counts = {
        (group, report): counts.get(bytes([place, group]), 0)
        for group in (0, 1)
        for place, report in enumerate(question.result.unweighted.mechanism.reports)
    }
    found = post_stratify(build(scale[0], **scale[1]), report_counts, {0: 0.5, 1: 0.5})
    assert mean.raw == pytest.approx(found["mean"].raw)
    assert mean.method == method
