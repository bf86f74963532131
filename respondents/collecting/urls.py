"""URLs of a survey for respondents, below `settings.RESPONDENTS_PATH`."""

from django.urls import path

from respondents.collecting import views

urlpatterns = [
    path("<slug:slug>/", views.survey, name="survey"),
    path("<slug:slug>/reports/", views.reports, name="reports"),
    path("<slug:slug>/thanks/", views.thanks, name="thanks"),
    path("<slug:slug>/design/", views.design, name="design"),
]
