"""Recently seen surveys, whose pages are shown while the database is away.

All respondents get the same page, so it needs no database. Submissions are refused
meanwhile, and the browser sends them again.
"""

from time import monotonic

from surveys.design import CACHED_DESIGNS
from surveys.models import Survey

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
