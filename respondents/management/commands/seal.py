"""Seal what has arrived."""

from typing import Any

from django.core.management.base import BaseCommand

from respondents.models import Response
from respondents.traces import erase_what_is_left
from surveys.models import Survey


class Command(BaseCommand):
    """`manage.py seal`."""

    help = (
        "Fold the responses of every open survey into counts where a whole batch has "
        "arrived. The results page does this too; run it regularly, so that responses "
        "do not wait for somebody to look."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        surveys = Survey.objects.filter(state=Survey.State.OPEN)
        for survey in surveys:
            Response.objects.seal_if_due(survey)
        erase_what_is_left()
        self.stdout.write(f"Looked at {len(surveys)} open surveys.")
