"""The page on which a survey is watched; the site asks for the login."""

from django.urls import path

from estimation.pages.monitor import views

of_a_survey = [
    path("monitor/", views.monitor, name="estimation_monitor"),
    path("monitor/numbers/", views.numbers, name="estimation_monitor_numbers"),
]
