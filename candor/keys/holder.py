"""The private key of a holder: its file, its copy on paper, opening and signing."""

import os
import re
import unicodedata
from base64 import b32decode, b32encode, encodebytes
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256

from cryptography.exceptions import InvalidTag, UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.ciphers import Cipher
from cryptography.hazmat.primitives.ciphers.algorithms import AES
from cryptography.hazmat.primitives.ciphers.modes import CBC
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.kdf.pbkdf2 import PBKDF2HMAC
from cryptography.hazmat.primitives.padding import PKCS7
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
)

from candor.keys.files import KeysError
from candor.keys.public import CURVE, SUITE, PublicKey

MIN_PASSPHRASE_LENGTH = 12  # characters

ITERATIONS = 600_000
"""From OWASP's Password Storage Cheat Sheet (2023) for PBKDF2-HMAC-SHA256; the library
`cryptography` uses 2,048 for its own files."""

# Encrypted PKCS #8 (RFC 5958, RFC 8018) of a P-256 key has a fixed length. These bytes
# precede the salt, the initialisation vector and the key.
BEFORE_SALT = "3081f5306006092a864886f70d01050d3053303206092a864886f70d01050c30250410"
BEFORE_VECTOR = "02030927c0300c06082a864886f70d02090500301d060960864801650304012a0410"
BEFORE_KEY = "048190"
PEM = "-----BEGIN ENCRYPTED PRIVATE KEY-----\n%s-----END ENCRYPTED PRIVATE KEY-----\n"

LINES = 4
"""Lines of the paper copy, each with 8 bytes of the key and a checksum of 2 bytes."""

STANDARD = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
ON_PAPER = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Base 32 of RFC 4648, and of D. Crockford, which omits letters that look like digits.
"""


@dataclass(frozen=True)
class PrivateKey:
    """The private key of a holder, from which the public key follows."""

    scalar: bytes = field(repr=False)
    """The P-256 private key: 32 bytes. The signing key is derived from it."""

    def __post_init__(self) -> None:
        try:
            is_whole = 8 * len(self.scalar) == self._opening.key_size
        except ValueError:  # 0, or not below the order of the curve
            is_whole = False
        if not is_whole:
            raise KeysError("This is no private key of a holder.")

    @cached_property
    def _opening(self) -> ec.EllipticCurvePrivateKey:
        return ec.derive_private_key(int.from_bytes(self.scalar), CURVE)

    @cached_property
    def _signing(self) -> Ed25519PrivateKey:
        # A separate key, so that no signature uses the key that opens reports.
        derivation = HKDF(SHA256(), 32, salt=None, info=b"candor signing key")
        return Ed25519PrivateKey.from_private_bytes(derivation.derive(self.scalar))

    @classmethod
    def make(cls) -> "PrivateKey":
        return cls._of(ec.generate_private_key(CURVE))

    @classmethod
    def _of(cls, key: ec.EllipticCurvePrivateKey) -> "PrivateKey":
        return cls(key.private_numbers().private_value.to_bytes(32))

    @classmethod
    def read(cls, content: bytes, passphrase: str) -> "PrivateKey":
        """Return the key of a file, or raise `KeysError` for a wrong passphrase."""
        try:
            key = load_pem_private_key(content, encode_passphrase(passphrase))
        except (TypeError, ValueError, UnsupportedAlgorithm) as error:
            raise KeysError("Wrong passphrase, or the key file is damaged.") from error
        if (
            not isinstance(key, ec.EllipticCurvePrivateKey)
            or key.curve.name != CURVE.name
        ):
            raise KeysError("This is no private key of a holder.")
        return cls._of(key)

    def write(self, passphrase: str) -> bytes:
        """Return the key as encrypted PKCS #8, which `openssl pkey` reads too."""
        if len(passphrase) < MIN_PASSPHRASE_LENGTH:
            raise KeysError(
                f"The passphrase must have at least {MIN_PASSPHRASE_LENGTH} characters."
            )
        salt, vector = os.urandom(16), os.urandom(16)
        derivation = PBKDF2HMAC(SHA256(), 32, salt, ITERATIONS)
        cipher = Cipher(
            AES(derivation.derive(encode_passphrase(passphrase))), CBC(vector)
        )
        plain = self._opening.private_bytes(
            Encoding.DER, PrivateFormat.PKCS8, NoEncryption()
        )
        padder, encryptor = PKCS7(AES.block_size).padder(), cipher.encryptor()
        encrypted = encryptor.update(padder.update(plain) + padder.finalize())
        parts = (BEFORE_SALT, salt, BEFORE_VECTOR, vector, BEFORE_KEY, encrypted)
        der = b"".join(
            bytes.fromhex(each) if isinstance(each, str) else each for each in parts
        )
        return (PEM % encodebytes(der).decode()).encode()

    @classmethod
    def from_paper(cls, text: str) -> "PrivateKey":
        """Return the key typed from a paper copy; errors name the line."""
        scalar = b""
        for number in range(1, LINES + 1):
            found = re.search(rf"^\s*{number}[ .:]\s*(.+)$", text, re.MULTILINE)
            typed = re.sub(r"[\s-]", "", found[1]).upper() if found else ""
            meant = typed.translate(str.maketrans("OIL", "011"))
            try:
                line = b32decode(meant.translate(str.maketrans(ON_PAPER, STANDARD)))
            except ValueError:
                line = b""
            if line != add_checksum(number, line[:-2]):
                raise KeysError(f"Line {number} of the paper copy has a typing error.")
            scalar += line[:-2]
        return cls(scalar)

    def to_paper(self) -> str:
        """Return the key as four numbered lines, each with a checksum."""
        lines = []
        for number in range(1, LINES + 1):
            line = add_checksum(number, self.scalar[8 * number - 8 : 8 * number])
            shown = (
                b32encode(line).decode().translate(str.maketrans(STANDARD, ON_PAPER))
            )
            groups = (shown[start : start + 4] for start in range(0, len(shown), 4))
            lines.append(f"{number}  {' '.join(groups)}")
        return "\n".join(lines)

    def publish(self, *, holder: str, contact: str) -> PublicKey:
        """Return the public key, with the holder's name and contact."""
        return PublicKey(
            holder=holder,
            contact=contact,
            sealing=self._opening.public_key().public_bytes(
                Encoding.X962, PublicFormat.UncompressedPoint
            ),
            verifying=self._signing.public_key().public_bytes_raw(),
        )

    @cached_property
    def fingerprint(self) -> str:
        """The fingerprint of the public key."""
        return self.publish(holder="", contact="").fingerprint

    def open(self, sealed: bytes, digest: str) -> bytes | None:
        """Return a report; None if altered or sealed for another survey or key."""
        try:
            return SUITE.decrypt(sealed, self._opening, info=digest.encode())
        except InvalidTag:
            return None

    def sign(self, message: bytes) -> bytes:
        """Return the Ed25519 signature of a message (RFC 8032)."""
        return self._signing.sign(message)


def encode_passphrase(passphrase: str) -> bytes:
    """Return the bytes of a passphrase, which are the same on every keyboard."""
    return unicodedata.normalize("NFC", passphrase).encode()


def add_checksum(number: int, part: bytes) -> bytes:
    """Return the bytes of a line of the paper copy: 8 of the key and 2 of a hash."""
    return part + sha256(b"candor paper copy %d " % number + part).digest()[:2]
