"""The page on which a draft is tried, its frames, and what respondents' pages say."""

import pytest
from django.contrib.admin.models import LogEntry

from respondents.distribution import rehearsal
from respondents.models import Response
from surveys.models import Survey
from tests.factories import find_thanks, make_responses, make_survey, make_user
from tests.respondents.markup import Markup

pytestmark = pytest.mark.django_db

NOTICES = {
    "en": "This is a test. Answers given here are deleted when the survey opens.",
    "de": "Dies ist ein Test. Was Sie hier antworten, wird gelöscht, wenn die Umfrage "
    "beginnt.",
}
DEMONSTRATION = "Demonstration: these answers are not used."
FORM = "application/x-www-form-urlencoded"


@pytest.fixture
def draft(client):
    survey = make_survey(["coin", "die"], opened=False)
    client.force_login(survey.owner)
    return survey


def address(survey, page=""):
    return f"/admin/surveys/survey/{survey.pk}/try/{page}"


def text(answer):
    return answer.content.decode()


def policy(answer):
    parts = answer["Content-Security-Policy"].split(";")
    return dict(part.strip().split(" ", 1) for part in parts)


def log_of(survey):
    entries = LogEntry.objects.filter(object_id=str(survey.pk)).order_by("pk")
    return [entry.get_change_message() for entry in entries]


def form_of(survey, *picks, number=1):
    fields = {"submission": f"{number:032x}", "consent": "on"}
    fields |= {f"q{place}": pick for place, pick in enumerate(picks, start=1)}
    return "&".join(f"{name}={value}" for name, value in fields.items())


class TestSteps:
    def test_starting_and_ending_a_rehearsal_is_logged(self, client, draft):
        assert "Start the test" in text(client.get(address(draft)))
        client.post(address(draft), {"step": "start"})
        test = rehearsal.find(draft)
        make_responses(test, [b"\0\0", b"\1\1"])
        shown = client.get(address(draft))
        assert shown.context["responses"] == 2
        assert f"http://testserver/s/{test.slug}/" in text(shown)

        client.post(address(draft), {"step": "wipe"})
        assert rehearsal.find(draft) is None
        assert not Response.objects.exists()
        assert log_of(draft) == [
            "Started a test.",
            "Ended the test and deleted its answers.",
        ]

    def test_an_older_version_is_reported_and_restarted(self, client, draft):
        rehearsal.start(draft)
        assert "shows an older version" not in text(client.get(address(draft)))
        draft.questions.update(text="Changed?")
        assert "shows an older version" in text(client.get(address(draft)))
        client.post(address(draft), {"step": "start"})
        assert "shows an older version" not in text(client.get(address(draft)))
        assert "Changed?" in text(client.get(rehearsal.find(draft).get_absolute_url()))

    def test_an_opened_survey_cannot_be_rehearsed(self, client, draft):
        rehearsal.start(draft)
        rehearsal.open_survey(draft)
        answer = client.get(address(draft))
        assert answer["Location"] == f"/admin/surveys/survey/{draft.pk}/change/"
        assert client.post(address(draft), {"step": "start"}).status_code == 302
        assert list(Survey.objects.all()) == [draft]
        for page in ("page/", "page/thanks/", "code.svg"):
            assert client.get(address(draft, page)).status_code == 404


class TestFrames:
    def test_the_frame_shows_the_page_of_respondents(self, client, draft):
        test = rehearsal.start(draft)
        framed = client.get(address(draft, "page/"))
        assert framed.content == client.get(test.get_absolute_url()).content

    def test_only_rehearsal_pages_can_be_framed_by_the_site(self, client, draft):
        test = rehearsal.start(draft)
        framed = client.get(address(draft, "page/"))
        assert policy(framed)["frame-ancestors"] == "'self'"
        assert framed["X-Frame-Options"] == "SAMEORIGIN"
        around = client.get(address(draft))
        assert policy(around)["frame-src"] == "'self'"
        respondents = client.get(test.get_absolute_url())
        for other in (around, respondents):
            assert policy(other)["frame-ancestors"] == "'none'"
            assert other["X-Frame-Options"] == "DENY"
        assert "frame-src" not in policy(framed)
        # Everything else is as everywhere.
        changed = {"frame-ancestors", "frame-src"}
        policies = [
            {name: said for name, said in policy(each).items() if name not in changed}
            for each in (framed, around, respondents)
        ]
        assert policies[0] == policies[1] == policies[2]

    @pytest.mark.parametrize("mode", ["server", "hand"])
    def test_plain_forms_stay_in_their_frame(self, client, draft, mode):
        Survey.objects.filter(pk=draft.pk).update(mode=mode)
        test = rehearsal.start(draft)
        page = client.get(address(draft, "page/"))
        # Without an action, a form is sent to where it came from.
        assert "action=" not in text(page)
        sent = client.generic(
            "POST", address(draft, "page/"), form_of(test, 0, 1), FORM
        )
        query = find_thanks(test).partition("?")[2]
        assert sent["Location"] == address(draft, f"page/thanks/?{query}")
        thanks = client.get(sent["Location"])
        assert policy(thanks)["frame-ancestors"] == "'self'"
        assert thanks["X-Frame-Options"] == "SAMEORIGIN"
        assert '<a href="..">Answer again</a>' in text(thanks)
        assert rehearsal.count_responses(test) == 1

    def test_frame_pages_are_not_found_without_a_rehearsal(self, client, draft):
        for page in ("page/", "page/thanks/", "code.svg"):
            assert client.get(address(draft, page)).status_code == 404


def respondents_pages(client, survey):
    """Return what a respondent of a plain form comes to."""
    url = survey.get_absolute_url()
    missing = client.generic("POST", url, "consent=on", FORM)
    return [client.get(url), missing, client.get(find_thanks(survey))]


class TestRespondentPages:
    @pytest.mark.parametrize("language", ["en", "de"])
    @pytest.mark.parametrize("mode", ["browser", "server", "hand"])
    def test_every_rehearsal_page_shows_a_notice(self, client, mode, language):
        draft = make_survey(["coin", "die"], opened=False, mode=mode, language=language)
        test = rehearsal.start(draft)
        pages = respondents_pages(client, test)
        for page in pages if mode != "browser" else pages[:1]:
            assert NOTICES[language] in Markup(text(page)).blocks
            assert DEMONSTRATION not in text(page)


class TestRehearsalSurvey:
    def test_a_rehearsal_is_not_listed(self, client, draft):
        test = rehearsal.start(draft)
        for page in ("/admin/", "/admin/surveys/survey/"):
            shown = text(client.get(page))
            assert "Study habits" in shown
            assert f"/survey/{test.pk}/" not in shown

    def test_the_change_page_of_a_rehearsal_redirects_to_its_draft(self, client, draft):
        test = rehearsal.start(draft)
        answer = client.get(f"/admin/surveys/survey/{test.pk}/change/")
        assert answer["Location"] == address(draft)
        client.force_login(make_user("stranger"))
        answer = client.get(f"/admin/surveys/survey/{test.pk}/change/")
        assert answer.status_code == 404

    @pytest.mark.parametrize("page", ["close", "open", "delete", "try"])
    def test_a_rehearsal_is_changed_only_through_its_draft(self, client, draft, page):
        test = rehearsal.start(draft)
        url = f"/admin/surveys/survey/{test.pk}/{page}/"
        answer = client.post(url, {"post": "yes", "step": "start"})
        assert answer.status_code == 404
        assert rehearsal.find(draft) == test
