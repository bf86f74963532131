"""Keys, key files, paper copies and the sealing standard."""

import json
import os
import shutil
import subprocess
import unicodedata

import pytest
from cryptography.hazmat.bindings._rust import openssl
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    PrivateFormat,
)

from candor.keys import KeysError, PrivateKey, PublicKey
from candor.keys.files import encode, write_new
from candor.keys.public import CURVE, SUITE
from tests.candor.keys.holders import (
    ANOTHER_DIGEST,
    ANOTHER_KEY,
    DIGEST,
    KEY,
    PASSPHRASE,
    PUBLIC,
    VECTOR,
)


def test_the_library_matches_the_test_vector_of_the_standard():
    vector = {name: bytes.fromhex(VECTOR[name]) for name in VECTOR.keys() - {"source"}}
    key = ec.derive_private_key(int.from_bytes(vector["skRm"]), CURVE)
    sealed = vector["pkEm"] + vector["ct"]
    opened = openssl.hpke._decrypt_with_aad(
        SUITE, sealed, key, vector["info"], vector["aad"]
    )
    assert opened == vector["pt"]
    public = PrivateKey(vector["skRm"]).publish(holder="", contact="")
    assert public.sealing == vector["pkRm"]


def test_a_report_opens_only_with_its_key_and_survey():
    sealed = PUBLIC.seal(b"\0\1", DIGEST)
    assert KEY.open(sealed, DIGEST) == b"\0\1"
    assert KEY.open(sealed, ANOTHER_DIGEST) is None
    assert ANOTHER_KEY.open(sealed, DIGEST) is None
    for place in range(len(sealed)):
        altered = bytearray(sealed)
        altered[place] ^= 1
        assert KEY.open(bytes(altered), DIGEST) is None


def test_a_key_file_needs_its_passphrase():
    written = KEY.write(PASSPHRASE)
    assert PrivateKey.read(written, unicodedata.normalize("NFD", PASSPHRASE)) == KEY
    assert KEY.write(PASSPHRASE) != written
    assert KEY.scalar.hex() not in written.hex()
    for content, passphrase in (
        (written, PASSPHRASE + "x"),
        (written, ""),
        (written[:-80], PASSPHRASE),
        (b"", PASSPHRASE),
    ):
        with pytest.raises(KeysError, match="Wrong passphrase, or the key file"):
            PrivateKey.read(content, passphrase)
    with pytest.raises(KeysError, match="at least 12 characters"):
        KEY.write("eleven char")
    assert PrivateKey.read(KEY.write("twelve chars"), "twelve chars") == KEY


@pytest.mark.parametrize(
    "other", [ec.generate_private_key(ec.SECP384R1()), Ed25519PrivateKey.generate()]
)
def test_another_kind_of_key_is_refused(other):
    encryption = BestAvailableEncryption(PASSPHRASE.encode())
    written = other.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, encryption)
    with pytest.raises(KeysError, match="no private key of a holder"):
        PrivateKey.read(written, PASSPHRASE)


def test_openssl_reads_a_key_file(tmp_path):
    """OpenSSL reads it without Candor, with 600,000 iterations."""
    if not (openssl := shutil.which("openssl")):
        pytest.fail("No OpenSSL: apt-get install -y openssl")
    (tmp_path / "office.key").write_bytes(KEY.write(PASSPHRASE))

    def ask(*arguments):
        done = subprocess.run(  # noqa: S603 - the system's OpenSSL
            [openssl, *arguments, "-in", tmp_path / "office.key"],
            check=True,
            capture_output=True,
            text=True,
        )
        return done.stdout.replace(" ", "").replace(":", "").replace("\n", "")

    shown = ask("pkey", "-passin", f"pass:{PASSPHRASE}", "-noout", "-text")
    assert KEY.scalar.hex() in shown
    assert f"{600_000:06X}" in ask("asn1parse")


def test_a_key_is_not_shown_by_mistake():
    assert repr(KEY) == "PrivateKey()"


