"""The signed result of a key holder: counts and refused reports."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from candor.keys.batch import Batch
from candor.keys.files import KeysError, decode, encode, write_new
from candor.keys.holder import PrivateKey
from candor.keys.public import OVERHEAD, PublicKey

KIND = "candor result 1"
FIELDS: Mapping[str, type] = {
    **dict.fromkeys(("batch", "digest", "fingerprint", "signature"), str),
    "refused": dict,
    "counts": list,
}

REASONS = {
    "wrong_length": "of another length",
    "doubled": "there twice",
    "unreadable": "altered, or sealed for another survey or key",
    "out_of_range": "not possible in this survey",
}
"""Why a report is refused. The cipher does not say why one is unreadable."""


@dataclass(frozen=True, kw_only=True)
class Opened:
    """The counts of a batch."""

    batch: Batch
    refused: Mapping[str, int]
    """How many reports were refused, by reason."""
    counts: tuple[Mapping[bytes, int], ...]
    """For each table of the batch, the number of respondents by their reports, one byte
    per question of the table."""

    @property
    def accepted(self) -> int:
        """How many reports are counted."""
        return len(self.batch.sealed) - sum(self.refused.values())

    @property
    def statement(self) -> dict[str, Any]:
        """The signed fields."""
        return {
            "format": KIND,
            "batch": self.batch.hash,
            "digest": self.batch.digest,
            "fingerprint": self.batch.fingerprint,
            "refused": self.refused,
            "counts": [
                [[cells.hex(), table[cells]] for cells in sorted(table)]
                for table in self.counts
            ],
        }

    def write(self, key: PrivateKey) -> bytes:
        """Return the signed file that `read` reads."""
        signature = key.sign(encode(self.statement)).hex()
        return encode({**self.statement, "signature": signature})

    @classmethod
    def read(cls, content: bytes, *, key: PublicKey, batch: Batch) -> "Opened":
        """Return the result of a batch, signed with the key of the survey.

        Raises
        ------
        KeysError
            If the signature is invalid, the result belongs to another batch, or the
            counts cannot come from this batch.
        """
        found = decode(content, KIND, FIELDS)
        try:
            signature = bytes.fromhex(found.pop("signature"))
            counts = [
                {bytes.fromhex(k): n for k, n in each} for each in found["counts"]
            ]
        except (TypeError, ValueError) as error:
            raise KeysError("This result is damaged.") from error
        opened = cls(batch=batch, refused=found["refused"], counts=tuple(counts))
        signed = encode({"format": KIND, **found})
        key.verify(signature, signed)
        if signed != encode(opened.statement):
            raise KeysError("This is the result of another batch.")
        if not opened.is_possible:
            raise KeysError("These counts cannot come from this batch.")
        return opened

    @property
    def is_possible(self) -> bool:
        """Whether every table counts each report that is not refused, at least one.

        Tables with common questions must have the same counts for these questions.
        """
        numbers = [*self.refused.values()]
        numbers += [number for table in self.counts for number in table.values()]
        return (
            self.refused.keys() == REASONS.keys()
            and self.accepted > 0
            and all(type(each) is int and each >= 0 for each in numbers)
            and len(self.counts) == len(self.batch.tables)
            and all(
                sum(table.values()) == self.accepted
                and all(self.batch.allows(questions, cells) for cells in table)
                for questions, table in zip(self.batch.tables, self.counts, strict=True)
            )
            and self._agree()
        )

    def _agree(self) -> bool:
        margins: dict[tuple[int, ...], Mapping[bytes, int]] = {}
        tables = [*zip(self.batch.tables, self.counts, strict=True)]
        large = [set(each) for each in self.batch.tables if len(each) > 2]
        for questions, table in tables:
            # Two pairs have at most one question in common.
            others = map(set, self.batch.tables) if len(questions) > 2 else large
            common = {tuple(sorted(other & set(questions))) for other in others}
            for shared in common - {()} | {(each,) for each in questions}:
                places = [questions.index(each) for each in shared]
                margin = Counter[bytes]()
                for cells, number in table.items():
                    margin[bytes(cells[place] for place in places)] += number
                if margins.setdefault(shared, margin) != margin:
                    return False
        return True


def open_batch(key: PrivateKey, batch: Batch) -> Opened:
    """Return the counts of a batch; raise if it is sealed to another key."""
    if batch.fingerprint != key.fingerprint:
        raise KeysError(
            f"This batch is sealed to the key {batch.fingerprint}, which is not yours."
        )
    refused = dict.fromkeys(REASONS, 0)
    patterns: list[bytes] = []
    previous = b""
    for sealed in batch.sealed:  # sorted, so that copies follow each other
        if len(sealed) != len(batch.reports) + OVERHEAD:
            refused["wrong_length"] += 1
        elif sealed == previous:
            refused["doubled"] += 1
        elif (pattern := key.open(sealed, batch.digest)) is None:
            refused["unreadable"] += 1
        elif not batch.allows(batch.questions, pattern):
            refused["out_of_range"] += 1
        else:
            patterns.append(pattern)
        previous = sealed
    if not patterns:
        raise KeysError("No report of this batch can be opened. Nothing was recorded.")
    columns = [*zip(*patterns, strict=True)]
    tables = (
        Counter(zip(*(columns[each - 1] for each in questions), strict=True))
        for questions in batch.tables
    )
    counts = ({bytes(cells): table[cells] for cells in table} for table in tables)
    return Opened(batch=batch, refused=refused, counts=tuple(counts))


def open_once(key: PrivateKey, batch: Batch, record: Path) -> Opened:
    """Open a batch if `record` does not exist, and write the result there.

    The result is the record of the opening. If the program is interrupted, either the
    record exists and the survey is never opened again, or nothing has happened.
    """
    if record.exists():
        raise KeysError(f"This survey was opened before. The result is in {record}.")
    opened = open_batch(key, batch)
    write_new(record, opened.write(key))
    return opened
