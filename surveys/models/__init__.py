from surveys.models.question import Choice, Question, get_family_choices
from surveys.models.survey import Survey

__all__ = ["Choice", "Question", "Survey", "get_family_choices"]
