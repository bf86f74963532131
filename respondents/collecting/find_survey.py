"""Finds the survey of a request, in the database or in memory.

All respondents get the same page, so it needs no database. While the database is away,
submissions are refused, and the browser sends them again.
"""

from time import monotonic

from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, connections

from respondents.models import close_if_due
from respondents.storage.outages import DATABASE_TROUBLE, limit_waiting, outage
from surveys.design import CACHED_DESIGNS
from surveys.models import Survey

# Written out: building the SQL of a queryset for every request took more than half of
# the time of a page.
FIND_SURVEY = """
    SELECT id, slug, state, design_digest, is_simulated, batch_size, closed_on,
           closes_on, closes_at_target, target, results_address, rehearsal_of_id,
           is_imported, holder_key, unsealed
    FROM surveys_survey WHERE slug = %s
"""

SECONDS = 600
"""A survey may have been closed by hand meanwhile: then its submissions are refused."""


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
        """Return the survey where it was open minutes ago, and is not over since."""
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
        # A draft looks like no survey at all.
        return None
    if survey.is_open and survey.is_past_grace:
        # It may be days until the next visit, and deletions at the end are due.
        close_or_leave(survey)
    return survey


def close_or_leave(survey: Survey) -> None:
    """Close a survey whose time is over, or treat it as closed until it is."""
    if settings.SEALS:
        close_if_due(survey)
    else:
        survey.state, survey.closed_on = Survey.State.CLOSED, survey.closes_on


def find_or_recall(slug: str) -> Survey | None:
    """Return a survey; while the database is away, as it was seen last."""
    try:
        found = find_survey(slug)
    except DATABASE_TROUBLE as error:
        outage.note(error)
        if (last := recently_seen.get(slug)) is None:
            raise
        return last
    recently_seen.note(slug, found)
    return found
