"""A certificate authority for Caddy, in place of Let's Encrypt."""

import json
import os
import socket
import ssl
import subprocess

from scripts.installation.machine import Machine, here, wait_for
from scripts.installation.visitor import HOST

ROOT = "/root/root.crt"
"""The certificate that visitors trust, in the root file system."""

AUTHORITY = """{
	admin off
	http_port 8080
	https_port 9443
	skip_install_trust
	storage file_system /root/authority
	auto_https disable_redirects
}
https://localhost:9443 {
	tls internal
	acme_server
}
"""

RENEWED_AT = 0.998
"""The remaining share of a certificate's 12 hours at renewal: after half a minute."""


def start_authority(machine: Machine) -> None:
    """Configure the installed Caddy for a local certificate authority."""
    machine.write("/root/Caddyfile", AUTHORITY)
    command = [
        "chroot",
        str(machine.root),
        "caddy",
        "run",
        "--config",
        "/root/Caddyfile",
    ]
    with machine.alone():
        subprocess.Popen(  # noqa: S603
            command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env={"HOME": "/root", "PATH": os.environ["PATH"]},
        )  # fmt: skip
    made = machine.root / "root/authority/pki/authorities/local/root.crt"
    wait_for(lambda: made.exists() or None)
    machine.write(ROOT, made.read_text())
    machine.write("/etc/caddy/root.crt", made.read_text())
    installed = machine.run(
        "caddy adapt --config /etc/caddy/Caddyfile 2>&-", shown=False
    )
    configuration = json.loads(installed)
    [policy] = configuration["apps"]["tls"]["automation"]["policies"]
    issuer = {"ca": "https://localhost:9443/acme/local/directory",
              "trusted_roots_pem_files": ["/etc/caddy/root.crt"]}  # fmt: skip
    policy["issuers"] = [policy["issuers"][0] | issuer]
    policy["renewal_window_ratio"] = RENEWED_AT
    configuration["apps"]["tls"]["automation"]["renew_interval"] = "2s"
    machine.write("/etc/caddy/check.json", json.dumps(configuration))
    machine.write(
        "/etc/systemd/system/caddy.service.d/check.conf",
        "[Service]\nExecStart=/usr/bin/caddy run --config /etc/caddy/check.json\n",
    )
    machine.run("systemctl restart caddy", shown=False)
    wait_for(lambda: served_certificate(machine))


def served_certificate(machine: Machine) -> bytes | None:
    trusting = ssl._create_unverified_context()  # noqa: S323
    try:
        with (
            machine.alone(),
            socket.create_connection(("127.0.0.1", 443)) as line,
            trusting.wrap_socket(line, server_hostname=HOST) as served,
        ):
            return served.getpeercert(binary_form=True)
    except OSError:
        return None


def renew_certificate(machine: Machine) -> None:
    """Wait until Caddy, which keeps running, serves a new certificate."""
    number = (machine.root / "run/caddy.pid").read_text()
    first = served_certificate(machine)
    wait_for(lambda: served_certificate(machine) not in {first, None} or None)
    assert (machine.root / "run/caddy.pid").read_text() == number
    print("  Caddy serves a renewed certificate")


def give_certificate(machine: Machine) -> None:
    """Install a self-signed certificate for nginx."""
    place = machine.root / "etc/letsencrypt/live" / HOST
    place.mkdir(parents=True)
    here(
        "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt",
        "ec_paramgen_curve:P-256", "-nodes", "-days", 2,
        "-subj", f"/CN={HOST}", "-addext", f"subjectAltName=DNS:{HOST}",
        "-keyout", place / "privkey.pem", "-out", place / "fullchain.pem",
    )  # fmt: skip
    machine.write(ROOT, (place / "fullchain.pem").read_text())
