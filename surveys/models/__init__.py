from surveys.models.membership import Invitee, Membership, Role, role_in
from surveys.models.question import (
    USUAL_LABELS,
    Choice,
    Question,
    get_family_choices,
    usual_labels,
)
from surveys.models.survey import Survey
from surveys.models.visitor import Visitor, researcher

__all__ = [
    "USUAL_LABELS",
    "Choice",
    "Invitee",
    "Membership",
    "Question",
    "Role",
    "Survey",
    "Visitor",
    "get_family_choices",
    "researcher",
    "role_in",
    "usual_labels",
]
