"""Settings of the tests: the production file, fed a test's environment."""

import os
import tempfile

os.environ.setdefault("SECRET_KEY", "only-for-tests-" + "x" * 50)
os.environ.setdefault("ALLOWED_HOSTS", "localhost,127.0.0.1,testserver")
os.environ["HTTPS"] = "off"
# Playwright's synchronous interface runs an event loop in the thread of the test.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"

from config.settings import *  # noqa: F403
from config.settings import DATABASES, STORAGES

# In a file, as in production: threads then have connections, and locks, of their own.
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    DATABASES["default"]["TEST"] = {"NAME": f"{tempfile.mkdtemp()}/candor.sqlite3"}

STORAGES["staticfiles"] = {
    "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
}
WHITENOISE_USE_FINDERS = WHITENOISE_AUTOREFRESH = True

# Argon2 is slow on purpose; no test logs in to learn how slow.
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
