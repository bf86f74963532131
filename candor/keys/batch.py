"""The batch that a collector hands over: sealed reports and the survey's design."""

import re
from base64 import b64decode, b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256

from candor.keys.files import KeysError, decode, encode
from candor.mechanisms.draws import NOT_ASKED, DrawnGroup

KIND = "candor batch 1"
FIELDS = {"digest": str, "fingerprint": str, "number": int}
FIELDS |= dict.fromkeys(("reports", "draws", "tables", "sealed"), list)


@dataclass(frozen=True, kw_only=True)
class Batch:
    """The sealed reports of a closed survey."""

    digest: str
    """The digest of the survey's design."""
    fingerprint: str
    """The fingerprint of the key to which reports are sealed."""
    reports: tuple[tuple[int, ...], ...]
    """The possible reports to each question."""
    draws: tuple[DrawnGroup, ...] = ()
    tables: tuple[tuple[int, ...], ...] = ()
    """The numbers of the questions in each table that the holder counts; by default one
    table of all questions, which counts whole patterns."""
    sealed: tuple[bytes, ...]
    """The sealed reports, sorted. They look random, so sorting hides their order of
    arrival."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "tables", self.tables or (self.questions,))
        object.__setattr__(self, "sealed", tuple(sorted(self.sealed)))
        named = [*self.tables, *(group.questions for group in self.draws)]
        # Ascending, so that a table of all questions cannot be hidden in another order.
        if not (
            re.fullmatch("[0-9a-f]{64}", self.digest)
            and all(each and {*map(type, each)} == {int} for each in named)
            and all([*each] == sorted({*each} & {*self.questions}) for each in named)
            and all(each.asked in range(1, len(each.questions)) for each in self.draws)
        ):
            raise KeysError("This batch names no survey, or questions that it lacks.")

    @property
    def questions(self) -> tuple[int, ...]:
        return tuple(range(1, len(self.reports) + 1))

    @cached_property
    def hash(self) -> str:
        return sha256(self.write()).hexdigest()

    def write(self) -> bytes:
        """Return the file that `read` reads."""
        return encode(
            {
                "format": KIND,
                "digest": self.digest,
                "fingerprint": self.fingerprint,
                "number": len(self.sealed),
                "reports": self.reports,
                "draws": [group.to_dict() for group in self.draws],
                "tables": self.tables,
                "sealed": [b64encode(each).decode() for each in self.sealed],
            }
        )

    @classmethod
    def read(cls, content: bytes) -> "Batch":
        """Return the batch of a file; it must equal the output of `write` exactly."""
        found = decode(content, KIND, FIELDS)
        stated, there = found["number"], len(found["sealed"])
        if stated != there:
            raise KeysError(f"The batch states {stated} reports and has {there}.")
        try:
            batch = cls(
                digest=found["digest"],
                fingerprint=found["fingerprint"],
                reports=tuple(map(tuple, found["reports"])),
                draws=tuple(
                    DrawnGroup(asked=each["asked"], questions=tuple(each["questions"]))
                    for each in found["draws"]
                ),
                tables=tuple(map(tuple, found["tables"])),
                sealed=tuple(b64decode(each) for each in found["sealed"]),
            )
        except (KeyError, TypeError, ValueError) as error:
            raise KeysError("This batch is damaged.") from error
        if batch.write() != content:
            raise KeysError("This batch is damaged.")
        return batch

    def allows(self, questions: Sequence[int], cells: Sequence[int]) -> bool:
        """Return whether a respondent can send these reports to these questions."""
        reports = dict(zip(questions, cells, strict=False))
        for group in self.draws:
            here = reports.keys() & set(group.questions)
            missing = {each for each in here if reports[each] == NOT_ASKED}
            if len(missing) > group.left_out or len(here - missing) > group.asked:
                return False
            for each in missing:
                del reports[each]
        return len(cells) == len(questions) and all(
            report in self.reports[question - 1] for question, report in reports.items()
        )
