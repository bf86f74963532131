"""Checks the settings before a server starts, and prints those of scripts/serve.

An invalid setting causes one sentence instead of a traceback from each worker.
"""

import ipaddress
import os
import sys
from pathlib import Path
from shlex import quote

from django.core.exceptions import ImproperlyConfigured


def read_server_settings() -> dict[str, str]:
    from config.env import env, make_error, read_choice, whole

    address = env.str("ADDRESS", default="127.0.0.1")
    if address != "localhost":
        try:
            ipaddress.ip_address(address)
        except ValueError:
            raise make_error(
                "ADDRESS", "be the address of this machine", address
            ) from None
    if sys.platform == "linux":  # may limit a process to some of the processors
        cores = len(os.sched_getaffinity(0))
    else:
        cores = os.cpu_count() or 1
    numbers = {
        "PORT": whole("PORT", default=8000, lowest=1, highest=65_535),
        "WORKERS": whole("WORKERS", default=cores, lowest=1, highest=1000),
        # Each keeps one of the eight connections to PostgreSQL.
        "THREADS": whole("THREADS", default=1, lowest=1, highest=7),
    }
    door = read_choice("DOOR", "both", "respondents")
    return {
        "ADDRESS": address,
        "settings": "config.respondents_settings"
        if door == "respondents"
        else os.environ.get("DJANGO_SETTINGS_MODULE", "config.settings"),
        **{name: str(number) for name, number in numbers.items()},
    }


def check_settings() -> None:
    from config import checks, settings

    database = settings.DATABASES["default"]
    if "sqlite" in str(database["ENGINE"]):
        folder = Path(str(database["NAME"])).parent
        if not os.access(folder, os.W_OK):
            raise ImproperlyConfigured(
                f"DATABASE_URL names the folder {folder}, which this user cannot write"
            )
    for error in (*checks.require_https(), *checks.require_proxy()):
        raise ImproperlyConfigured(f"{error.msg} {error.hint} ({error.id})")


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    try:
        chosen = read_server_settings()
        check_settings()
    except ImproperlyConfigured as error:
        sys.exit(str(error))
    for name, value in chosen.items():
        print(f"{name}={quote(value)}")  # noqa: T201
