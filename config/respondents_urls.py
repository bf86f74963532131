"""URLs of the respondents' site; config.urls includes them."""

from django.conf import settings
from django.urls import include, path

from config.errors import health
from respondents.collecting.urls import urlpatterns as collecting
from respondents.explaining.urls import of_a_survey as cards

urlpatterns = [
    path(
        settings.RESPONDENTS_PATH[1:], include(([*collecting, *cards], "respondents"))
    ),
    path("", include("respondents.explaining.urls")),
    path("health/", health, name="health"),
]

handler500 = "config.errors.server_error"
