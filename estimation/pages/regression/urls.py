"""Regression: page and file; the site asks for the login."""

from django.urls import path

from estimation.pages.regression import views

of_no_survey = [
    path(
        "survey/regression/",
        views.regression_of_file,
        name="estimation_regression_file",
    )
]
of_a_survey = [
    path("results/regression/", views.regression_page, name="estimation_regression"),
    path(
        "results/regression.csv", views.regression_csv, name="estimation_regression_csv"
    ),
]
