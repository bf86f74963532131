from surveys.authoring.forms.formset import QuestionFormSet
from surveys.authoring.forms.question import QuestionForm
from surveys.authoring.forms.survey import SurveyForm, as_last_time

__all__ = ["QuestionForm", "QuestionFormSet", "SurveyForm", "as_last_time"]
