"""Numbers of people on pages with noise and in their preview."""

import re

import pytest

from candor.mechanisms.draws import NOT_ASKED
from estimation.models import Publication
from estimation.rows.released import CountRelease, simulate_release
from estimation.rows.shares import get_results
from surveys.models import Survey
from tests.estimation.pages import rows_of
from tests.estimation.publishing.test_publishing_page import address
from tests.factories import make_survey
from tests.surveys.authoring.posted import text_of

pytestmark = pytest.mark.django_db

FOUR = ["coin", "coin", "die", "direct"]
SIXTY = {b"\0\0\0\0": 22, b"\1\1\1\1": 24, b"\1\0\0\1": 14}


def make_closed(questions=FOUR, counts=SIXTY, **fields):
    return make_survey(questions, counts=counts, closed=True, **fields)


def make_noisy(survey, *, respondents=58, survey_counts=None, **fields):
    """Publish these released counts as if drawn."""
    numbers = list(range(1, survey.questions.count() + 1))
    released = [{"epsilon": "1", "respondents": respondents, "tallies": survey_counts}]
    publication = Publication.objects.create(
        survey=survey,
        questions=numbers,
        release_epsilon=1,
        releases=released if survey_counts else [],
        token="of-this-test",  # noqa: S106
        **fields,
    )
    if survey_counts:
        publication.switch(is_public=True)
    return publication


def read(client, path):
    page = client.get(path)
    assert page.status_code == 200
    return text_of(page)


@pytest.mark.parametrize(
    ("counts", "respondents"),
    [((12, 17), 58), ((1, -4), 1), ((0, 0), 0), ((-9, -3), -7), ((90, 70), 58)],
)
def test_counts_with_noise_are_not_treated_as_exact(client, counts, respondents):
    """Sixty people answered, with any noise in the counts."""
    survey_counts = {str(number): list(counts) for number in range(1, 5)}
    publication = make_noisy(
        make_closed(), respondents=respondents, survey_counts=survey_counts
    )
    page = read(client, publication.get_absolute_url())
    # Counts below 0 count as 0, so that raw estimates are biased.
    for text in ("Only ", "Below ", "One response", "No responses", "unbiased"):
        assert text not in re.sub("<[^>]+>", "", page)
    assert page.count('<article class="card"') == 4
    assert "This page shows" not in page
    assert "nan" not in page.lower().replace("nan ", "")
    for path in ("overview.svg", "1.svg", "4.svg"):
        picture = client.get(f"{publication.get_absolute_url()}{path}")
        assert picture.status_code == 200
        assert "nan" not in picture.content.decode()


def test_the_file_contains_the_released_counts_even_below_zero(client):
    counts = {str(number): [number, -4] for number in range(1, 5)}
    publication = make_noisy(make_closed(), respondents=-7, survey_counts=counts)
    rows = rows_of(client.get(publication.get_absolute_url() + "estimates.csv"))
    assert [int(row["count"]) for row in rows[:4]] == [1, -4, 2, -4]
    assert {row["took_part"] for row in rows} == {"-7"}


def test_a_drawn_question_shows_its_own_number_of_answers(client):
    survey = make_closed(
        ["coin", "coin", "coin"],
        {bytes([0, 1, NOT_ASKED]): 40, bytes([1, NOT_ASKED, 0]): 40},
        draws="1 of 2-3",
    )
    survey_counts = {"1": [31, 40], "2": [20, 23], "3": [18, 19]}
    publication = make_noisy(survey, respondents=79, survey_counts=survey_counts)
    page = read(client, publication.get_absolute_url())
    assert re.findall(r"Answers: ≈ ([\d,]+)", page) == ["79", "43", "37"]


def test_an_imported_study_shows_only_the_number_of_reports(client):
    counts = {b"\0": 40, b"\1": 40}
    survey = make_closed(["coin"], counts, mode="hand", is_imported=True)
    publication = make_noisy(survey, respondents=79, survey_counts={"1": [31, 40]})
    page = read(client, publication.get_absolute_url())
    assert "Answers: ≈ 71" in page


@pytest.fixture
def owner(client):
    survey = make_closed()
    client.force_login(survey.owner)
    return client


def test_the_noise_of_a_preview_is_never_published(owner):
    publication = make_noisy(survey := Survey.objects.get())
    page = read(owner, address("preview", survey))
    assert "The noise is simulated: the published numbers will differ." in page
    assert "The numbers of people contain random noise" in page
    exact = get_results(survey)
    rows = rows_of(owner.get(address("preview", survey) + "estimates.csv"))
    counts = [int(row["count"]) for row in rows]
    assert counts != [
        count for each in exact.questions for _row, _report, count in each.reports
    ]
    assert {row["preview"] for row in rows} == {"yes"}
    file = owner.get(address("preview", survey) + "estimates.csv")
    assert file["Content-Disposition"].endswith('-preview.csv"')
    # Every view and chart shows the same noise.
    assert read(owner, address("preview", survey)) == page
    assert "± 0 points" not in page
    assert Publication.objects.get().releases == []
    owner.post(address("switch", survey), {"is_public": "on", "after": "0"})
    publication.refresh_from_db()
    released = CountRelease.read(publication.releases[0])
    # Eight counts and a number, of noise with a chance below .1 at each value.
    simulated = simulate_release(publication, exact)
    assert (released.respondents, released.noisy_counts) != (
        simulated.respondents,
        simulated.noisy_counts,
    )
    public = rows_of(owner.get(publication.get_absolute_url() + "estimates.csv"))
    assert "preview" not in public[0]
    assert "simulated" not in read(owner, address("preview", survey))


def test_charts_of_a_preview_match_its_page(owner):
    make_noisy(survey := Survey.objects.get())
    page = read(owner, address("preview", survey))
    for number in range(1, 5):
        chart = read(owner, address("chart", survey, number))
        (low, high) = re.search(r"(\d+) % to (\d+) %", chart).groups()
        assert f"{low} % to {high} %" in page


def test_previews_with_another_epsilon_draw_new_noise(owner):
    publication = make_noisy(survey := Survey.objects.get())
    seen = set()
    for epsilon in ("1.00", "2.00", "4.00"):
        publication.release_epsilon = epsilon
        seen.add(
            tuple(simulate_release(publication, get_results(survey)).noisy_counts[1])
        )
    assert len(seen) == 3


def test_before_a_release_the_owner_sees_the_interval_widths(owner):
    publication = make_noisy(survey := Survey.objects.get())
    page = read(owner, address("", survey))
    table = page[page.index("Half-width of the intervals") :]
    cells = re.findall(r"<td>([^<]+)</td> <td>([^<]+)</td>", table)
    assert len(cells) == 4
    direct = get_results(survey).questions[3].rows[0]
    assert cells[3][0] == f"± {50 * (direct.high - direct.low):.1f} points"
    for without, within in cells:
        noisy = re.fullmatch(r"± ([\d.]+) points", within)
        if noisy is None:
            assert within == "tells nothing"
        elif without != "tells nothing":
            assert float(noisy[1]) > float(re.search(r"[\d.]+", without)[0])
    owner.post(address("switch", survey), {"is_public": "on", "after": "0"})
    assert "Half-width" not in read(owner, address("", survey))
    publication.refresh_from_db()
    assert publication.is_public
