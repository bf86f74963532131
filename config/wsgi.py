import io
import os

from django.core.management import call_command
from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
# Set before the settings are read. It limits how long a request waits for a lock.
os.environ.setdefault("DATABASE_PATIENCE", "2")

application = get_wsgi_application()

# A dangerous combination of settings stops the server, not only manage.py. The message
# that there is none is discarded; errors go to standard error.
call_command("check", stdout=io.StringIO())
