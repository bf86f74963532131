"""A key holder and its batches."""

import json
from pathlib import Path

from candor.keys import Batch, PrivateKey

VECTOR = json.loads((Path(__file__).parent / "hpke.json").read_text())
"""RFC 9180, A.3.1."""

PASSPHRASE = "a café in Zürich"  # noqa: S105 - of tests
DIGEST, ANOTHER_DIGEST = "5f" * 32, "a0" * 32
REPORTS = ((0, 1), (0, 1, 2))

KEY, ANOTHER_KEY = PrivateKey.make(), PrivateKey.make()
PUBLIC = KEY.publish(holder="Ethics Office", contact="ethics@example.org")


def seal(*patterns, public=PUBLIC, digest=DIGEST):
    return [public.seal(bytes(pattern), digest) for pattern in patterns]


def make_batch(sealed, **fields):
    return Batch(
        **{
            "digest": DIGEST,
            "fingerprint": PUBLIC.fingerprint,
            "reports": REPORTS,
            "sealed": tuple(sealed),
            **fields,
        }
    )
