"""The least number of responses from which results are shown."""

from django.conf import settings

from surveys.models import Survey


class TooFewResponsesError(Exception):
    """A survey's results are withheld: too few responses, or they are still sealed."""

    def __init__(self, survey: Survey, respondents: int) -> None:
        self.survey, self.respondents = survey, respondents
        self.least = least_responses(survey)
        is_enough = survey.is_open or respondents >= self.least
        self.is_sealed = survey.awaits_opening and is_enough
        """Whether results appear once the key holder has opened the reports."""
        if self.is_sealed and survey.holder:
            super().__init__(
                f"{survey.slug!r} is sealed: {survey.holder.holder} opens its reports "
                "after closing"
            )
            return
        counted = "1 response" if respondents == 1 else f"{respondents} responses"
        super().__init__(
            f"{survey.slug!r} has {counted}; results are shown and exported from "
            f"{self.least} responses on"
        )


def least_responses(survey: Survey) -> int:
    """Return the number of responses from which results are shown.

    It is 0 for simulated answers and tests, which do not come from respondents, and for
    imported studies, whose reports the researcher already has. A promise to respondents
    remains valid if the setting is lower now.
    """
    if survey.is_simulated or survey.is_imported:
        return 0
    return max(settings.LEAST_RESPONSES, survey.least_responses or 0)


def has_too_few(survey: Survey, respondents: int) -> bool:
    """Return whether results from this number of respondents are withheld.

    With 0 respondents there is nothing to withhold. Sealed reports have no results
    before they are opened.
    """
    return survey.awaits_opening or 0 < respondents < least_responses(survey)


def refuse_too_few(survey: Survey, respondents: int) -> None:
    if has_too_few(survey, respondents):
        raise TooFewResponsesError(survey, respondents)
