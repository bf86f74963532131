"""The actions of `candor keys`, which need the package cryptography."""

import os
from collections.abc import Callable, Mapping
from getpass import getpass
from pathlib import Path
from typing import Any

from candor.cli.options import read_bytes
from candor.keys import Batch, KeysError, PrivateKey, PublicKey, open_once
from candor.keys.files import write_new
from candor.keys.opened import REASONS

OPENED = ".opened-"
"""Part of the names of results, which are stored next to the key."""


def make_key(options: Mapping[str, Any]) -> str:
    path, key = options["key"], PrivateKey.make()
    public = key.publish(holder=options["holder"], contact=options["contact"])
    _write_key(path, key)
    write_new(path.with_suffix(".public.json"), public.write())
    return (
        f"Fingerprint: {public.fingerprint}\n"
        f"Keep {path} and its passphrase, and print `candor keys paper {path}`.\n"
        f"Hand out {path.with_suffix('.public.json')}.\n"
        "If you lose the key, every report that is sealed to it is lost."
    )


def show_key(options: Mapping[str, Any]) -> str:
    key = PublicKey.read(read_bytes(options["key"]))
    return f"{key.holder} ({key.contact})\nFingerprint: {key.fingerprint}"


def print_paper(options: Mapping[str, Any]) -> str:
    key = _read_key(options["key"])
    return (
        f"Copy of the key {key.fingerprint}\n\n{key.to_paper()}\n\n"
        "Anyone who reads these lines can open the reports. Lock them away."
    )


def restore_key(options: Mapping[str, Any]) -> str:
    key = PrivateKey.from_paper(read_bytes(options["paper"]).decode(errors="replace"))
    _write_key(options["key"], key)
    return f"Fingerprint: {key.fingerprint}\nDelete {options['paper']}."


def open_reports(options: Mapping[str, Any]) -> str:
    batch = Batch.read(read_bytes(options["batch"]))
    if options["tables"] and batch.questions in batch.tables:
        raise KeysError("This batch asks for counts of all questions combined.")
    path: Path = options["key"]
    record = path.with_name(f"{path.stem}{OPENED}{batch.digest[:16]}.json")
    opened = open_once(_read_key(path), batch, record)
    most = max(map(len, batch.tables))
    refused = [
        f"{number:,} refused: {REASONS[reason]}"
        for reason, number in opened.refused.items()
        if number
    ]
    lines = [
        f"Survey {batch.digest}",
        f"{opened.accepted:,} of {len(batch.sealed):,} reports counted",
        *refused,
        f"Tables: {len(batch.tables):,}. At most {most} of {len(batch.reports)} "
        "questions are combined.",
        f"Send a copy of {record}, and keep it.",
    ]
    return "\n".join(lines)


def destroy_key(options: Mapping[str, Any]) -> str:
    path: Path = options["key"]
    read_bytes(path)
    names = [each.name for each in path.parent.iterdir()]
    is_used = any(each.startswith(f"{path.stem}{OPENED}") for each in names)
    if not (is_used or options["unopened"]):
        raise KeysError(
            "This key has opened no batch: --unopened destroys it all the same."
        )
    with path.open("r+b") as file:
        file.write(bytes(path.stat().st_size))
        file.flush()
        os.fsync(file.fileno())
    path.unlink()
    return (
        f"{path} is overwritten and removed. Destroy its copies too: on paper, USB "
        "sticks, in backups. Some disks keep what was overwritten for a while."
    )


def _write_key(path: Path, key: PrivateKey) -> None:
    passphrase = getpass("New passphrase: ")
    if getpass("The same again: ") != passphrase:
        raise KeysError("The two passphrases differ.")
    write_new(path, key.write(passphrase))


def _read_key(path: Path) -> PrivateKey:
    return PrivateKey.read(read_bytes(path), getpass("Passphrase: "))


ACTIONS: Mapping[str, Callable[[Mapping[str, Any]], str]] = {
    "new": make_key,
    "show": show_key,
    "paper": print_paper,
    "restore": restore_key,
    "open": open_reports,
    "destroy": destroy_key,
}
