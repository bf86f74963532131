"""Close the surveys whose field period is over."""

from typing import Any

from django.core.management.base import BaseCommand

from respondents.models import close_if_due
from respondents.storage.secure_deletion import retry_overwriting
from surveys.models import Survey


class Command(BaseCommand):
    help = (
        "Close every open survey whose last day is over. Run it every hour, so that "
        "data to be deleted at closing are deleted even without visitors."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        surveys = Survey.objects.filter(state=Survey.State.OPEN).order_by("pk")
        for survey in surveys:
            close_if_due(survey)
            if survey.is_closed:
                self.stdout.write(f"Closed {survey.slug!r}.")
        retry_overwriting()
        self.stdout.write(f"Open surveys checked: {len(surveys)}.")
