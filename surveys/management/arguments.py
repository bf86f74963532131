"""What several commands take: NAME=VALUE pairs, numbers, files, surveys, owners."""

import argparse
from collections.abc import Iterable
from pathlib import Path

from django.contrib.auth.models import User
from django.core.management.base import CommandError

from candor.mechanisms.parameters import exact, shown
from surveys.files.values import FileError
from surveys.models import Survey


def read_pairs(option: str, texts: Iterable[str]) -> dict[str, str]:
    """Return {name: value} of arguments such as yes=40."""
    found: dict[str, str] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not name:
            raise CommandError(f"{option} takes NAME=VALUE; got {text!r}")
        if name in found:
            raise CommandError(f"{option} names {name!r} twice")
        found[name] = value
    return found


def find_survey(slug: str) -> Survey:
    """Return the survey at the address /s/<slug>/."""
    survey = Survey.objects.filter(slug=slug).first()
    if survey is None:
        raise CommandError(f"There is no survey called {slug!r}")
    return survey


def find_owner(username: str | None) -> User:
    """Return the named researcher, or the only one there is."""
    researchers = User.objects.filter(is_active=True, is_staff=True)
    if username is not None:
        researchers = researchers.filter(username=username)
    found = list(researchers[:2])
    if len(found) != 1:
        names = ", ".join(
            User.objects.filter(is_active=True, is_staff=True).values_list(
                "username", flat=True
            )
        )
        raise CommandError(
            f"--owner must be one of: {names or 'nobody yet, see createsuperuser'}; "
            f"got {username or 'nothing'}"
        )
    return found[0]


def read_bytes(path: Path) -> bytes:
    """Return what is in a file."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise FileError([f"{path} cannot be read: {error.strerror}"]) from error


def number(text: str) -> float:
    """Return what a text such as 0.1 or 1/3 stands for."""
    found = exact(text)
    if found is None:
        raise argparse.ArgumentTypeError(
            f"must be a number, such as 0.1 or 1/3; got {shown(text)}"
        )
    # A number no float can hold goes on as it is, to be refused with its range.
    try:
        return float(found)
    except OverflowError:
        return int(found)


def whole_number(text: str) -> int:
    """Return the whole number that a text such as 1000 stands for."""
    found = exact(text)
    if found is None or found.denominator != 1:
        raise argparse.ArgumentTypeError(
            f"must be a whole number, such as 1000; got {shown(text)}"
        )
    return int(found)
