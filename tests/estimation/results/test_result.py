import pytest

from estimation.rows.shares import get_results
from respondents.models import Response
from tests.estimation.results_of import result_of, seal
from tests.factories import make_survey

YES, NO = b"\0", b"\1"


def test_equal_counts_are_estimated_once():
    first, again = (
        result_of(41, 59, family="crosswise", prevalence="1/3") for _ in range(2)
    )
    assert first.rows is again.rows
    other = result_of(42, 58, family="crosswise", prevalence="1/3")
    assert other.rows[0].low != first.rows[0].low


@pytest.mark.django_db
def test_an_open_survey_shows_sealed_responses_only():
    survey = make_survey(batch_size=10)
    shown = []
    for number in range(31):
        Response.objects.store(survey, f"{number:032x}", YES)
        shown.append(get_results(survey).respondents)
    assert shown == [0] * 19 + [10] * 10 + [20] * 2


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("mode", "weight"), [("browser", 1.5), ("hand", 1.5), ("server", 1)]
)
def test_forged_answers_shift_less_if_the_server_randomises(mode, weight):
    # privacy.md: 1 + 1/(e^eps - 1) n-ths in modes browser and hand, 1 in server
    (question,) = seal(make_survey(mode=mode), {YES: 40, NO: 60}).questions
    assert question.poisoning_radius == pytest.approx(weight / 100)
