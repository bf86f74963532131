"""A busy server is asked again, and a refusal is final."""

import pytest

from respondents.imports.simulation.delivery import (
    ATTEMPTS,
    Answer,
    SimulationError,
    deliver,
    find_endpoint,
)
from surveys.design import load_design
from tests.factories import make_survey


@pytest.mark.django_db
class TestBusyServer:
    @pytest.fixture(autouse=True)
    def _impatient(self, monkeypatch):
        monkeypatch.setattr("respondents.imports.simulation.delivery.PAUSE_SECONDS", 0)

    def deliver_to(self, *answers, mode="browser"):
        survey = make_survey(mode=mode)
        endpoint = find_endpoint(load_design(survey.pk, survey.design_digest))
        answers, bodies = (Answer(*each) for each in answers), []

        def send(body):
            bodies.append(body)
            return next(answers)

        deliver(send, endpoint, b"message")
        return bodies

    def test_a_busy_server_gets_retries_with_the_same_bytes(self):
        bodies = self.deliver_to((503, b""), (503, b""), (200, b""))
        assert len(bodies) == 3
        assert len(set(bodies)) == 1

    def test_retries_to_a_busy_server_are_limited(self):
        with pytest.raises(SimulationError, match="answered 503: no explanation"):
            self.deliver_to(*[(503, b"<html>")] * ATTEMPTS)

    def test_a_refusal_is_final(self):
        refusal = b'{"error": {"field": "survey", "message": "It is closed."}}'
        with pytest.raises(SimulationError, match="answered 410: It is closed"):
            self.deliver_to((410, refusal))

    def test_a_form_redirected_to_the_thanks_page_is_accepted(self):
        thanks = (303, b"", "/s/study-habits/thanks/?received=12")
        assert len(self.deliver_to((503, b""), thanks, mode="hand")) == 2
