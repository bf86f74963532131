"""Remove the second factor of a user who lost phone and recovery codes."""

from typing import Any

from allauth.mfa.utils import is_mfa_enabled
from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError, CommandParser

from config.accounts.second_factor import remove_factor


class Command(BaseCommand):
    """`manage.py reset_second_factor USERNAME`."""

    help = (
        "Remove the second factor of an account and end its sessions. For users who "
        "lost their phone and recovery codes, if no superuser can remove it on the "
        "account's page."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("username")

    def handle(self, *args: Any, **options: Any) -> None:
        user = User.objects.filter(username=options["username"]).first()
        if user is None:
            raise CommandError(f"There is no account {options['username']!r}.")
        if not is_mfa_enabled(user):
            raise CommandError(f"{user.get_username()} has no second factor.")
        remove_factor(user)
        self.stdout.write(f"{user.get_username()} now logs in with the password only.")
