from surveys.authoring.forms.formset import QuestionFormSet
from surveys.authoring.forms.question import QuestionForm
from surveys.authoring.forms.survey import SurveyForm, find_last_language

__all__ = ["QuestionForm", "QuestionFormSet", "SurveyForm", "find_last_language"]
