"""The help page, and its section, for each of the researchers' pages."""

from django.conf import settings
from django.http import HttpRequest
from django.urls import NoReverseMatch

from config.help.documents import make_help_address

FIRST_STEPS = "start/first-survey"

HOME_OF_HELP = ""

TROUBLES = "start/troubles#"

PLACES = {
    "index": FIRST_STEPS,
    "account_login": "start/troubles#logins",
    "password_change": "start/troubles#logins",
    "password_change_done": "start/troubles#logins",
    "admin_password_reset": "start/troubles#no-e-mail-comes",
    "password_reset_done": "start/troubles#no-e-mail-comes",
    "password_reset_confirm": "start/troubles#logins",
    "password_reset_complete": "start/troubles#logins",
    "auth_user_changelist": "administrators/accounts#logins-of-researchers",
    "auth_user_add": "researchers/working-together#inviting-a-colleague",
    "auth_user_change": "administrators/accounts#logins-of-researchers",
    "auth_user_second_factor": "administrators/accounts#a-second-factor",
    "mfa_index": "start/troubles#the-second-factor",
    "mfa_authenticate": "start/troubles#the-second-factor",
    # Writing
    "surveys_survey_changelist": "researchers/working-together#finding-a-survey",
    "surveys_survey_add": "researchers/authoring",
    "surveys_survey_change": "researchers/authoring",
    "surveys_survey_states": "researchers/authoring#saving",
    "surveys_survey_translations": "researchers/authoring#several-languages",
    "surveys_survey_library": "researchers/authoring#library-and-studies",
    "surveys_survey_studies": "researchers/authoring#library-and-studies",
    "surveys_survey_from_file": "reference/survey-format",
    "surveys_survey_duplicate": "researchers/working-together#who-may-do-what",
    "surveys_survey_people": "researchers/working-together#who-may-do-what",
    "surveys_survey_invite": "researchers/working-together#inviting-a-colleague",
    "surveys_survey_history": "researchers/working-together#the-log",
    "surveys_survey_delete": "researchers/authoring#saving",
    "surveys_survey_deleted": "researchers/authoring#saving",
    "surveys_survey_undelete": "researchers/authoring#saving",
    "surveys_survey_open": "researchers/working-together#the-checklist",
    "surveys_survey_try": "researchers/authoring#try-it-before-opening",
    "estimation_simulate": "researchers/authoring#try-it-before-opening",
    # The field
    "surveys_survey_share": "researchers/fieldwork#share",
    "surveys_survey_links": "researchers/fieldwork#one-time-links",
    "surveys_survey_period": "researchers/working-together#the-field-period",
    "surveys_survey_close": "researchers/working-together#the-field-period",
    "surveys_survey_sealed": "researchers/authoring#sealed-until-closing",
    "estimation_monitor": "researchers/fieldwork#monitor",
    "surveys_survey_archive": "researchers/working-together#archive",
    "surveys_survey_purge": "researchers/working-together#deleting-all-reports",
    # Results
    "estimation_example": FIRST_STEPS,
    "estimation_results": "researchers/results",
    "estimation_compare": "researchers/differences",
    "estimation_regression": "researchers/regression",
    "estimation_regression_file": "researchers/regression#on-the-page",
    "estimation_weighted": "researchers/weights",
    "estimation_export": "researchers/exports",
    "estimation_tokens": "researchers/programs",
    "estimation_publish": "researchers/publishing",
    "estimation_import": "reference/import-format",
}
"""By URL name; all other pages link to the start of the help."""


def find_help(request: HttpRequest, anchor: str) -> str:
    """Return the address of the help on a problem, for researchers' pages.

    Empty for all other pages, and on the respondents' site, which has no help.
    """
    if not request.path_info.startswith(settings.RESEARCHERS_PATH):
        return ""
    try:
        return make_help_address(TROUBLES + anchor)
    except NoReverseMatch:
        return ""
