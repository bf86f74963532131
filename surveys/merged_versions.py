"""The versions that were merged into a survey: part of the merged survey's design."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from typing import Any, Self

DIGITS_SHOWN = 12
"""Digits of a digest, as many as the results page shows."""


@dataclass(frozen=True, kw_only=True)
class MergedVersion:
    """One of the versions, all of which have equal tables."""

    title: str
    language: str
    design_digest: str
    same: str = ""
    """How its questions and answers match those of the first version, in the notation
    of `surveys.versions`; empty for the first version."""

    @classmethod
    def read(cls, given: Mapping[str, Any]) -> Self:
        """Return the version of an entry in a design; raise `TypeError` otherwise."""
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
