"""Settings of the tests: the production file, fed a test's environment."""

import os

# Only the database depends on the environment.
os.environ |= {
    "ENV_FILE": os.devnull,
    "SECRET_KEY": "only-for-tests-" + "x" * 50,
    "ALLOWED_HOSTS": "localhost,127.0.0.1,testserver",
    "DEBUG": "off",
    "HTTPS": "off",
    "BEHIND_PROXY": "off",
    "CSRF_TRUSTED_ORIGINS": "",
    "MAX_TOTAL_EPSILON": "5",
    "EMAIL_URL": "",
    "LEAST_RESPONSES": "10",
    "SECOND_FACTOR": "optional",
    "TIME_ZONE": "UTC",
    # Playwright's synchronous interface runs an event loop in the thread of the test.
    "DJANGO_ALLOW_ASYNC_UNSAFE": "1",
}
# tests/conftest.py puts the database of the tests into another file; this one is never
# opened. Not ":memory:": the live server, asked first, would share its one connection
# between threads, and SQLite crashes.
os.environ.setdefault("DATABASE_URL", f"sqlite:///{os.devnull}")

from config.settings import *  # noqa: F403
from config.settings import STORAGES

STORAGES["staticfiles"] = {
    "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
}
WHITENOISE_USE_FINDERS = WHITENOISE_AUTOREFRESH = True

# Argon2 is slow on purpose.
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
