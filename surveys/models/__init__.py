from surveys.models.membership import Invitee, Membership, Role, find_role
from surveys.models.question import Choice, Question, get_family_choices
from surveys.models.survey import Survey
from surveys.models.visitor import Visitor, require_researcher

__all__ = [
    "Choice",
    "Invitee",
    "Membership",
    "Question",
    "Role",
    "Survey",
    "Visitor",
    "find_role",
    "get_family_choices",
    "require_researcher",
]
