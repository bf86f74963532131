import shutil

import pytest
from django.db import connection
from playwright.sync_api import expect, sync_playwright

from respondents.answering.remembered import remembered
from respondents.outages import outage

# The last two, lest Chromium load for each new window the list below its address bar, a
# page that nobody sees and that takes longer than most of ours. The others Playwright
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


@pytest.fixture(autouse=True)
def nothing_remembered():
    """Let no test see a survey, or a trouble, of the test before it."""
    remembered.surveys.clear()
    outage.cause = None


@pytest.fixture(scope="session")
def chromium_program():
    path = shutil.which("chromium") or shutil.which("chromium-browser")
    if path is None:
        pytest.fail("No Chromium: apt-get install -y chromium")
    return path


@pytest.fixture(scope="session")
def chromium(chromium_program):
    """The system's Chromium, with the page cache for Back as people have it."""
    # Nothing waits longer than it takes: only a failure, and a busy machine, do.
    expect.set_options(timeout=30_000)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium_program,
            args=CHROMIUM_FLAGS,
            ignore_default_args=["--disable-back-forward-cache"],
        )
        yield browser
        browser.close()


@pytest.fixture
def page(chromium):
    """A new page of a browser that nobody has used before."""
    context = chromium.new_context(viewport={"width": 390, "height": 844})
    yield context.new_page()
    context.close()


@pytest.fixture(scope="session")
def django_db_modify_db_settings(
    django_db_modify_db_settings_parallel_suffix, tmp_path_factory
):
    """Give each process of the tests a database of its own, SQLite's in a file.

    As in production; Django would have it in memory. In a file, threads have
    connections and locks of their own, and other processes can join in.
    """
    if connection.vendor == "sqlite":
        file = tmp_path_factory.mktemp("database") / "candor.sqlite3"
        connection.settings_dict["TEST"]["NAME"] = str(file)


@pytest.fixture
def committed(transactional_db):
    """Real transactions, as several threads or processes need them.

    Afterwards Django empties the tables, which the triggers of opened surveys would
    refuse; without their survey, questions are free. PostgreSQL's TRUNCATE passes them.
    """
    yield
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA foreign_keys = OFF")
            cursor.execute("DELETE FROM surveys_survey")
            cursor.execute("PRAGMA foreign_keys = ON")


@pytest.fixture
def site(live_server, committed):
    """The running site."""
    return live_server
