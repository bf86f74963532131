"""Which versions of a survey were added up: part of the merged survey's design."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from typing import Any, Self

DIGITS_SHOWN = 12
"""Of a digest: what the results page shows of the design's."""


@dataclass(frozen=True, kw_only=True)
class MergedVersion:
    """One of the versions, each with equal tables."""

    title: str
    language: str
    design_digest: str
    same: str = ""
    """Its questions and answers, as `surveys.versions` writes them; empty for the first
    version, whose questions they are."""

    @classmethod
    def read(cls, given: Mapping[str, Any]) -> Self:
        """Return what a design says; raise `TypeError` for anything else."""
        if set(given) != {each.name for each in fields(cls)} or not all(
            type(value) is str for value in given.values()
        ):
            raise TypeError(f"merged_versions: no version is {given!r}")
        return cls(**given)

    def __str__(self) -> str:
        digest = f"{self.design_digest[:DIGITS_SHOWN]}…"
        about = ", ".join(filter(None, (self.language, digest, self.same)))
        return f"“{self.title}” ({about})"


def describe_versions(written: Iterable[Mapping[str, Any]]) -> str:
    return "; ".join(str(MergedVersion.read(each)) for each in written)
