import io
import os

from django.core.management import call_command
from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
# Before the settings are read, so that they limit how long a lock is waited for.
os.environ.setdefault("DATABASE_PATIENCE", "2")

application = get_wsgi_application()

# A dangerous combination of settings stops the server, not only manage.py. That there
# is none is no news; what is wrong goes to standard error.
call_command("check", stdout=io.StringIO())
