"""Modules loaded by the process from which those of the tests are forked."""

import django
from django.utils.module_loading import import_string

django.setup()
import_string("respondents.distribution.deletion.purge")
