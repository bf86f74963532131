"""The command `candor keys`; tests/candor/keys checks what it opens."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import candor as library
from candor.cli import key_actions
from candor.cli.keys import ACTIONS
from candor.keys import Opened, PrivateKey, PublicKey
from tests.candor.cli.command import CommandFailedError, candor
from tests.candor.keys.holders import DIGEST, PASSPHRASE, make_batch, seal

CHECKOUT = Path(library.__file__).parents[1]
NAMED = ("--holder", "Ethics Office", "--contact", "ethics@example.org")

WITHOUT_CRYPTOGRAPHY = """
import runpy, sys
sys.modules["cryptography"] = None
runpy.run_module("candor", run_name="__main__")
"""


@pytest.fixture
def typed(monkeypatch):
    """Answer prompts with these passphrases, then with PASSPHRASE."""
    waiting = []
    monkeypatch.setattr(
        key_actions,
        "getpass",
        lambda _prompt: waiting.pop(0) if waiting else PASSPHRASE,
    )
    return waiting


@pytest.fixture
def key(tmp_path, typed):
    file = tmp_path / "office.key"
    candor("keys", "new", file, *NAMED)
    return file


def refusal(*arguments):
    with pytest.raises(CommandFailedError) as error:
        candor("keys", *arguments)
    return str(error.value)


def test_a_key_is_made_shown_and_restored(key, tmp_path):
    public = key.with_suffix(".public.json")
    fingerprint = PublicKey.read(public.read_bytes()).fingerprint
    shown = candor("keys", "show", public)
    assert shown == f"Ethics Office (ethics@example.org)\nFingerprint: {fingerprint}\n"
    assert key.stat().st_mode & 0o777 == 0o600
    paper, restored = tmp_path / "typed.txt", tmp_path / "restored.key"
    paper.write_text(candor("keys", "paper", key))
    assert fingerprint in paper.read_text()
    assert fingerprint in candor("keys", "restore", restored, paper)
    assert PrivateKey.read(restored.read_bytes(), PASSPHRASE) == PrivateKey.read(
        key.read_bytes(), PASSPHRASE
    )
    paper.write_text(paper.read_text().replace("\n3 ", "\n7 "))
    refused = refusal("restore", tmp_path / "another.key", paper)
    assert refused == "candor: Line 3 of the paper copy has a typing error.\n"


def test_documented_key_commands_run(tmp_path, typed, monkeypatch):
    monkeypatch.chdir(tmp_path)
    page = (CHECKOUT / "docs" / "reference" / "commands.md").read_text("utf-8")
    shown = {}
    for line in re.findall("^python -m candor keys (.+)$", page, re.MULTILINE):
        action = line.partition(" ")[0]
        if action == "restore":
            Path("PAPER.txt").write_text(shown["paper"])
        if action == "open":
            public = PublicKey.read(Path("KEY.public.json").read_bytes())
            batch = make_batch(
                seal((0, 1), public=public),
                fingerprint=public.fingerprint,
                tables=((1,), (2,)),
            )
            Path("BATCH.json").write_bytes(batch.write())
        shown[action] = candor("keys", *shlex.split(line))
    assert shown.keys() == ACTIONS.keys()
    assert not Path("KEY.key").exists()


def test_no_key_is_overwritten(key, typed):
    before = key.read_bytes()
    assert "exists already" in refusal("new", key, *NAMED)
    assert key.read_bytes() == before
    typed += ["one passphrase", "another passphrase"]
    assert "passphrases differ" in refusal("new", key.with_name("b.key"), *NAMED)


def test_a_batch_is_opened_once(key, typed, tmp_path):
    public = PublicKey.read(key.with_suffix(".public.json").read_bytes())
    sealed = seal((0, 1), (1, 1), (0, 3), public=public)
    batch = make_batch([*sealed, sealed[0]], fingerprint=public.fingerprint)
    file = tmp_path / "batch.json"
    file.write_bytes(batch.write())
    assert "all questions combined" in refusal("open", key, file, "--tables")
    typed.append("a wrong passphrase")
    assert "Wrong passphrase" in refusal("open", key, file)
    result = tmp_path / f"office.opened-{DIGEST[:16]}.json"
    assert candor("keys", "open", key, file).splitlines() == [
        f"Survey {DIGEST}",
        "2 of 4 reports counted",
        "1 refused: there twice",
        "1 refused: not possible in this survey",
        "Tables: 1. At most 2 of 2 questions are combined.",
        f"Send a copy of {result}, and keep it.",
    ]
    opened = Opened.read(result.read_bytes(), key=public, batch=batch)
    assert opened.counts == ({b"\0\1": 1, b"\1\1": 1},)
    assert "opened before" in refusal("open", key, file)


def test_destroy_requires_an_opened_batch_or_the_unopened_option(key):
    assert "has opened no batch" in refusal("destroy", key)
    other_name = key.with_name("hard-link")
    other_name.hardlink_to(key)
    assert "Destroy its copies too" in candor("keys", "destroy", key, "--unopened")
    assert not key.exists()
    assert set(other_name.read_bytes()) == {0}
    assert "cannot be read" in refusal("destroy", key)


def test_without_cryptography_it_names_the_extra():
    done = subprocess.run(  # noqa: S603 - our own command
        [sys.executable, "-c", WITHOUT_CRYPTOGRAPHY, "keys", "show", "office.json"],
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 2
    assert done.stderr == (
        'candor: cryptography is needed: pip install "candor-surveys[keys]"\n'
    )
