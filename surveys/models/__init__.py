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
    "Question",
    "Survey",
    "get_family_choices",
    "usual_labels",
]
