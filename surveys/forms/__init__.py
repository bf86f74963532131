from surveys.forms.formset import QuestionFormSet
from surveys.forms.question import QuestionForm
from surveys.forms.survey import SurveyForm, as_last_time

__all__ = ["QuestionForm", "QuestionFormSet", "SurveyForm", "as_last_time"]
