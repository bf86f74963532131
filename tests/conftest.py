import fcntl
import gc
import os
import shutil
import time
from asyncio import _get_running_loop, _set_running_loop
from contextlib import suppress
from functools import cache, partial

import pytest
from django.apps import apps
from django.contrib.contenttypes.models import ContentType
from django.core.cache import caches
from django.core.management import call_command
from django.core.management.commands import flush
from django.db import connection, transaction
from django.template import RequestContext, Template
from hypothesis import settings
from playwright.sync_api import TimeoutError, expect, sync_playwright

from respondents.collecting.find_survey import recently_seen
from respondents.storage.outages import outage

# Without the last two, Chromium loads for each new window the list below its bar, a
# page that no one sees and that takes longer than most of ours. The others Playwright
# turns off itself, but of two such lists only the second counts.
FEATURES_TURNED_OFF = (
    "AvoidUnnecessaryBeforeUnloadCheckSync,DestroyProfileOnBrowserClose,"
    "HttpsFirstBalancedModeAutoEnable,HttpsUpgrades,LensOverlay,MediaRouter,"
    "NetworkTimeServiceQuerying,OptimizationHints,PaintHolding,PreconnectToSearch,"
    "ThirdPartyStoragePartitioning,AvoidCorsURLLoaderRestartOnRedirect,AimEnabled,"
    "WebUIOmniboxAimPopup,WebUIOmniboxPopup"
)
CHROMIUM_FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    f"--disable-features={FEATURES_TURNED_OFF}",
]


# The same examples in every run, and no limit to the time of one: neither chance nor a
# busy machine decides. `--hypothesis-profile default` looks for others.
settings.register_profile("candor", settings.get_profile("ci"), max_examples=50)
settings.load_profile("candor")

SECONDS_OF_A_DAY, LONGEST_TEST_SECONDS = 24 * 60 * 60, 60


GARBAGE_THRESHOLD = 10_000
"""Objects made since the last look for circles of them: by default it is 700, and each
page makes some ten thousand."""


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    """Look for no garbage among the tests, half a million objects that all stay.

    Not while they are collected, not later, and not when the process ends.
    """
    gc.disable()
    found = yield
    gc.freeze()
    gc.set_threshold(GARBAGE_THRESHOLD)
    gc.enable()
    return found


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config, items):
    """Begin with the browser tests in every second process of pytest-xdist.

    They wait more than they compute. Run last, as pytest-django sorts them, they would
    all wait at the same time.
    """
    workers = getattr(config, "workerinput", {}).get("workercount", 1)
    if workers == 1:
        return
    waiting = [each for each in items if each.get_closest_marker("browser")]
    others = [each for each in items if not each.get_closest_marker("browser")]
    parts = workers // 2
    for part in range(parts):
        first, last = (len(waiting) * each // parts for each in (part, part + 1))
        start = len(items) * 2 * part // workers  # where a process begins
        others[start:start] = waiting[first:last]
    items[:] = others


@pytest.hookimpl
def pytest_runtest_setup():
    """Begin no test shortly before midnight: many ask twice for the day, or name it."""
    left = SECONDS_OF_A_DAY - time.time() % SECONDS_OF_A_DAY
    if left < LONGEST_TEST_SECONDS:
        time.sleep(left)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item, nextitem):
    """Hide the event loop that Playwright leaves running from tests without a browser.

    Where a loop runs, Django gives out another connection to the database than where
    none does: the fast path would work on one, and its test on the other.
    """
    if "launch" in item.fixturenames:
        return (yield)
    running = _get_running_loop()
    _set_running_loop(None)
    outcome = yield
    if nextitem:  # Playwright has stopped after the last
        _set_running_loop(running)
    return outcome


RENDER = Template._render
"""As it is before Django's test environment puts its own in its place."""


@pytest.fixture(scope="session", autouse=True)
def contexts_of_pages(django_test_environment):
    """Copy for `response.context` those of pages, and not of each part and widget.

    That would be a quarter of the time of a page with forms.
    """
    copying = Template._render

    def render(template, context):
        is_page = isinstance(context, RequestContext) and context.template is template
        return (copying if is_page else RENDER)(template, context)

    Template._render = render


@pytest.fixture(scope="session", autouse=True)
def keep_permissions_out(django_test_environment):
    """Write kinds of content into tables that were just emptied, but no permissions.

    These would take twenty times as long as emptying the tables, after each test of
    real transactions, and no one asks for one.
    """

    def write(_verbosity, _interactive, _database):
        ContentType.objects.clear_cache()
        ContentType.objects.bulk_create(
            ContentType(app_label=each._meta.app_label, model=each._meta.model_name)
            for each in apps.get_models()
        )

    flush.emit_post_migrate_signal = write


WRITTEN = """
    SELECT relname::text FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
    AND relname <> 'django_migrations' AND pg_relation_size(oid) > 0
"""


