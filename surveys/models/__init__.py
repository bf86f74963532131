from surveys.models.membership import Invitee, Membership, Role, find_role
from surveys.models.question import (
    DEFAULT_LABELS,
    Choice,
    Question,
    get_default_labels,
    get_family_choices,
)
from surveys.models.survey import Survey
from surveys.models.visitor import Visitor, require_researcher

__all__ = [
    "DEFAULT_LABELS",
    "Choice",
    "Invitee",
    "Membership",
    "Question",
    "Role",
    "Survey",
    "Visitor",
    "find_role",
    "get_default_labels",
    "get_family_choices",
    "require_researcher",
]
