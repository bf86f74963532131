"""Settings of the respondents' site alone, without anything for researchers.

It has no session, login, admin or estimation, whose libraries take three quarters of
the memory. See docs/decisions/0016-two-doors.md.
"""

from config.settings import *  # noqa: F403
from config.settings import HSTS_CHECKS, MIDDLEWARE, TEMPLATES

INSTALLED_APPS = [
    "config.apps.CandorConfig",
    # Surveys refer to users, but no one can log in.
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.staticfiles",
    "surveys",
    "respondents",
]
OF_RESEARCHERS = ("config.middleware.", "allauth.")
MIDDLEWARE = [each for each in MIDDLEWARE if not each.startswith(OF_RESEARCHERS)]
AUTHENTICATION_BACKENDS = []
SILENCED_SYSTEM_CHECKS = ["security.W003", *HSTS_CHECKS]
ROOT_URLCONF = "config.respondents_urls"
TEMPLATES = [{**TEMPLATES[0], "OPTIONS": {}}]
# Sealing reads reports, and this service may not: docs/administrators/large-sites.md.
SEALS = False