@pytest.fixture(scope="session", autouse=True)
def flush_only_written_tables(django_test_environment):
    """Empty the tables of PostgreSQL that have a page, and not some forty others."""
    if connection.vendor != "postgresql":
        return

    def list_statements(style, database, **_options):
        with database.cursor() as cursor:
            cursor.execute(WRITTEN)
            tables = [name for (name,) in cursor.fetchall()]
        return database.ops.sql_flush(style, tables, allow_cascade=True)

    flush.sql_flush = list_statements


@pytest.fixture(autouse=True)
def reset_caches_and_outage():
    """Let no test see a survey, or a trouble, of the test before it."""
    recently_seen.surveys.clear()
    # It may have shortened how long the connection waits.
    outage.note_stored()


@pytest.fixture(scope="session")
def chromium_program():
    path = shutil.which("chromium") or shutil.which("chromium-browser")
    if path is None:
        pytest.fail("No Chromium: apt-get install -y chromium")
    return path


def started(launch):
    """Return the browser that `launch` starts.

    On a busy machine Chromium may hang while it starts: then it is started again.
    """
    with suppress(TimeoutError):
        return launch(timeout=45_000)
    return launch(timeout=180_000)


@pytest.fixture(scope="session")
def launch():
    """A function: start a browser of Chromium's engine, kept for the other tests."""
    # Nothing waits longer than it takes: only a failure, and a busy machine, do.
    expect.set_options(timeout=30_000)
    with sync_playwright() as playwright:
        running = _get_running_loop()

        @cache
        def start(program):
            return started(
                partial(
                    playwright.chromium.launch,
                    executable_path=program,
                    args=CHROMIUM_FLAGS,
                    ignore_default_args=["--disable-back-forward-cache"],
                )
            )

        yield start
        _set_running_loop(running)


@pytest.fixture
def chromium(request, launch, chromium_program):
    """The system's Chromium, with the page cache for Back as people have it.

    Debian has its engine without windows too, which takes a third of the time and has
    no such cache: for tests that are marked as content with it.
    """
    shell = shutil.which("chromium-headless-shell")
    mark = request.node.get_closest_marker("windowless")
    is_content = mark is not None and mark.args != (False,)
    return launch(shell if shell and is_content else chromium_program)


@pytest.fixture
def page(chromium):
    """A new page of a browser that no one has used before."""
    context = chromium.new_context(viewport={"width": 390, "height": 844})
    yield context.new_page()
    context.close()


@pytest.fixture(scope="session")
def django_db_keepdb():
    """Migrate no database of SQLite again: it is a copy of one that is migrated."""
    return connection.vendor == "sqlite"


@pytest.fixture(scope="session")
def django_db_modify_db_settings(
    django_db_modify_db_settings_parallel_suffix, django_db_blocker, tmp_path_factory
):
    """Give each process of the tests a database of its own, SQLite's in a file.

    As in production; Django would have it in memory. In a file, threads have
    connections and locks of their own, and other processes can join in. The first
    process migrates it, the others copy it.
    """
    if connection.vendor != "sqlite":
        return
    folder = tmp_path_factory.getbasetemp()
    shared = folder.parent if "PYTEST_XDIST_WORKER" in os.environ else folder
    migrated, file = shared / "migrated.sqlite3", folder / "candor.sqlite3"
    with (shared / "migrated.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not migrated.exists():
            connection.settings_dict["NAME"] = str(migrated)
            with django_db_blocker.unblock():
                call_command("migrate", verbosity=0)
                connection.close()
    shutil.copy(migrated, file)
    connection.settings_dict["TEST"]["NAME"] = str(file)


@pytest.fixture(scope="module")
def module_db(django_db_setup, django_db_blocker):
    """For fixtures of a whole module: what they store stays until its last test.

    Each test takes back its own alone. Not next to tests of real transactions.
    """
    with django_db_blocker.unblock(), transaction.atomic():
        yield
        transaction.set_rollback(True)


@pytest.fixture
def no_minimum_responses(settings):
    """Show results of any number of responses: for tests of what numbers come to."""
    settings.LEAST_RESPONSES = 1


@pytest.fixture
def committed(transactional_db):
    """Real transactions, as several threads or processes need them.

    Afterwards Django empties the tables, which the triggers of opened surveys would
    refuse; without their survey, questions are free.
    """
    yield
    caches["default"].clear()  # the table of no model, so Django leaves it as it is
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SET session_replication_role = replica")  # no triggers
            cursor.execute("DELETE FROM surveys_survey")
            cursor.execute("RESET session_replication_role")
        else:
            cursor.execute(
                "SELECT sql FROM sqlite_master WHERE name = 'frozen_survey_delete'"
            )
            (trigger,) = cursor.fetchone()
            cursor.execute("DROP TRIGGER frozen_survey_delete")
            cursor.execute("PRAGMA foreign_keys = OFF")
            cursor.execute("DELETE FROM surveys_survey")
            cursor.execute("PRAGMA foreign_keys = ON")
            cursor.execute(trigger)


@pytest.fixture
def site(live_server, committed):
    """The running site."""
    return live_server
