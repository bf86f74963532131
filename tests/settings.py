"""Settings of the tests: the production file, fed a test's environment."""

import atexit
import os
import shutil
import tempfile

# Neither a .env file nor the shell decides what is tested, save for the database.
os.environ |= {
    "ENV_FILE": os.devnull,
    "SECRET_KEY": "only-for-tests-" + "x" * 50,
    "ALLOWED_HOSTS": "localhost,127.0.0.1,testserver",
    "DEBUG": "off",
    "HTTPS": "off",
    "BEHIND_PROXY": "off",
    "CSRF_TRUSTED_ORIGINS": "",
    "TIME_ZONE": "UTC",
    # Playwright's synchronous interface runs an event loop in the thread of the test.
    "DJANGO_ALLOW_ASYNC_UNSAFE": "1",
}
if "DATABASE_URL" not in os.environ:
    # In a file, as in production: threads then have connections and locks of their own.
    scratch = tempfile.mkdtemp(prefix="candor-tests-")
    atexit.register(shutil.rmtree, scratch, ignore_errors=True)
    os.environ["DATABASE_URL"] = f"sqlite:///{scratch}/candor.sqlite3"

from config.settings import *  # noqa: F403
from config.settings import DATABASES, STORAGES

if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    # By default Django would test in memory.
    DATABASES["default"]["TEST"] = {"NAME": f"{DATABASES['default']['NAME']}.tests"}

STORAGES["staticfiles"] = {
    "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
}
WHITENOISE_USE_FINDERS = WHITENOISE_AUTOREFRESH = True

# Argon2 is slow on purpose; no test logs in to learn how slow.
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
