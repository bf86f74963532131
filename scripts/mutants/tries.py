"""Whether tests notice a change: in forks of one process, or in one of its own."""

import ctypes
import functools
import gc
import math
import os
import signal
import subprocess
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from multiprocessing import forkserver
from multiprocessing.sharedctypes import RawValue
from pathlib import Path
from types import FrameType
from typing import TextIO

import pytest
from django.db import connection

from scripts.mutants.changes import Mutant
from scripts.mutants.loaded import Change, functions_there

OPTIONS = ("-q", "-x", "--no-header", "-p", "no:cacheprovider", "-p", "no:xdist")
TIMES_AS_LONG = 4
SECONDS_MORE = 5
"""Than a test took without a change, on a machine with other work: who takes longer
hangs."""
SECONDS_TO_LOAD = 60
SLOW_SECONDS = 0.3
"""Tests that take longer come last."""
NONE_YET = -1
FAILED = 1
FOUND, SURVIVES, NEVER_RUN = "found", "SURVIVES", "NEVER RUN"


class Tries:
    """Tries mutants in forks of a process that has loaded and prepared everything.

    A plugin of pytest, of which it takes the place of the usual loop over all tests.
    """

    def __init__(self, tests: tuple[str, ...], mutants: list[Mutant], out: TextIO):
        self.tests, self.mutants, self.out = tests, mutants, out
        self.survivors: list[Mutant] | None = None
        """None until all are tried."""
        self.seconds: dict[pytest.Item, float] = {}
        self.called: dict[pytest.Item, set[int]] = {}
        """The ids of all codes that a test ran."""
        self.found: dict[pytest.Item, int] = defaultdict(int)
        """The number of the mutant that a test found last."""
        self.running = RawValue(ctypes.c_int)
        """The place of the test that a fork runs."""
        self.is_fork = False
        self.has_failed = False
        self.number = 0

    def pytest_configure(self) -> None:
        # Not above: pytest wants to load its plugins itself.
        from hypothesis import Phase, settings

        # That an example fails is enough: it need not be a small one.
        phases = (Phase.explicit, Phase.reuse, Phase.generate)
        settings.register_profile("mutants", phases=phases)
        settings.load_profile("mutants")

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        self.session = session
        if not session.testsfailed:
            self.prepare()
        if not (session.testsfailed or self.has_failed) and self.passes(session.items):
            survivors = []
            for number, mutant in enumerate(self.mutants, start=1):
                self.number = number
                if (fate := self.fate(mutant)) != FOUND:
                    survivors.append(mutant)
                    print(f"{number:>4} {fate} {mutant}", file=self.out)
            self.survivors = survivors
        return True

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.has_failed = True
            if self.is_fork:
                # Nothing is to be cleared away that is not gone with the process.
                os._exit(FAILED)

    def prepare(self) -> None:
        """Run everything without a change, and keep what was prepared for it."""
        items = self.session.items
        for item, following in with_next(items, self.session):
            called = self.called[item] = set()

            def note(frame: FrameType, *_: object, to: set[int] = called) -> None:
                to.add(id(frame.f_code))

            start = time.monotonic()
            threading.settrace(note)
            sys.settrace(note)
            item.ihook.pytest_runtest_protocol(item=item, nextitem=following)
            self.seconds[item] = time.monotonic() - start
        sys.settrace(None)
        threading.settrace(None)  # type: ignore[arg-type]
        self.has_database = any(
            "django_db_setup" in each.fixturenames for each in items
        )
        if self.has_database:
            from pytest_django.plugin import blocking_manager_key

            self.unblock = self.session.config.stash[blocking_manager_key].unblock
            disconnect()
        # A fork starts its own: who asks it for processes has to be its parent.
        if server := forkserver._forkserver._forkserver_pid:
            os.kill(server, signal.SIGKILL)
            forkserver._forkserver._stop()
        # tests/conftest.py hid them.
        gc.unfreeze()
        self.functions = functions_there()
        self.caches = [
            each
            for each in gc.get_objects()
            if type(each) is functools._lru_cache_wrapper
        ]
        gc.freeze()

    def fate(self, mutant: Mutant) -> str:
        """Return whether a test fails, or takes too long, with a change in a file."""
        with written(mutant) as (before, after):
            path = str(Path(mutant.file).resolve())
            change = Change(path, before, after, self.functions)
            if not change.concerns:
                return SURVIVES if self.passes_anew() else FOUND
            items = [
                item
                for item in self.session.items
                if self.called[item] & change.concerns
            ]
            if not items:
                # By no test: perhaps as a file was loaded, as what makes a statement.
                return NEVER_RUN if self.passes_anew() else FOUND
            if not self.passes(items, change):
                return FOUND
            # Other values may have been worked out of a constant when they were loaded.
            return SURVIVES if not change.constant or self.passes_anew() else FOUND

    def passes_anew(self) -> bool:
        """Return whether all tests pass in a process that knew no other code."""
        try:
            done = subprocess.run(  # noqa: S603 - this project's own tests
                [sys.executable, "-m", "pytest", *OPTIONS, *self.tests],
                env={**os.environ, **another_database()},
                capture_output=True,
                timeout=SECONDS_TO_LOAD + TIMES_AS_LONG * sum(self.seconds.values()),
                check=False,
            )
        except subprocess.TimeoutExpired:
            return False
        return done.returncode == 0

    def passes(self, items: list[pytest.Item], change: Change | None = None) -> bool:
        """Return whether these tests pass in a fork."""
        # First which found a change last.
        items = sorted(
            items,
            key=lambda item: (self.seconds[item] > SLOW_SECONDS, -self.found[item]),
        )
        self.running.value = NONE_YET
        with self.database():
            process = os.fork()
            if not process:
                self.run(items, change)
            _, status = os.waitpid(process, 0)
            # With what the tests started; it is the leader of its group.
            with suppress(ProcessLookupError):
                os.killpg(process, signal.SIGKILL)
        if self.running.value == NONE_YET:
            # What is loaded could not be changed.
            return self.passes_anew()
        if status:
            self.found[items[self.running.value]] = self.number
        return not status

    def run(self, items: list[pytest.Item], change: Change | None) -> None:
        """Run tests in a fork, which ends with them."""
        try:
            os.setsid()
            self.is_fork = True
            for cache in self.caches:
                cache.cache_clear()
            if change:
                change.make()
            if self.has_database:
                connection.creation.setup_worker_connection(str(self.number))
            for number, (item, following) in enumerate(with_next(items, self.session)):
                self.running.value = number
                limit = TIMES_AS_LONG * self.seconds[item] + SECONDS_MORE
                signal.alarm(math.ceil(limit))
                item.ihook.pytest_runtest_protocol(item=item, nextitem=following)
            os._exit(0)
        finally:
            os._exit(FAILED)

    @contextmanager
    def database(self) -> Iterator[None]:
        """Give a fork a copy of its own: when it is killed, it leaves rows behind."""
        if not self.has_database:
            yield
            return
        suffix = str(self.number)
        with self.unblock():
            connection.creation.clone_test_db(suffix, verbosity=0)
            disconnect()
        yield
        with self.unblock():
            connection.creation.destroy_test_db(verbosity=0, suffix=suffix)


@contextmanager
def written(mutant: Mutant) -> Iterator[tuple[str, str]]:
    """Yield a file's text without and with the change, which stands there meanwhile."""
    path = Path(mutant.file)
    times, before = path.stat(), path.read_text("utf-8")
    after = before[: mutant.start] + mutant.new + before[mutant.end :]
    path.write_text(after, "utf-8")
    try:
        yield before, after
    finally:
        path.write_text(before, "utf-8")
        # So that what was compiled of it is not compiled again.
        os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))


def another_database() -> dict[str, str]:
    """Return what has another process make none in the place of this one's."""
    if connection.vendor != "postgresql":
        return {}
    return {"DATABASE_URL": f"{os.environ['DATABASE_URL']}_anew"}


def disconnect() -> None:
    connection.close()
    if connection.vendor == "postgresql":
        connection.close_pool()


def with_next(
    items: list[pytest.Item], session: pytest.Session
) -> Iterator[tuple[pytest.Item, pytest.Item | pytest.Session]]:
    """Yield each with the one after it; what is of the session outlives the last."""
    return zip(items, [*items[1:], session], strict=True)
