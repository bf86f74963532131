"""Threads and processes that work on the test's database at the same time."""

import os
import subprocess
from contextlib import contextmanager
from multiprocessing import get_context
from threading import Barrier, Thread
from unittest.mock import patch
from urllib.parse import urlsplit

from django.db import connection

from tests.respondents.orders import serve


def run_concurrently(*jobs):
    """Return what the jobs return, each run in a thread of its own, begun together."""
    begin = Barrier(len(jobs))
    outcomes = [None] * len(jobs)

    def run(place, job):
        try:
            begin.wait()
            outcomes[place] = job()
        except Exception as error:
            outcomes[place] = error
        finally:
            connection.close()

    threads = [Thread(target=run, args=pair) for pair in enumerate(jobs)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for outcome in outcomes:
        if isinstance(outcome, Exception):
            raise outcome
    return outcomes


def database_url():
    """Return the address of the database that the tests made for themselves."""
    name = connection.settings_dict["NAME"]
    if connection.vendor == "sqlite":
        return f"sqlite:///{name}"
    given = urlsplit(os.environ["DATABASE_URL"])
    return given._replace(path=f"{given.path.rpartition('/')[0]}/{name}").geturl()


def bytes_of(*paths):
    """Return what is in files of the database, read by another process.

    Closing the file here would drop this process's locks on it, as POSIX has it; SQLite
    would then work on without them, until its files are gone under its feet.
    """
    command = ["cat", *map(str, paths)]
    read = subprocess.run(command, check=True, capture_output=True)  # noqa: S603
    return read.stdout


# Processes are forked from one that has loaded Django and has no connection yet: to
# starting each again would take two seconds.
PROCESSES = get_context("forkserver")
PROCESSES.set_forkserver_preload(["tests.respondents.prepared"])


class Worker:
    """A process that carries out orders (see tests/respondents/orders.py)."""

    def __init__(self):
        theirs, self.orders = PROCESSES.Pipe(duplex=False)
        self.answers, text = PROCESSES.Pipe(duplex=False)
        self.process = PROCESSES.Process(target=serve, args=(theirs, text), daemon=True)
        wanted = {
            "DATABASE_URL": database_url(),
            "DJANGO_SETTINGS_MODULE": "tests.settings",
        }
        with patch.dict(os.environ, wanted):
            self.process.start()
        theirs.close()
        text.close()

    def send(self, order):
        self.orders.send(order)

    def answer(self):
        """Return the answer to the next order; "" once the process has died."""
        try:
            return self.answers.recv()
        except EOFError:
            return ""

    def carry_out(self, order):
        self.send(order)
        return self.answer()

    def kill(self):
        """Kill -9, without a word."""
        self.process.kill()

    def end(self):
        self.orders.close()
        self.process.join()
        self.answers.close()


@contextmanager
def workers(count):
    """Start `count` processes; end them afterwards."""
    started = [Worker() for _ in range(count)]
    try:
        yield started
    finally:
        for worker in started:
            worker.end()
