"""Weighted results of one survey: page and file; the site asks for the login."""

from django.urls import path

from estimation.pages.weighting import views

of_a_survey = [
    path("results/weighted/", views.weighted, name="estimation_weighted"),
    path("results/weighted.csv", views.weighted_csv, name="estimation_weighted_csv"),
]
