from surveys.authoring.forms.formset import QuestionFormSet
from surveys.authoring.forms.question import QuestionForm
from surveys.authoring.forms.survey import SurveyForm, last_language

__all__ = ["QuestionForm", "QuestionFormSet", "SurveyForm", "last_language"]
