"""Sealed reports of a closed survey: write the batch, and store its counts once."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from django.utils.crypto import salted_hmac

from candor.keys import Batch, KeysError, PrivateKey, open_batch
from surveys.design import Design, get_design
from surveys.models import Survey

PURPOSE = "candor.rehearsals"
"""Separates these keys from all others that Django derives from `SECRET_KEY`."""


def derive_rehearsal_key(slug: str) -> PrivateKey:
    """Return the key of a test of a draft; its reports come from people who try it."""
    return PrivateKey(salted_hmac(PURPOSE, slug, algorithm="sha256").digest())


def open_rehearsed(rehearsal: Survey, sealed: Sequence[bytes]) -> list[bytes]:
    """Return the opened reports of a test, without those that cannot be opened."""
    key = derive_rehearsal_key(rehearsal.slug)
    try:
        whole = replace(get_design(rehearsal), tables=())
        opened = open_batch(key, make_batch(whole, sealed))
    except KeysError:
        return []
    return [*Counter(opened.counts[0]).elements()]


def make_batch(design: Design, sealed: Sequence[bytes]) -> Batch:
    assert design.holder  # noqa: S101 - of a sealed survey
    return Batch(
        digest=design.digest,
        fingerprint=design.holder.fingerprint,
        reports=tuple(
            tuple(
                report
                for report in range(len(question.mechanism.reports))
                if report not in question.ending
            )
            for question in design.questions
        ),
        draws=design.groups,
        tables=design.tables,
        sealed=tuple(sealed),
    )
