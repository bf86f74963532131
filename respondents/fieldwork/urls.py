"""The researcher's pages on which a survey is tried, shared and ended."""

from django.urls import path

from respondents.fieldwork import period
from respondents.fieldwork.close import close_survey
from respondents.fieldwork.links import links
from respondents.fieldwork.purge import purge_survey
from respondents.fieldwork.rehearsal import views as rehearsal
from respondents.fieldwork.sharing import views as sharing

of_a_survey = [
    path("close/", close_survey, name="surveys_survey_close"),
    path("links/", links, name="surveys_survey_links"),
    path("period/", period.period, name="surveys_survey_period"),
    path("purge/", purge_survey, name="surveys_survey_purge"),
    path("try/", rehearsal.try_it, name="surveys_survey_try"),
    path("try/page/", rehearsal.respondents_page, name="surveys_survey_try_page"),
    path("try/page/thanks/", rehearsal.thanks, name="surveys_survey_try_thanks"),
    path("try/code.svg", rehearsal.code, name="surveys_survey_try_code"),
    path("share/", sharing.share, name="surveys_survey_share"),
    path("share/poster/", sharing.poster, name="surveys_survey_poster"),
    path("share/code.<str:kind>", sharing.code, name="surveys_survey_code"),
    path("share/invitation.txt", sharing.invitation, name="surveys_survey_invitation"),
]
