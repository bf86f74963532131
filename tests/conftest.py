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

# The last two stop Chromium from loading the suggestions of the address bar in each new
# window. Playwright disables the others, but this list replaces Playwright's own.
DISABLED_FEATURES = (
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
    f"--disable-features={DISABLED_FEATURES}",
]

# The same examples in every run and no deadline, so that tests do not fail by chance or
# on a busy machine. `--hypothesis-profile default` tries other examples.
settings.register_profile("candor", settings.get_profile("ci"), max_examples=50)
settings.load_profile("candor")

SECONDS_PER_DAY, MAX_TEST_SECONDS = 24 * 60 * 60, 60

GARBAGE_THRESHOLD = 10_000
"""New objects that start a garbage collection. The default is 700, and rendering a page
creates about 10,000."""


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    """Exclude the collected tests, half a million objects, from garbage collection."""
    gc.disable()
    found = yield
    gc.freeze()
    gc.set_threshold(GARBAGE_THRESHOLD)
    gc.enable()
    return found


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config, items):
    """Run the browser tests first in every second process of pytest-xdist.

    They mostly wait. pytest-django sorts them last, so all processes would wait at the
    same time.
    """
    workers = getattr(config, "workerinput", {}).get("workercount", 1)
    if workers == 1:
        return
    waiting = [each for each in items if each.get_closest_marker("browser")]
    others = [each for each in items if not each.get_closest_marker("browser")]
    parts = workers // 2
    for part in range(parts):
        first, last = (len(waiting) * each // parts for each in (part, part + 1))
        start = len(items) * 2 * part // workers  # the first test of a process
        others[start:start] = waiting[first:last]
    items[:] = others


@pytest.hookimpl
def pytest_runtest_setup():
    """Start no test just before midnight: many fail if the date changes meanwhile."""
    left = SECONDS_PER_DAY - time.time() % SECONDS_PER_DAY
    if left < MAX_TEST_SECONDS:
        time.sleep(left)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item, nextitem):
    """Hide Playwright's running event loop from tests without a browser.

    Django uses another database connection where an event loop runs, so the fast path
    and its test would not use the same one.
    """
    if "launch" in item.fixturenames:
        return (yield)
    running = _get_running_loop()
    _set_running_loop(None)
    outcome = yield
    if nextitem:  # Playwright stops after the last test
        _set_running_loop(running)
    return outcome


RENDER = Template._render
"""The original method, which Django's test environment replaces."""


@pytest.fixture(scope="session", autouse=True)
def copy_only_page_contexts(django_test_environment):
    """Leave the contexts of included templates and widgets out of `response.context`.

    Copying them takes a quarter of the time of a page with forms.
    """
    copying = Template._render

    def render(template, context):
        is_page = isinstance(context, RequestContext) and context.template is template
        return (copying if is_page else RENDER)(template, context)

    Template._render = render


@pytest.fixture(scope="session", autouse=True)
def skip_permissions_after_flush(django_test_environment):
    """After a flush, create the content types again but no permissions.

    No test uses permissions, and creating them takes twenty times as long as the flush.
    """

    def write(_verbosity, _interactive, _database):
        ContentType.objects.clear_cache()
        ContentType.objects.bulk_create(
            ContentType(app_label=each._meta.app_label, model=each._meta.model_name)
            for each in apps.get_models()
        )

    flush.emit_post_migrate_signal = write


NON_EMPTY_TABLES = """
    SELECT relname::text FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
    AND relname <> 'django_migrations' AND pg_relation_size(oid) > 0
"""


@pytest.fixture(scope="session", autouse=True)
def flush_only_written_tables(django_test_environment):
    """Flush only those tables of PostgreSQL that have a page on disk."""
    if connection.vendor != "postgresql":
        return

    def list_statements(style, database, **_options):
        with database.cursor() as cursor:
            cursor.execute(NON_EMPTY_TABLES)
            tables = [name for (name,) in cursor.fetchall()]
        return database.ops.sql_flush(style, tables, allow_cascade=True)

    flush.sql_flush = list_statements


@pytest.fixture(autouse=True)
def reset_caches_and_outage():
    """Forget the surveys and the outage of the test before."""
    recently_seen.surveys.clear()
    # An outage shortens the timeout of the connection.
    outage.note_stored()


@pytest.fixture(scope="session")
def chromium_program():
    path = shutil.which("chromium") or shutil.which("chromium-browser")
    if path is None:
        pytest.fail("No Chromium: apt-get install -y chromium")
    return path


def launch_with_retry(launch):
    """Return the browser that `launch` starts.

    On a busy machine Chromium may hang while it starts; then start it again.
    """
    with suppress(TimeoutError):
        return launch(timeout=45_000)
    return launch(timeout=180_000)


@pytest.fixture(scope="session")
def launch():
    """Return a function that starts a Chromium program once for all tests."""
    # Long, since only failures and busy machines need it.
    expect.set_options(timeout=30_000)
    with sync_playwright() as playwright:
        running = _get_running_loop()

        @cache
        def start(program):
            return launch_with_retry(
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
    """The system's Chromium, with its back/forward cache.

    Tests marked `windowless` run in Debian's chromium-headless-shell, if installed. It
    takes a third of the time and has no such cache.
    """
    shell = shutil.which("chromium-headless-shell")
    mark = request.node.get_closest_marker("windowless")
    is_windowless = mark is not None and mark.args != (False,)
    return launch(shell if shell and is_windowless else chromium_program)


@pytest.fixture
def page(chromium):
    """A page in a new browser context."""
    context = chromium.new_context(viewport={"width": 390, "height": 844})
    yield context.new_page()
    context.close()


@pytest.fixture(scope="session")
def django_db_keepdb():
    """Keep the SQLite database: it is a copy of a migrated one."""
    return connection.vendor == "sqlite"


@pytest.fixture(scope="session")
def django_db_modify_db_settings(
    django_db_modify_db_settings_parallel_suffix, django_db_blocker, tmp_path_factory
):
    """Store the SQLite database of each test process in a file, as in production.

    Unlike Django's database in memory, it gives each thread its own connection and
    locks, and other processes can open it. The first process migrates it, the others
    copy it.
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
    """Let module fixtures store rows until the last test of the module.

    Each test rolls back only its own rows. Modules with transactional tests cannot use
    this.
    """
    with django_db_blocker.unblock(), transaction.atomic():
        yield
        transaction.set_rollback(True)


@pytest.fixture
def no_minimum_responses(settings):
    """Show results of any number of responses."""
    settings.LEAST_RESPONSES = 1


@pytest.fixture
def committed(transactional_db):
    """Commit transactions, so that other threads and processes see them.

    Afterwards Django flushes the tables. The triggers of opened surveys would refuse
    that, so delete the surveys without them first.
    """
    yield
    caches["default"].clear()  # has no model, so Django does not flush its table
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
    """The live server, with committed transactions."""
    return live_server
