"""Keys for reports that are sealed until a survey closes.

A second institution holds the key, and opens the reports once.

Reports are sealed with HPKE (RFC 9180): DHKEM(P-256, HKDF-SHA256), HKDF-SHA256 and
AES-128-GCM. docs/reference/sealed-reports.md describes keys and files.
"""

try:
    import cryptography as _cryptography  # noqa: F401 - checks that it is installed
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        'cryptography is needed: pip install "candor-surveys[keys]"'
    ) from error

from candor.keys.batch import Batch
from candor.keys.files import KeysError
from candor.keys.holder import PrivateKey
from candor.keys.opened import Opened, open_batch, open_once
from candor.keys.public import PublicKey

__all__ = [
    "Batch",
    "KeysError",
    "Opened",
    "PrivateKey",
    "PublicKey",
    "open_batch",
    "open_once",
]
