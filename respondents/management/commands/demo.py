"""Create demo surveys and a login."""

import secrets
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.urls import reverse

from candor.mechanisms import ParameterError
from respondents.imports.examples import prepare
from respondents.imports.simulation.delivery import SimulationError

USERNAME = "researcher"

PASSWORD_BYTES = 12


class Command(BaseCommand):
    help = (
        "Create a researcher's login and three example surveys: an open one and two "
        "closed ones with simulated answers, the second with scales and a draw. "
        "Existing logins and surveys are not changed."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--address",
            default=f"http://127.0.0.1:{settings.PORT}",
            help="address of the site, for the printed links (default %(default)s)",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        address = options["address"]
        researcher, password = find_or_create_researcher()
        try:
            filled, scaled, empty = prepare(researcher, with_progress_bar=True)
        except (ParameterError, SimulationError) as error:
            raise CommandError(str(error)) from error
        results, scales = (
            reverse("admin:estimation_results", args=[each.pk])
            for each in (filled, scaled)
        )
        self.stdout.write(
            "The demonstration is ready. Closed surveys' answers are simulated.\n"
            f"  Researchers log in at  {address}{reverse('admin:index')}\n"
            f"  User name              {USERNAME}\n"
            f"  Password               {password}\n"
            f"  Results to look at     {address}{results}\n"
            f"  Scales and a draw      {address}{scales}\n"
            f"  A survey to answer     {address}{empty.get_absolute_url()}"
        )


def find_or_create_researcher() -> tuple[User, str]:
    """Return the researcher, and the text to print as the password."""
    if found := User.objects.filter(username=USERNAME).first():
        reset = f"(chosen before; to reset: manage.py changepassword {USERNAME})"
        return found, reset
    password = secrets.token_urlsafe(PASSWORD_BYTES)
    created = User.objects.create_superuser(USERNAME, password=password)
    return created, f"{password}  (shown only now)"
