"""Where a field study is brought in; the site asks for the login."""

from django.urls import path

from estimation.pages.studies.views import import_study

of_no_survey = [path("survey/import/", import_study, name="estimation_import")]
