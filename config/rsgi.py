"""The RSGI application for granian (scripts/serve)."""

import os
from importlib import import_module
from threading import Timer

from django.apps import apps

from config.wsgi import application as django_application
from respondents.collecting.fast_path.server import Server

SECONDS_AFTER_START = 1

application = Server(django_application, threads=int(os.environ.get("THREADS") or 1))

if apps.is_installed("estimation"):
    # The planner needs it, and it takes a third of a second to load. Loading it after
    # the start delays neither the start nor the first plan.
    loading = Timer(SECONDS_AFTER_START, import_module, ["scipy.optimize"])
    loading.daemon = True
    loading.start()
