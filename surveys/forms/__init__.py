from surveys.forms.formset import QuestionFormSet
from surveys.forms.question import QuestionForm
from surveys.forms.survey import SurveyForm

__all__ = ["QuestionForm", "QuestionFormSet", "SurveyForm"]
