"""Files of deploy/debian match the documents; proxies check the rest."""

import os
import re
import subprocess
import sys

import pytest
from django.urls import get_resolver

from scripts.check_deployment import (
    FILES,
    HOST,
    PROJECT,
    enable_two_services,
    read,
    units,
)
from scripts.installation.stand_in_for_systemd import merge_settings

PROMISED = {
    "WorkingDirectory": "/srv/candor",
    "StateDirectoryMode": "0700",
    "CacheDirectoryMode": "0700",
    "UMask": "0077",
    "LimitCORE": "0",
    "MemorySwapMax": "0",
    "ProtectSystem": "strict",
    "ProtectHome": "yes",
    "PrivateTmp": "yes",
    "NoNewPrivileges": "yes",
    "CapabilityBoundingSet": "",
    "AmbientCapabilities": "",
    "Restart": "always",
}

WRITABLE = {
    "ReadWritePaths", "BindPaths", "LogsDirectory", "RuntimeDirectory",
    "ConfigurationDirectory", "PermissionsStartOnly",
}  # fmt: skip
"""Settings that allow more than the two folders of a unit."""

UNITS = {name: merge_settings(*texts) for name, texts in units().items()}
SCRIPT = (PROJECT / "scripts" / "install-server").read_text("utf-8")


@pytest.mark.parametrize("name", UNITS)
def test_a_service_may_write_only_its_data(name):
    found = UNITS[name]
    assert PROMISED.items() <= found.items()
    assert WRITABLE.isdisjoint(found)
    assert found["User"].startswith("candor")
    program = found["ExecStart"].split()[0].removeprefix("/srv/candor/")
    assert os.access(PROJECT / program, os.X_OK)


def test_no_folder_is_shared_by_two_users():
    """Otherwise systemd gives it to the service that starts last."""
    users = {}
    for unit in UNITS.values():
        for kind in ("State", "Cache"):
            users.setdefault((kind, unit[f"{kind}Directory"]), set()).add(unit["User"])
    assert all(len(each) == 1 for each in users.values())
    assert len(users) == 4


def test_the_proxy_never_swaps_or_dumps_memory():
    kept = ("LimitCORE", "MemorySwapMax")
    assert merge_settings(read("caddy.conf")) == {name: PROMISED[name] for name in kept}


@pytest.mark.parametrize(
    ("name", "pattern"),
    [
        ("nginx.conf", r"location ~ (\S+) \{ proxy_pass http://127.0.0.1:(\d+);"),
        ("Caddyfile", r"path_regexp (\S+)\n\treverse_proxy @\w+ 127.0.0.1:(\d+) "),
    ],
)
def test_only_respondent_pages_are_routed_to_their_service(name, pattern):
    [(pages, port)] = re.findall(pattern, enable_two_services(read(name)))
    assert f"PORT={port}" in UNITS["candor-respondents"]["Environment"]
    for each in get_resolver("config.respondents_urls").url_patterns:
        for below in getattr(each, "url_patterns", [each]):
            inside = "" if each is below else below.pattern
            assert re.search(pages, f"/{each.pattern}{inside}"), each
    for address in ("/admin/", "/r/x/", "/api/x/y", "/accounts/", "/help/", "/"):
        assert not re.search(pages, address)


def test_proxies_log_no_visit():
    servers = read("nginx.conf").split("server {")[1:]
    assert all("access_log off;" in each for each in servers)
    assert all("/candor.log emerg;" in each for each in servers)
    logs = re.findall(r"^\t+log\b.*\n(?:\t+include (.+)\n)?", read("Caddyfile"), re.M)
    assert logs == ["tls"]


def test_the_install_script_matches_its_templates():
    assert set(re.findall(r"\$templates/([\w.-]+)", SCRIPT)) == {
        each.name for each in FILES.iterdir() if each.is_file()
    }
    for written in (HOST, "admin@example.org"):
        assert written in SCRIPT
        assert written in read("Caddyfile")
    subprocess.run(["sh", "-n", PROJECT / "scripts/install-server"], check=True)  # noqa: S603, S607


@pytest.mark.skipif(sys.platform != "linux", reason="sed -i is that of GNU")
@pytest.mark.parametrize(
    ("hosts", "kept"),
    [
        ("survey.example.org,umfrage.example.org", True),
        ("umfrage.example.org, survey.example.org", True),
        ("old.example.org", False),
        ("my-survey.example.org", False),
    ],
)
def test_run_again_it_keeps_the_settings_of_before(tmp_path, hosts, kept):
    before = f"SECRET_KEY=mine\nALLOWED_HOSTS={hosts}\n"
    (tmp_path / ".env").write_text(before)
    functions = SCRIPT.rpartition('main "$@"')[0]
    subprocess.run(  # noqa: S603
        ["sh", "-c", f"{functions}\nhost={HOST}\nwrite_settings"],  # noqa: S607
        cwd=tmp_path,
        check=True,
    )
    after = (tmp_path / ".env").read_text()
    assert after.startswith(before if kept else before.replace(hosts, HOST))


def test_the_deployment_guide_needs_at_most_twenty_lines():
    guide = (PROJECT / "docs/administrators/deployment.md").read_text("utf-8")
    typed = re.findall(r"^```\n(.+?)^```$", guide, re.MULTILINE | re.DOTALL)
    assert sum(block.count("\n") for block in typed) <= 20
