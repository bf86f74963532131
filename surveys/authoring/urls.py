"""URLs of authoring pages other than the form; the site requires a login."""

from django.urls import path

from surveys.authoring import lifecycle
from surveys.authoring.collaborators import people
from surveys.authoring.deletion import deleted_drafts, undelete
from surveys.authoring.states import states
from surveys.authoring.studies import studies
from surveys.authoring.texts import library_entries
from surveys.authoring.translations import translations

of_a_survey = [
    path("archive/", lifecycle.archive, name="surveys_survey_archive"),
    path("definition.json", lifecycle.definition, name="surveys_survey_definition"),
    path("duplicate/", lifecycle.duplicate_survey, name="surveys_survey_duplicate"),
    path("people/", people, name="surveys_survey_people"),
    path("states/", states, name="surveys_survey_states"),
    path("translations/", translations, name="surveys_survey_translations"),
    path("undelete/", undelete, name="surveys_survey_undelete"),
]
of_no_survey = [
    path("survey/from-file/", lifecycle.from_file, name="surveys_survey_from_file"),
    path("survey/deleted/", deleted_drafts, name="surveys_survey_deleted"),
    path("survey/studies/", studies, name="surveys_survey_studies"),
    path("survey/library/", library_entries, name="surveys_survey_library"),
]
