from django.urls import path

from respondents import views

app_name = "respondents"
urlpatterns = [
    path("<slug:slug>/", views.survey, name="survey"),
    path("<slug:slug>/reports/", views.reports, name="reports"),
    path("<slug:slug>/thanks/", views.thanks, name="thanks"),
]
