"""Files in deploy/ refer to existing ones; `make check-container` runs them."""

import os
import re
import runpy
import subprocess
import sys
from fnmatch import fnmatch

import pytest
import yaml
from django.core.management import get_commands
from django.urls import get_resolver

from tests.docs.documents import DOCS, PROJECT, text_of

DEPLOY = PROJECT / "deploy"
CADDYFILE = text_of(DEPLOY / "Caddyfile")
COMPOSE = sorted(DEPLOY.glob("compose*.yml"))
IGNORED, *KEPT = re.findall(r"^[^#].*", text_of(PROJECT / ".dockerignore"), re.M)
OF_POSTGRESQL = {"POSTGRES_PASSWORD", "CANDOR_PASSWORD", "DOOR_PASSWORD"}
CADDY_VARIABLES = {"SITE", "RESPONDENTS"}


def test_the_image_contains_only_the_program():
    assert IGNORED == "*"
    taken = [each[1:] for each in KEPT if each.startswith("!")]
    assert all((PROJECT / each).exists() for each in taken)
    packages = {each.parent.name for each in PROJECT.glob("*/__init__.py")}
    assert packages - set(taken) == {"benchmarks", "scripts", "tests"}
    assert {"scripts", "tests", "var", ".git", ".env"}.isdisjoint(taken)
    assert "**/*.sqlite3*" in KEPT


@pytest.mark.parametrize("file", COMPOSE, ids=lambda file: file.name)
def test_compose_files_name_settings_and_files_that_exist(file):
    settings = set(
        re.findall(
            r"^\| `([A-Z_]+)`", text_of(DOCS / "administrators/settings.md"), re.M
        )
    )
    settings |= set(
        re.findall(r'environ.get\("(\w+)"', text_of(DEPLOY / "entry_point.py"))
    )
    settings |= {"THREADS"} | OF_POSTGRESQL | CADDY_VARIABLES
    for service in yaml.safe_load(text_of(file))["services"].values():
        assert set(service.get("environment", ())) <= settings
        for volume in service.get("volumes", ()):
            source = volume.partition(":")[0]
            assert not source.startswith("./") or (DEPLOY / source).exists()
        if "extends" in service:
            assert (DEPLOY / service["extends"]["file"]).exists()


def test_caddy_routes_only_respondent_paths_to_their_site():
    [paths] = re.findall(r"@respondents path (.+)", CADDYFILE)
    for each in get_resolver("config.respondents_urls").url_patterns:
        for below in getattr(each, "url_patterns", [each]):
            rest = "" if below is each else below.pattern
            address = f"/{each.pattern}{rest}"
            assert any(fnmatch(address, path) for path in paths.split()), address
    for address in ("/admin/", "/r/x/", "/api/x/", "/help/", "/"):
        assert not any(fnmatch(address, path) for path in paths.split())


def test_caddy_logs_only_certificates_and_forwards_no_address():
    """`make check-container` confirms it with a marked address."""
    assert "log {\n\t\tinclude tls\n\t}" in CADDYFILE
    assert CADDYFILE.count("\treverse_proxy ") == 3
    assert CADDYFILE.count("\t\timport no_address\n") == 3


PREPARE = """
import os, runpy
program = runpy.run_path("deploy/entry_point.py")
program["prepare"].__globals__["migrate"] = lambda: print("migrates")
try:
    program["prepare"]({})
    print(os.environ["DJANGO_SETTINGS_MODULE"])
except program["StartError"] as error:
    print(error)
"""


@pytest.mark.parametrize(
    ("settings", "printed"),
    [
        ({}, "migrates\nconfig.settings"),
        ({"DOOR": "Respondents"}, "config.respondents_settings"),
        ({"DOOR": "front"}, "DOOR must be both or respondents; got 'front'"),
        ({"THREADS": "8"}, "THREADS must be a whole number from 1 to 7; got '8'"),
        ({"ALLOWED_HOSTS": ""}, "ALLOWED_HOSTS must list the host names of the site"),
    ],
)
def test_a_container_starts_as_scripts_serve_would(settings, printed):
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-c", PREPARE],
        cwd=PROJECT,
        env={
            "ENV_FILE": os.devnull,
            "SECRET_KEY": "0123456789-only-for-tests-abcdefghijklmnopqrstuvwxyz",
            "ALLOWED_HOSTS": "survey.example",
            "BEHIND_PROXY": "on",
            **settings,
        },
        capture_output=True,
        check=True,
        text=True,
    )
    assert done.stdout.startswith(printed)


def test_it_runs_what_the_crontab_of_a_server_runs():
    program = runpy.run_path(str(DEPLOY / "entry_point.py"))
    jobs = re.findall(
        r"root candor-manage (\w+)", text_of(DEPLOY / "debian/candor.cron")
    )
    assert set(jobs) == program["TASKS"].keys() <= get_commands().keys()
    assert set(jobs) >= {"seal", "close_due", "backup", "clearsessions"}


def test_the_container_guide_runs_existing_commands():
    guide = text_of(DOCS / "administrators" / "container.md")
    managed = re.findall(r"candor manage (\w+)", guide)
    assert len(managed) > 2
    assert set(managed) <= get_commands().keys()
    named = re.search(r"COMPOSE_FILE=(\S+)", guide)[1].split(":")
    assert sorted(named) == [file.name for file in COMPOSE]
