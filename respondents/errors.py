class SurveyClosedError(Exception):
    """The survey takes no responses: it is a draft, or closed."""


class UnknownInvitationError(Exception):
    """No link of this survey has this token."""
