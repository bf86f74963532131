"""Two questions together: page and files; the site asks for the login."""

from django.urls import path

from estimation.pages.compare import views

of_a_survey = [
    path("results/compare/", views.compare_page, name="estimation_compare"),
    path("results/compare.csv", views.compare_csv, name="estimation_compare_csv"),
    path(
        "results/compare.<slug:file_format>",
        views.compare_chart,
        name="estimation_compare_chart",
    ),
]
