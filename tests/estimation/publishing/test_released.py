"""Counts released with noise: drawn once, kept, added up; no other exact number."""

from decimal import Decimal
from fractions import Fraction

import pytest

from estimation.models import Publication
from estimation.pages.publishing.publish import PublicationForm
from estimation.rows.released import CountRelease, newest, spent, store_release
from estimation.rows.shares import get_results
from respondents.models import SealedPattern, SealedTally
from surveys.design import get_design
from surveys.models import Survey
from tests.estimation.publishing.test_publishing_page import address
from tests.factories import make_survey

pytestmark = pytest.mark.django_db

CHOICE = {
    "headline": "How many copied",
    "note": "",
    "questions": ["1", "2"],
    "confidence_level": "0.95",
    "method": "feldman-cousins",
    "release_epsilon": "2.00",
}
NO_BREAK = "\N{NO-BREAK SPACE}"


@pytest.fixture
def survey():
    return make_survey(
        ["coin", "direct"],
        counts={b"\0\0": 141, b"\1\1": 231, b"\1\0": 50},
        closed=True,
    )


def post(client, survey, page="", **sent):
    answer = client.post(address(page, survey), sent, follow=True)
    return answer.content.decode().replace(NO_BREAK, " ")


def publish(client, survey, **changed):
    post(client, survey, **{**CHOICE, **changed})
    releases = len(Publication.objects.get().releases)
    return post(client, survey, "switch", is_public="on", after=releases)


def everything(client, publication):
    """Return the public page and all its files."""
    paths = ("", "overview.svg", "1.svg", "2.svg", "estimates.csv")
    found = [client.get(f"/r/{publication.token}/{path}") for path in paths]
    assert {answer.status_code for answer in found} == {200}
    return "".join(answer.content.decode() for answer in found)


def test_intervals_that_ignore_the_noise_are_left_out():
    counts = (235, 205, 265, 295)
    patterns = {bytes([report]): count for report, count in enumerate(counts)}
    survey = make_survey(
        [("linked_pair", {"epsilon": 1, "choices": 4})], counts=patterns
    )
    (exact,) = get_results(survey).questions
    assert len(exact.pair) == 2
    release = CountRelease(
        epsilon=Fraction(2), respondents=1000, noisy_counts={1: counts}
    )
    design = get_design(survey)
    noisy = release.results(survey, design, shown=[1], level=0.95).questions[0]
    assert (noisy.bounds, noisy.pair) == ((), ())


def test_noise_is_drawn_once_for_all_views(owner, survey):
    publish(owner, survey)
    publication = Publication.objects.get()
    assert len(publication.releases) == 1
    first = everything(owner, publication)
    assert everything(owner, publication) == first
    release = newest(publication)
    assert f"about {release.respondents:,} people answered" in first
    assert f"{release.noisy_counts[2][0]}" in first
    for off_and_on in ("off", "on"):
        post(owner, survey, "switch", is_public=off_and_on)
    assert everything(owner, publication) == first


def test_a_noisy_page_does_not_depend_on_the_true_counts(owner, survey):
    """The same release gives the same page for other reports."""
    publish(owner, survey)
    publication = Publication.objects.get()
    before = everything(owner, publication)
    SealedPattern.objects.filter(survey=survey).update(count=777)
    counts = [[1, 2330], [777, 1554]]
    SealedTally.objects.filter(survey=survey).update(respondents=2331, counts=counts)
    assert everything(owner, publication) == before


def test_a_release_spends_the_chosen_epsilon(survey):
    """One person's participation or report changes it by at most epsilon."""
    release = CountRelease.draw(get_results(survey), Fraction(3, 2))
    number, report = release.noise_of_respondents, release.noise_of_reports
    took_part = number.epsilon / number.sensitivity + sum(
        report.epsilon / report.sensitivity for _ in release.noisy_counts
    )
    other_answer = sum(
        2 * report.epsilon / report.sensitivity for _ in release.noisy_counts
    )
    assert took_part == other_answer == Fraction(3, 2)


def test_a_new_release_shows_its_cost_and_epsilons_add_up(owner, survey):
    publish(owner, survey, questions=["1"])
    page = post(owner, survey, **{**CHOICE, "questions": ["1", "2"]})
    assert "Releases with noise: 1, epsilon 2.00 in total." in page
    assert "costs epsilon 2.00, 4.00 in total" in page
    assert "Until then the page shows the last release." in page
    publication = Publication.objects.get()
    public = owner.get(f"/r/{publication.token}/").content.decode()
    assert "Sensitive question 2?" not in public
    publish(owner, survey, release_epsilon="0.50")
    publication.refresh_from_db()
    assert [each["epsilon"] for each in publication.releases] == ["2", "1/2"]
    assert spent(publication) == Fraction(5, 2)
    assert "at most (epsilon 2.50)" in everything(owner, publication)


