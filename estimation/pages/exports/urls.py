"""The files of one survey; the site asks for the login."""

from django.urls import path

from estimation.pages.exports import views

of_a_survey = [
    path("results/estimates.csv", views.estimates, name="estimation_csv"),
    path("export/", views.export, name="estimation_export"),
    path("export/all.zip", views.export_all, name="estimation_export_all"),
    path("export/xlsform.xlsx", views.xlsform, name="estimation_xlsform"),
    path("export/files/<str:name>", views.export_file, name="estimation_export_file"),
    path(
        "export/reports/<str:name>",
        views.export_reports,
        name="estimation_export_reports",
    ),
]
