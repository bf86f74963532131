"""Settings of gunicorn, the server to use instead of granian.

gunicorn --config config/gunicorn_settings.py
"""

import os
import resource

# No picture of its memory, where an answer may be for an instant.
resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

wsgi_app = "config.wsgi:application"
bind = "127.0.0.1:8000"
workers = os.cpu_count() or 1
# An access log would hold the addresses of respondents, and below "error" gunicorn
# names the address of a client that sends something that is not HTTP.
accesslog = None
loglevel = "error"
# The planner asks about all questions on a form in one address; most gunicorn allows.
limit_request_line = 8190
