"""The server that `make run` starts, on a database of its own, to stop and to kill."""

import contextlib
import os
import signal
import subprocess
import sys
import time
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException
from pathlib import Path

from tests.ports import find_free_port

ROOT = Path(__file__).resolve().parent.parent.parent
START_TIMEOUT_SECONDS = STOP_TIMEOUT_SECONDS = 180

SET_UP = """
import sys, django
from django.core.management import call_command
django.setup()
call_command("collectstatic", interactive=False, verbosity=0)
call_command("migrate", verbosity=0)
call_command(*sys.argv[1:])
"""


class CandorServer:
    """Production settings, hashed static files and granian on one port of this machine.

    A group of processes of its own, so that all of it can be killed at once.
    """

    def __init__(self, folder, **environment):
        self.port = str(find_free_port())
        self.url = f"http://127.0.0.1:{self.port}"
        self.database = Path(folder) / "candor.sqlite3"
        # Two tests that collect into one folder would take files from under each other.
        (Path(folder) / "settings_of_its_own.py").write_text(
            "from config.settings import *\n"
            f"STATIC_ROOT = {str(Path(folder) / 'static')!r}\n"
        )
        self.environment = os.environ | {
            "ENV_FILE": os.devnull,
            "DJANGO_SETTINGS_MODULE": "settings_of_its_own",
            "PYTHONPATH": str(folder),
            "DATABASE_URL": f"sqlite:///{self.database}",
            "SECRET_KEY": "of-the-whole-way-" + "x" * 50,
            "ALLOWED_HOSTS": "127.0.0.1",
            "HTTPS": "off",
            "PORT": self.port,
            **environment,
        }
        self.process = None

    def set_up(self, *arguments):
        """Do as `make run`, and carry out one more command; return what that says."""
        # In one process: each would load everything for two seconds.
        return subprocess.run(  # noqa: S603
            [sys.executable, "-c", SET_UP, *arguments],
            cwd=ROOT,
            env=self.environment,
            check=True,
            capture_output=True,
            text=True,
        ).stdout

    def start(self, *command):
        self.process = subprocess.Popen(  # noqa: S603
            command or [ROOT / "scripts" / "serve"],
            cwd=ROOT,
            env=self.environment,
            start_new_session=True,
        )
        deadline = time.monotonic() + START_TIMEOUT_SECONDS
        while not self.answers():
            assert time.monotonic() < deadline, "the server does not start"
            time.sleep(0.1)

    def answers(self):
        """Whether a worker answers: the port opens some seconds earlier."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=5)
        try:
            connection.request("HEAD", "/what-we-store/")
            return connection.getresponse().status == HTTPStatus.OK
        except (OSError, HTTPException):
            return False
        finally:
            connection.close()

    @contextlib.contextmanager
    def running(self, *command):
        """Run it as `make run` does, or by another command."""
        try:
            self.start(*command)
            yield
        finally:
            self.stop()

    def signal(self, number):
        os.killpg(self.process.pid, number)

    def freeze(self):
        """Accept connections, and answer none."""
        self.signal(signal.SIGSTOP)

    def kill(self):
        """End it at once, as a power cut does."""
        self.signal(signal.SIGKILL)
        self.process.wait(timeout=STOP_TIMEOUT_SECONDS)
        self.process = None

    def stop(self):
        if self.process is None:
            return
        with contextlib.suppress(ProcessLookupError):
            self.signal(signal.SIGTERM)
        self.process.wait(timeout=STOP_TIMEOUT_SECONDS)
        self.process = None
