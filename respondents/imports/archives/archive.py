"""Archives: folders with the counts and the design of a closed survey.

docs/administrators/archives.md describes both files. The server that writes an archive
signs it with Ed25519 (RFC 8032).
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import (
    Ed25519PrivateKey,
    Ed25519PublicKey,
)
from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils.crypto import salted_hmac

from candor.files.table import FileError
from candor.mechanisms.parameters import shown
from surveys.design import Design, parse_design
from surveys.files.definition import SURVEY_FIELDS, write_definition
from surveys.files.values import parse_json
from surveys.frozen import compute_digest, encode_definition
from surveys.models import Survey
from surveys.version import get_software_version

PURPOSE = "candor.archives"
"""Separates this key from all others that Django derives from `SECRET_KEY`."""

INVALID = "signature: does not match the file; it was changed after it was signed"


@dataclass(frozen=True)
class Signature:
    server: str
    """The name that the server gives itself; only its key is proof."""
    key: str
    """The public key: 64 hexadecimal digits."""
    value: str
    """The signature: 128 hexadecimal digits."""

    @classmethod
    def read(cls, given: object) -> "Signature":
        """Return the signature in a file; raise `FileError` if it is malformed."""
        names = {field.name for field in fields(cls)}
        if (
            not isinstance(given, dict)
            or set(given) != names
            or not all(isinstance(value, str) for value in given.values())
        ):
            raise FileError([f"signature: must be an object of {', '.join(names)}"])
        return cls(**given)


def derive_private_key() -> Ed25519PrivateKey:
    """Return the private key of this server, which is derived from `SECRET_KEY`."""
    seed = salted_hmac(PURPOSE, "Ed25519", algorithm="sha256").digest()
    return Ed25519PrivateKey.from_private_bytes(seed)


def derive_public_key() -> str:
    """Return the public key by which other servers recognise this one."""
    return derive_private_key().public_key().public_bytes_raw().hex()


def sign(statement: Mapping[str, Any]) -> Signature:
    """Sign the statement of an archive, in the name of the first of `ALLOWED_HOSTS`."""
    server, key = settings.ALLOWED_HOSTS[0], derive_public_key()
    signed = derive_private_key().sign(encode_signed(statement, server=server, key=key))
    return Signature(server=server, key=key, value=signed.hex())


def verify(statement: Mapping[str, Any], signature: Signature) -> None:
    """Raise `FileError` if a signature does not belong to this statement."""
    try:
        key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(signature.key))
        key.verify(
            bytes.fromhex(signature.value),
            encode_signed(statement, server=signature.server, key=signature.key),
        )
    except (ValueError, InvalidSignature) as error:
        raise FileError([INVALID]) from error


def encode_signed(statement: Mapping[str, Any], *, server: str, key: str) -> bytes:
    # Numbers read from a file are exact decimals, but were floats when signed.
    plain = json.loads(json.dumps(statement, default=float))
    signed = {"purpose": PURPOSE, "server": server, "key": key, "archive": plain}
    return encode_definition(signed).encode()


FORMAT = 1
"""To be increased when an archive of this version would be read differently."""

PATTERNS, DESIGN = "patterns.parquet", "design.json"

MAX_BYTES = 50_000_000
"""The largest design file: tables of 200 questions with 255 reports need less."""

NO_DESIGN = "design: this is no design of a survey"

OF_ONE_SITE = set(SURVEY_FIELDS) - {
    *(*Survey.DEFINED, *Survey.DEFINED_IF_WRITTEN, *Survey.PINNED, "draws"),
}
"""Fields that each server plans for itself. Archives contain its dates and numbers only
if they were promised to respondents."""

INSTALL = ".venv/bin/pip install --require-hashes --requirement requirements-{}.txt"


def import_optional(name: str, extra: str = "archives") -> Any:
    """Return a library that only archives need.

    Raises
    ------
    FileError
        If it is not installed; the message contains the command that installs it.
    """
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        message = f"This needs {error.name}: {INSTALL.format(extra)}"
        raise FileError([message]) from error


@dataclass(frozen=True, kw_only=True)
class Archive:
    """The contents of `design.json`."""

    format: int = FORMAT
    software: str
    design_digest: str
    counts_digest: str
    """`rows.CountsDigest` of the rows."""
    respondents: int
    is_simulated: bool
    is_imported: bool
    """Whether patterns may have missing reports that no draw explains."""
    design: Mapping[str, Any]
    """The definition that the design digest covers, with every table."""
    survey: Mapping[str, Any]
    """The same in the format of a survey file, from which it can be made again."""
    signature: Signature | None = None
    """The signature of all fields above; older archives have none."""

    @property
    def statement(self) -> dict[str, Any]:
        """All fields but the signature, which signs them."""
        return {name: getattr(self, name) for name in KINDS}

    @cached_property
    def frozen(self) -> Design:
        """The design; its survey need not be in this database."""
        return parse_design(
            self.design, survey_id=0, digest=self.design_digest, is_rehearsal=False
        )

    def to_json(self) -> str:
        signed = {"signature": asdict(self.signature)} if self.signature else {}
        written = {**self.statement, **signed}
        return json.dumps(written, indent=2, ensure_ascii=False) + "\n"


def make_archive(survey: Survey, *, counts_digest: str, respondents: int) -> Archive:
    file = json.loads(write_definition(survey))
    archive = Archive(
        software=get_software_version(),
        design_digest=survey.design_digest,
        counts_digest=counts_digest,
        respondents=respondents,
        is_simulated=survey.is_simulated,
        is_imported=survey.is_imported,
        design=survey.definition(),
        survey={
            name: file[name]
            for name in file
            if name not in OF_ONE_SITE or name in survey.group_sizes()
        },
    )
    return replace(archive, signature=sign(archive.statement))


def read_archive(folder: Path) -> Archive:
    """Return the description of an archive, without its rows.

    Raises `FileError` if the folder is not an archive, or if `design.json` does not
    match its digest.
    """
    file = folder / DESIGN
    try:
        if file.stat().st_size > MAX_BYTES:
            raise FileError([f"{file} must have at most {MAX_BYTES} bytes"])
        archive = parse_archive(file.read_text("utf-8"))
        if archive.format != FORMAT:
            raise FileError([f"format: must be {FORMAT}; got {archive.format}"])
        if compute_design_digest(archive.design) != archive.design_digest:
            raise FileError(["design_digest: must be the digest of the design"])
        check_design(archive)
        if archive.signature:
            verify(archive.statement, archive.signature)
    except OSError as error:
        raise FileError([f"{file} cannot be read: {error.strerror}"]) from error
    except UnicodeDecodeError as error:
        message = f"{file} must be UTF-8; byte {error.start} is not"
        raise FileError([message]) from error
    except FileError as error:
        raise FileError([f"{file}: {line}" for line in error.problems]) from error
    return archive


def parse_archive(text: str) -> Archive:
    """Return the archive that a JSON text describes; check the types of its values."""
    values = parse_json(text)
    if not isinstance(values, dict) or set(values) - {"signature"} != set(KINDS):
        got = sorted(values) if isinstance(values, dict) else values
        raise FileError([f"must be an object of {', '.join(KINDS)}; got {shown(got)}"])
    for name, kind in KINDS.items():
        if type(values[name]) is not kind:
            message = f"{name}: must be {KIND_NAMES[kind]}; got {shown(values[name])}"
            raise FileError([message])
    signed = values.pop("signature", None)
    return Archive(**values, signature=Signature.read(signed) if signed else None)


KINDS: dict[str, type] = {
    "format": int,
    "software": str,
    "design_digest": str,
    "counts_digest": str,
    "respondents": int,
    "is_simulated": bool,
    "is_imported": bool,
    "design": dict,
    "survey": dict,
}

KIND_NAMES = {
    int: "a whole number",
    str: "a text",
    bool: "true or false",
    dict: "an object",
}


def compute_design_digest(design: Mapping[str, Any]) -> str:
    try:
        return compute_digest(design)
    except (TypeError, UnicodeEncodeError, RecursionError) as error:
        # Decimals, lone surrogates and endless nesting do not occur in a design.
        raise FileError([f"design: {error}"]) from error


def check_design(archive: Archive) -> None:
    try:
        is_sound = is_design(archive.frozen)
        check_plan(archive.design.get("analysis"))
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise FileError([f"{NO_DESIGN} ({error})"]) from error
    if not is_sound:
        raise FileError([NO_DESIGN])


def check_plan(analysis: Mapping[str, Any] | None) -> None:
    """Raise `ValueError` for a planned analysis that is not valid for any survey."""
    if analysis is None:
        return
    is_whole = set(analysis) == set(Survey.PINNED)
    if not is_whole or not all(type(each) is str for each in analysis.values()):
        raise ValueError(f"analysis: must have texts {', '.join(Survey.PINNED)}")
    others = {field.name for field in Survey._meta.fields} - set(Survey.PINNED)
    try:
        Survey(**analysis).clean_fields(exclude=others)
    except ValidationError as error:
        raise ValueError(f"analysis: {error.messages[0]}") from error


def is_design(design: Design) -> bool:
    """Return whether a survey could have this design; its tables are checked."""
    texts = [
        getattr(design, name) for name in (*Survey.DEFINED, *Survey.DEFINED_IF_WRITTEN)
    ]
    for question in design.questions:
        texts += [question.text, question.innocuous_question, *question.choices]
        texts += [question.hint, question.helpline, question.tick_list]
    for section in design.sections:
        texts += [section.title, section.text]
    drawn = [number for group in design.groups for number in group.questions]
    return (
        # Raises `KeysError` if it is not a key.
        bool(design.holder) == bool(design.holder_key)
        and len(design.questions) > 0
        and all(type(text) is str for text in texts)
        and all(
            len(question.choices) == len(question.mechanism.answers)
            for question in design.questions
        )
        and all(type(number) is int for number in drawn)
        and set(drawn) <= set(range(1, len(design.questions) + 1))
        and all(is_design(each) for each in design.translations)
    )