def test_showing_less_of_a_release_costs_nothing(owner, survey):
    publish(owner, survey)
    before = Publication.objects.get().releases
    page = post(owner, survey, **{**CHOICE, "questions": ["2"], "headline": "Other"})
    assert "costs epsilon" not in page
    publication = Publication.objects.get()
    assert publication.releases == before
    public = owner.get(f"/r/{publication.token}/").content.decode()
    assert "Sensitive question 1?" not in public
    assert "Other" in public


def test_a_release_needs_its_cost_to_be_confirmed(owner, survey):
    post(owner, survey, **CHOICE)
    for sent in ({}, {"after": "1"}, {"after": "-1"}, {"after": "x"}):
        page = post(owner, survey, "switch", is_public="on", **sent)
        assert "Read first what the release costs." in page
    publication = Publication.objects.get()
    assert publication.releases == []
    assert not publication.is_public


def test_a_double_click_releases_once(owner, survey):
    publish(owner, survey)
    publication = Publication.objects.get()
    assert not store_release(publication, get_results(survey), after=0)
    post(owner, survey, "switch", is_public="on", after=0)
    publication.refresh_from_db()
    assert len(publication.releases) == 1


def test_saving_the_form_keeps_a_concurrent_release(owner, survey):
    post(owner, survey, **CHOICE)
    publication = Publication.objects.get()
    results = get_results(survey)
    form = PublicationForm(
        CHOICE, publication=publication, publishable=results.questions
    )
    assert form.is_valid()
    assert store_release(Publication.objects.get(), results, after=0)
    form.save()
    assert len(Publication.objects.get().releases) == 1


def test_a_formerly_exact_page_is_hidden_until_the_release(owner, survey):
    publish(owner, survey, release_epsilon="")
    publication = Publication.objects.get()
    page = post(owner, survey, **CHOICE)
    assert "Until then the page shows nothing." in page
    assert owner.get(f"/r/{publication.token}/").status_code == 404
    preview = address("preview", survey)
    assert "The noise is simulated" in owner.get(preview).content.decode()
    publish(owner, survey)
    assert "The noise is simulated" not in owner.get(preview).content.decode()
    everything(owner, publication)


def test_a_panel_pays_for_releases_up_to_its_budget(client):
    fields = {"panel": "Cohort 2026", "panel_budget": 4}
    survey = make_survey(
        ["coin", "direct"], counts={b"\0\0": 141, b"\1\1": 231}, closed=True, **fields
    )
    client.force_login(survey.owner)
    page = post(client, survey, **CHOICE)
    message = "Epsilon 2.00. Then the panel “Cohort 2026” has 0.90 left of 4."
    assert message in page
    publish(client, survey)
    survey.refresh_from_db()
    assert survey.released_epsilon == 2
    assert survey.read_ledger().spent == pytest.approx(3.0986, abs=5e-5)

    page = post(client, survey, **{**CHOICE, "release_epsilon": "1.00"})
    refused = "This needs epsilon 1.00. The panel “Cohort 2026” has 0.90 left of 4."
    assert refused in page
    assert "Release with noise" not in page
    assert refused in post(client, survey, "switch", is_public="on", after=1)
    publication = Publication.objects.get()
    assert not store_release(publication, get_results(survey), after=1)
    assert len(publication.releases) == 1

    publish(client, survey, release_epsilon="0.50")
    survey.refresh_from_db()
    assert survey.released_epsilon == Decimal("2.5")
    # Deletions do not restore a spent budget.
    Publication.objects.get().delete()
    assert Survey.objects.get().read_ledger().spent > 3.59


def test_a_mean_is_not_published_with_noise(client):
    survey = make_survey(
        ["coin", ("grid_skip", {"epsilon": "1", "points": 5})],
        counts={b"\0\0": 100, b"\1\2": 140},
        closed=True,
    )
    client.force_login(survey.owner)
    page = post(client, survey, **CHOICE)
    assert "Means are not published with noise: leave out question 2." in page
    publish(client, survey, questions=["1"])
    publication = Publication.objects.get()
    assert publication.is_public
    assert list(newest(publication).noisy_counts) == [1]
