"""The pages of one survey's results; the site asks for the login."""

from django.urls import path

from estimation.pages.results import charts, views

of_a_survey = [
    path("results/", views.results, name="estimation_results"),
    path(
        "results/<int:position>/chart.<slug:file_format>",
        charts.question_chart,
        name="estimation_chart",
    ),
    path(
        "results/overview.<slug:file_format>",
        charts.overview,
        name="estimation_overview",
    ),
]
