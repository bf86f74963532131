"""Let somebody in who lost phone and recovery codes."""

from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError, CommandParser

from config.accounts.second_factor.factor import factor_of, turn_off


class Command(BaseCommand):
    """`manage.py reset_second_factor USERNAME`."""

    help = (
        "Take the second factor of an account away and end its sessions. For who lost "
        "phone and recovery codes, where no superuser can do it on the page of the "
        "account."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("username")

    def handle(self, *args: Any, **options: Any) -> None:
        user = User.objects.filter(username=options["username"]).first()
        if user is None:
            raise CommandError(f"There is no account {options['username']!r}.")
        if factor_of(user) is None:
            raise CommandError(f"{user.get_username()} has no second factor.")
        turn_off(user)
        self.stdout.write(f"The password alone lets {user.get_username()} in now.")
