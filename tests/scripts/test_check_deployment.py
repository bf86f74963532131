"""What the deployment guide has systemd and nginx do is what it promises."""

import os
import re

import pytest
from django.urls import get_resolver

from scripts.check_deployment import (
    CHALLENGES,
    GUIDE,
    HOST,
    PROJECT,
    WEB_ROOT,
    changed,
    hook,
    proxy,
    the_block,
    units,
)

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
"""Ways to more than the two folders that the guide names."""


def settings_of(unit):
    return dict(re.findall(r"^(\w+)=(.*)$", unit, re.MULTILINE))


@pytest.mark.parametrize("name", units())
def test_a_service_may_write_its_data_and_nothing_else(name):
    found = settings_of(units()[name])
    assert PROMISED.items() <= found.items()
    assert WRITABLE.isdisjoint(found)
    assert found["User"].startswith("candor")
    for kind in ("State", "Cache"):
        assert re.fullmatch("candor(-door)?", found[f"{kind}Directory"])
    program = found["ExecStart"].split()[0].removeprefix("/srv/candor/")
    assert os.access(PROJECT / program, os.X_OK)


def test_no_two_users_have_one_folder():
    """Systemd would give it to whichever service starts last."""
    users = {}
    for unit in map(settings_of, units().values()):
        for kind in ("State", "Cache"):
            users.setdefault((kind, unit[f"{kind}Directory"]), set()).add(unit["User"])
    assert all(len(each) == 1 for each in users.values())
    assert len(users) == 4


def test_what_is_installed_is_where_the_services_look_for_it():
    guide, found = GUIDE.read_text("utf-8"), settings_of(units()["candor"])
    assert f"DATABASE_URL=sqlite:////var/lib/{found['StateDirectory']}/" in guide
    assert f"MPLCONFIGDIR=/var/cache/{found['CacheDirectory']}" in found["Environment"]
    assert (
        "install -d -m 700 -o candor -g candor /var/lib/candor /var/cache/candor"
        in (guide)
    )


def test_the_proxy_sends_respondents_to_their_door_and_nobody_else():
    [(pattern, port)] = re.findall(
        r"location ~ (\S+) \{\s+proxy_pass http://127.0.0.1:(\d+);", proxy()
    )
    assert f"PORT={port}" in units()["candor-respondents"]
    for each in get_resolver("config.respondents_urls").url_patterns:
        for below in getattr(each, "url_patterns", [each]):
            address = (
                f"/{each.pattern}"
                if each is below
                else f"/{each.pattern}{below.pattern}"
            )
            assert re.search(pattern, address), address
    for address in ("/admin/", "/r/x/", "/api/x/y", "/accounts/", "/help/", "/"):
        assert not re.search(pattern, address)
    servers = proxy().split("server {")[1:]
    assert all("access_log off;" in each for each in servers)
    assert all("/candor.log emerg;" in each for each in servers)


def test_a_certificate_can_be_renewed():
    """`make check-deployment` renews one with nginx; here its places must agree."""
    _https, http = proxy().split("server {")[1:]
    assert "listen 80;" in http
    [(location, root)] = re.findall(r"location (?!/ )(.+?) \{\s+root (\S+);", http)
    assert location == f"^~ {CHALLENGES}"
    [(webroot, host)] = re.findall(
        r"^certbot certonly --webroot -w (\S+) -d (\S+)$",
        the_block("apt-get install -y certbot"),
        re.MULTILINE,
    )
    assert webroot == root == WEB_ROOT
    assert re.findall(r"server_name (\S+);", proxy()) == [host] * 2 == [HOST] * 2
    # Outside of a location, a redirect comes before any of them.
    assert re.findall(r"(\n +)return 301", http) == ["\n        "]
    assert "location / {\n        return 301 https://" in http
    named = re.findall(r"/etc/letsencrypt/renewal-hooks/[\w/]+", GUIDE.read_text())
    [path] = set(named)
    assert path == "/etc/letsencrypt/renewal-hooks/deploy/nginx"
    assert hook() == "#!/bin/sh\nexec systemctl reload nginx\n"


def test_a_line_that_the_first_unit_has_not_cannot_be_changed():
    with pytest.raises(AssertionError, match="0 lines Nice="):
        changed(units()["candor"], "Nice=5")
