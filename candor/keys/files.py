"""Files of the key holder, read strictly and written atomically."""

import json
import os
import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import Any


class KeysError(ValueError):
    """A key, batch or result that is rejected."""


def encode(fields: Mapping[str, Any]) -> bytes:
    """Return the canonical JSON to hash and sign: sorted, ASCII, without spaces."""
    return json.dumps(fields, sort_keys=True, separators=(",", ":")).encode()


def decode(content: bytes, kind: str, fields: Mapping[str, type]) -> dict[str, Any]:
    """Return the fields of a file; raise unless kind, fields and types match."""
    try:
        found = json.loads(content)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict) or found.pop("format", None) != kind:
        raise KeysError(f"This file is no {kind!r}.")
    if {name: type(each) for name, each in found.items()} != fields:
        raise KeysError(f"This {kind!r} needs exactly {', '.join(fields)}.")
    return found


def write_new(path: Path, content: bytes) -> None:
    """Write a file atomically that only its owner can read; refuse to overwrite one."""
    if path.exists():
        raise KeysError(f"{path} exists already.")
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    flags = os.O_CREAT | os.O_EXCL | os.O_WRONLY
    with os.fdopen(os.open(temporary, flags, 0o600), "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    temporary.replace(path)
    if hasattr(os, "O_DIRECTORY"):  # Windows cannot open folders
        folder = os.open(path.parent, os.O_DIRECTORY)
        os.fsync(folder)
        os.close(folder)
