"""URLs of the pages to try, share, close and delete."""

from django.urls import path

from respondents.distribution import (
    field_period,
    rehearsal,
    sealed_reports,
    share_page,
)
from respondents.distribution.deletion import purge_survey
from respondents.distribution.links import links

of_a_survey = [
    path("close/", field_period.close_survey, name="surveys_survey_close"),
    path("links/", links, name="surveys_survey_links"),
    path("period/", field_period.period, name="surveys_survey_period"),
    path("purge/", purge_survey, name="surveys_survey_purge"),
    path("sealed/", sealed_reports.open_sealed, name="surveys_survey_sealed"),
    path("sealed/batch.json", sealed_reports.batch, name="surveys_survey_batch"),
    path("try/", rehearsal.try_it, name="surveys_survey_try"),
    path("try/page/", rehearsal.respondents_page, name="surveys_survey_try_page"),
    path("try/page/thanks/", rehearsal.thanks, name="surveys_survey_try_thanks"),
    path("try/code.svg", rehearsal.code, name="surveys_survey_try_code"),
    path("share/", share_page.share, name="surveys_survey_share"),
    path("share/poster/", share_page.poster, name="surveys_survey_poster"),
    path("share/code.<str:kind>", share_page.code, name="surveys_survey_code"),
    path(
        "share/invitation.txt", share_page.invitation, name="surveys_survey_invitation"
    ),
]
