"""Finds the survey of a request, in the database or in memory.

All respondents get the same page, so it can be served while the database is away.
Submissions are refused meanwhile, and the browser sends them again.
"""

from time import monotonic

from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, connections

from respondents.models import close_if_due
from respondents.storage.outages import DATABASE_TROUBLE, limit_waiting, outage
from surveys.design import CACHED_DESIGNS
from surveys.models import Survey

# Written as SQL, because building the SQL of a queryset for every request took more
# than half of the time of a page.
FIND_SURVEY = """
    SELECT id, slug, state, design_digest, is_simulated, batch_size, closed_on,
           closes_on, closes_at_target, target, results_address, rehearsal_of_id,
           is_imported, holder_key, unsealed
    FROM surveys_survey WHERE slug = %s
"""

SECONDS = 600
"""How long a survey is remembered. It may have been closed meanwhile; then its
submissions are refused."""


class RecentSurveys:
    def __init__(self) -> None:
        self.surveys: dict[str, tuple[float, Survey]] = {}

    def note(self, slug: str, survey: Survey | None) -> None:
        self.surveys.pop(slug, None)
        if survey is not None and survey.is_open:
            self.surveys[slug] = monotonic(), survey
            if len(self.surveys) > CACHED_DESIGNS:
                del self.surveys[next(iter(self.surveys))]

    def get(self, slug: str) -> Survey | None:
        """Return the survey if it was open minutes ago and has not ended since."""
        seen_at, survey = self.surveys.get(slug, (0.0, None))
        if survey is None or survey.has_ended or monotonic() - seen_at > SECONDS:
            return None
        return survey


recently_seen = RecentSurveys()


def find_survey(slug: str) -> Survey | None:
    """Return an opened survey with the few columns that a request needs."""
    outage.refuse_while_away()
    with limit_waiting(connections[DEFAULT_DB_ALIAS]):
        survey = next(iter(Survey.objects.raw(FIND_SURVEY, [slug])), None)
    outage.note_reachable()
    if survey is None or survey.is_draft:
        # A draft is treated as an unknown survey.
        return None
    if survey.is_open and survey.is_past_grace:
        # The next visit may be days away, and the deletions at closing are due.
        close_or_leave(survey)
    return survey


def close_or_leave(survey: Survey) -> None:
    """Close a survey that has ended, or treat it as closed if this server may not."""
    if settings.SEALS:
        close_if_due(survey)
    else:
        survey.state, survey.closed_on = Survey.State.CLOSED, survey.closes_on


def find_or_recall(slug: str) -> Survey | None:
    """Return a survey; while the database is away, the copy in memory."""
    try:
        survey = find_survey(slug)
    except DATABASE_TROUBLE as error:
        outage.note(error)
        if (last := recently_seen.get(slug)) is None:
            raise
        return last
    recently_seen.note(slug, survey)
    return survey
