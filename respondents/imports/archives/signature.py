"""Signatures of archives: Ed25519 (RFC 8032), with a key of the writing server."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import (
    Ed25519PrivateKey,
    Ed25519PublicKey,
)
from django.conf import settings
from django.utils.crypto import salted_hmac

from candor.files.table import FileError
from surveys.frozen import encode_definition

PURPOSE = "candor.archives"
"""Keeps this key apart from all else that Django derives from `SECRET_KEY`."""

INVALID = "signature: does not match the file; it was changed after it was signed"


@dataclass(frozen=True)
class Signature:
    server: str
    """The name that the server gives itself; only its key is evidence."""
    key: str
    """The public key: 64 hexadecimal digits."""
    value: str
    """The signature: 128 hexadecimal digits."""

    @classmethod
    def read(cls, given: object) -> "Signature":
        """Return what a file gives; raise `FileError` where it is no signature."""
        names = {each.name for each in fields(cls)}
        if (
            not isinstance(given, dict)
            or set(given) != names
            or not all(isinstance(each, str) for each in given.values())
        ):
            raise FileError([f"signature: must be an object of {', '.join(names)}"])
        return cls(**given)

    def to_dict(self) -> dict[str, str]:
        return asdict(self)


def private_key() -> Ed25519PrivateKey:
    """Return the key of this server; another `SECRET_KEY` makes another one."""
    seed = salted_hmac(PURPOSE, "Ed25519", algorithm="sha256").digest()
    return Ed25519PrivateKey.from_private_bytes(seed)


def public_key() -> str:
    """Return what other servers know this one by."""
    return private_key().public_key().public_bytes_raw().hex()


def sign(statement: Mapping[str, Any]) -> Signature:
    """Sign what an archive states, in the name of the first of `ALLOWED_HOSTS`."""
    server, key = settings.ALLOWED_HOSTS[0], public_key()
    signed = private_key().sign(message(statement, server=server, key=key))
    return Signature(server=server, key=key, value=signed.hex())


def verify(statement: Mapping[str, Any], signature: Signature) -> None:
    """Raise `FileError` where a signature is not of this statement."""
    try:
        key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(signature.key))
        key.verify(
            bytes.fromhex(signature.value),
            message(statement, server=signature.server, key=signature.key),
        )
    except (ValueError, InvalidSignature) as error:
        raise FileError([INVALID]) from error


def message(statement: Mapping[str, Any], *, server: str, key: str) -> bytes:
    signed = {"purpose": PURPOSE, "server": server, "key": key, "archive": statement}
    return encode_definition(signed).encode()
