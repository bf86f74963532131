class SurveyClosedError(Exception):
    """The survey takes no responses: it is a draft, or closed."""


class TooFewLinksError(Exception):
    """The first links of a survey have to be at least as many as it promises."""


class UnknownInvitationError(Exception):
    """No link of this survey has this token."""
