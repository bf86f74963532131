"""What a process has loaded before those that work next to the tests are forked."""

import django
from django.utils.module_loading import import_string

django.setup()
import_string("respondents.distribution.deletion.purge")
