"""A site of django-survey-and-report in a separate environment.

PEER_DATABASE is an SQLite file or a libpq connection string. PEER_TUNED gives SQLite
the settings of Candor. `python survey_site.py` creates the database and a survey, and
prints its address. `python survey_site.py count` prints the number of responses.
"""

import os
import sys

import django
from django.conf import settings
from django.core.wsgi import get_wsgi_application

QUESTIONS = 5
TUNED = {
    "transaction_mode": "IMMEDIATE",
    "timeout": 20,
    "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL",
}


def database() -> dict[str, object]:
    place = os.environ["PEER_DATABASE"]
    if "dbname=" in place:
        from psycopg.conninfo import conninfo_to_dict

        asked = conninfo_to_dict(place)
        return {
            "ENGINE": "django.db.backends.postgresql",
            "NAME": asked["dbname"],
            "USER": asked.get("user", ""),
            "PASSWORD": asked.get("password", ""),
            "HOST": asked.get("host", ""),
            "PORT": asked.get("port", ""),
            "CONN_MAX_AGE": None,
        }
    return {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": place,
        "CONN_MAX_AGE": None if os.environ.get("PEER_TUNED") else 0,
        "OPTIONS": TUNED if os.environ.get("PEER_TUNED") else {},
    }


settings.configure(
    SECRET_KEY="of a site that nobody but a benchmark visits",  # noqa: S106
    ALLOWED_HOSTS=["127.0.0.1"],
    ROOT_URLCONF="survey.urls",
    STATIC_URL="/static/",
    LOGIN_URL="/login/",
    LOGGING_CONFIG=None,
    DEFAULT_SURVEY_PUBLISHING_DURATION=7,
    CHOICES_SEPARATOR=",",
    USER_DID_NOT_ANSWER="Left blank",
    DATABASES={"default": database()},
    INSTALLED_APPS=[
        "django.contrib.auth",
        "django.contrib.contenttypes",
        "django.contrib.sessions",
        "django.contrib.messages",
        "django.contrib.staticfiles",
        "survey",
    ],
    MIDDLEWARE=[
        "django.middleware.security.SecurityMiddleware",
        "django.contrib.sessions.middleware.SessionMiddleware",
        "django.middleware.common.CommonMiddleware",
        "django.middleware.csrf.CsrfViewMiddleware",
        "django.contrib.auth.middleware.AuthenticationMiddleware",
        "django.contrib.messages.middleware.MessageMiddleware",
    ],
    TEMPLATES=[
        {
            "BACKEND": "django.template.backends.django.DjangoTemplates",
            "APP_DIRS": True,
            "OPTIONS": {
                "context_processors": [
                    "django.template.context_processors.request",
                    "django.contrib.auth.context_processors.auth",
                    "django.contrib.messages.context_processors.messages",
                ]
            },
        }
    ],
)
django.setup()
application = get_wsgi_application()


def prepare() -> str:
    """Return the address of an open survey of yes/no questions."""
    from django.core.management import call_command
    from survey.models import Question, Survey

    call_command("migrate", verbosity=0)
    survey = Survey.objects.create(
        name="Benchmark", description="", need_logged_user=False
    )
    for number in range(QUESTIONS):
        Question.objects.create(
            survey=survey,
            text=f"Question {number + 1}?",
            order=number,
            required=True,
            type=Question.RADIO,
            choices="Yes,No",
        )
    return f"/{survey.pk}/"


def count() -> str:
    from survey.models import Response

    return str(Response.objects.count())


if __name__ == "__main__":
    sys.stdout.write(count() if "count" in sys.argv else prepare())