@pytest.mark.parametrize(
    "scalar", [b"", b"\1", bytes(32), b"\xff" * 32, b"\0" * 32 + b"\1"]
)
def test_an_invalid_private_scalar_is_rejected(scalar):
    with pytest.raises(KeysError, match="no private key"):
        PrivateKey(scalar)


PAPER = """\
1  0410 6105 0R3G HSGY
2  1450 P30D 1R7H 0JYC
3  2491 650N 2RBH H1D2
4  34D1 P70X 3RFJ 18BK"""
"""The bytes 1 to 32. Paper copies must stay readable."""


def test_a_key_is_restored_from_its_paper_copy():
    assert PrivateKey(bytes(range(1, 33))).to_paper() == PAPER
    lines = KEY.to_paper()
    assert PrivateKey.from_paper(lines) == KEY
    as_read = f"Copy of the key\n\n{lines.replace('0', 'O')}\n\nLock it away."
    assert PrivateKey.from_paper(as_read) == KEY
    assert PrivateKey.from_paper(lines.lower()) == KEY


def test_a_typing_error_is_found_in_its_line():
    """A wrong character passes once in 65,536 times: this key is always the same."""
    key = PrivateKey(bytes(range(1, 33)))
    lines = key.to_paper().splitlines()
    for number, line in enumerate(lines, start=1):
        *others, last = line
        swapped = "".join([*line[:3], line[4], line[3], *line[5:]])
        for wrong in (
            "".join([*others, "Z" if last != "Z" else "Y"]),
            line[:-1],
            "",
            swapped,
        ):
            damaged = [*lines]
            damaged[number - 1] = wrong
            with pytest.raises(KeysError, match=f"Line {number} of the paper copy"):
                PrivateKey.from_paper("\n".join(damaged))
    first, second, *rest = lines
    exchanged = [f"1{second[1:]}", f"2{first[1:]}", *rest]
    with pytest.raises(KeysError, match="Line 1"):
        PrivateKey.from_paper("\n".join(exchanged))


@pytest.mark.parametrize("changes", [{"sealing": bytes(65)}, {"verifying": b"\1"}])
def test_a_point_off_the_curve_is_rejected(changes):
    fields = {"sealing": PUBLIC.sealing, "verifying": PUBLIC.verifying, **changes}
    with pytest.raises(KeysError, match="no public key of a holder"):
        PublicKey(holder="", contact="", **fields)


def test_a_file_is_synced_to_disk_before_it_is_renamed(tmp_path, monkeypatch):
    steps = []
    replace = os.replace
    monkeypatch.setattr(os, "fsync", lambda file: steps.append(os.fstat(file).st_size))
    monkeypatch.setattr(
        os, "replace", lambda *names: steps.append("named") or replace(*names)
    )
    write_new(tmp_path / "file", b"12345")
    file, named, _folder = steps
    assert (file, named) == (5, "named")


def test_a_public_key_states_its_fingerprint():
    assert PublicKey.read(PUBLIC.write()) == PUBLIC
    assert PUBLIC.fingerprint == KEY.fingerprint
    assert [len(group) for group in PUBLIC.fingerprint.split()] == [4] * 8
    other = ANOTHER_KEY.publish(holder="Ethics Office", contact="ethics@example.org")
    fields = json.loads(PUBLIC.write())
    swapped = {
        name: json.loads(other.write())[name] for name in ("sealing", "verifying")
    }
    for name, value in swapped.items():
        with pytest.raises(
            KeysError, match="fingerprint in this file is that of another"
        ):
            PublicKey.read(encode({**fields, name: value}))


@pytest.mark.parametrize(
    "changes",
    [
        {"format": "candor public key 2"},
        {"holder": 1},
        {"more": ""},
        {"sealing": "é"},
        {"sealing": "AAAA"},
        {"verifying": ""},
    ],
)
def test_malformed_public_keys_are_rejected(changes):
    fields = json.loads(PUBLIC.write())
    with pytest.raises(KeysError):
        PublicKey.read(encode({**fields, **changes}))
    for content in (b"", b"\xff", b"[]", b"[" * 100_000):
        with pytest.raises(KeysError, match="no 'candor public key 1'"):
            PublicKey.read(content)
