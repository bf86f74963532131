from surveys.models.membership import Membership, Role, role_in
from surveys.models.question import (
    USUAL_LABELS,
    Choice,
    Question,
    get_family_choices,
    usual_labels,
)
from surveys.models.survey import Survey

__all__ = [
    "USUAL_LABELS",
    "Choice",
    "Membership",
    "Question",
    "Role",
    "Survey",
    "get_family_choices",
    "role_in",
    "usual_labels",
]
