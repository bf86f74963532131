"""Public keys, which seal reports and verify results."""

from base64 import b64decode, b64encode
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.hpke import AEAD, KDF, KEM, Suite

from candor.keys.files import KeysError, decode, encode

SUITE = Suite(KEM.P256, KDF.HKDF_SHA256, AEAD.AES_128_GCM)
CURVE = ec.SECP256R1()

OVERHEAD = 65 + 16
"""Bytes that sealing adds: a point of P-256, and the tag of AES-GCM."""

KIND = "candor public key 1"
FIELDS = ("holder", "contact", "sealing", "verifying", "fingerprint")

FINGERPRINT_DIGITS, GROUP = 32, 4
"""128 bits, so that finding another key with the same fingerprint is infeasible."""


@dataclass(frozen=True, kw_only=True)
class PublicKey:
    """The public key of a holder."""

    holder: str
    """The only institution that can open reports."""
    contact: str
    sealing: bytes
    """The P-256 point to which reports are sealed, uncompressed: 65 bytes."""
    verifying: bytes
    """The Ed25519 key that verifies results: 32 bytes."""

    def __post_init__(self) -> None:
        try:
            ec.EllipticCurvePublicKey.from_encoded_point(CURVE, self.sealing)
            Ed25519PublicKey.from_public_bytes(self.verifying)
        except ValueError as error:
            raise KeysError("This is no public key of a holder.") from error

    @cached_property
    def fingerprint(self) -> str:
        """Groups of hexadecimal digits of SHA-256 of both keys, such as "5F3A 0C11"."""
        digits = sha256(self.sealing + self.verifying).hexdigest().upper()
        groups = range(0, FINGERPRINT_DIGITS, GROUP)
        return " ".join(digits[start : start + GROUP] for start in groups)

    @classmethod
    def read(cls, content: bytes) -> "PublicKey":
        """Return the key of a file; its stated fingerprint must match."""
        found = decode(content, KIND, dict.fromkeys(FIELDS, str))
        stated = found.pop("fingerprint")
        try:
            for name in ("sealing", "verifying"):
                found[name] = b64decode(found[name])
        except ValueError as error:
            raise KeysError("This is no public key of a holder.") from error
        key = cls(**found)
        if key.fingerprint != stated:
            raise KeysError("The fingerprint in this file is that of another key.")
        return key

    def write(self) -> bytes:
        """Return the file that `read` reads."""
        return encode(
            {
                "format": KIND,
                "holder": self.holder,
                "contact": self.contact,
                "sealing": b64encode(self.sealing).decode(),
                "verifying": b64encode(self.verifying).decode(),
                "fingerprint": self.fingerprint,
            }
        )

    def seal(self, pattern: bytes, digest: str) -> bytes:
        """Return a report sealed for one survey, as browsers seal it."""
        key = ec.EllipticCurvePublicKey.from_encoded_point(CURVE, self.sealing)
        return SUITE.encrypt(pattern, key, info=digest.encode())

    def verify(self, signature: bytes, message: bytes) -> None:
        """Raise `KeysError` unless the holder signed the message."""
        try:
            Ed25519PublicKey.from_public_bytes(self.verifying).verify(
                signature, message
            )
        except InvalidSignature as error:
            raise KeysError("The signature is not that of the key holder.") from error
