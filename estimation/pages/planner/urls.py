"""What a researcher sees before a survey opens; the site asks for the login."""

from django.urls import path

from estimation.pages.planner import views
from estimation.pages.planner.opening import opening

of_a_survey = [
    path("open/", opening, name="surveys_survey_open"),
]

of_no_survey = [
    path("plan/", views.plan, name="estimation_plan"),
    path("plan/margin.svg", views.plan_chart, name="estimation_plan_chart"),
]
