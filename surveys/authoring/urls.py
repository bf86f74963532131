"""Pages of the researchers beside the form; config/admin.py asks for the login."""

from django.urls import URLPattern, path

from surveys.authoring import lifecycle as lifecycle_views
from surveys.authoring import people


def get_urls() -> list[URLPattern]:
    """Return the pages of one survey, below its place in the admin."""
    return [
        path("archive/", lifecycle_views.archive, name="surveys_survey_archive"),
        path(
            "definition.json",
            lifecycle_views.definition,
            name="surveys_survey_definition",
        ),
        path(
            "duplicate/",
            lifecycle_views.duplicate_survey,
            name="surveys_survey_duplicate",
        ),
        path("people/", people.people, name="surveys_survey_people"),
    ]


def get_urls_without_survey() -> list[URLPattern]:
    """Return the pages of no survey in particular."""
    return [
        path(
            "survey/from-file/",
            lifecycle_views.from_file,
            name="surveys_survey_from_file",
        )
    ]
