"""What an audit found: check by check, and the worst of them all."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from surveys.design import Design


class Outcome(StrEnum):
    """What became of a check; the worst one is the audit's."""

    PASSED = "passed"
    FOUND = "found"
    UNCHECKED = "not checked"


@dataclass(frozen=True)
class Check:
    """One promise, what was found, and the numbers behind it."""

    name: str
    promise: str
    outcome: Outcome
    told: list[str] = field(default_factory=list)
    numbers: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Report:
    """All checks of one survey."""

    address: str
    checks: list[Check]
    design: Design | None
    digest: str
    files: dict[str, str]
    """SHA-256 of every file that came, by its address."""

    @property
    def outcome(self) -> Outcome:
        """The worst of all checks."""
        outcomes = {check.outcome for check in self.checks}
        for worst in (Outcome.FOUND, Outcome.UNCHECKED):
            if worst in outcomes:
                return worst
        return Outcome.PASSED


def checked(name: str, promise: str, faults: Iterable[str], **numbers: Any) -> Check:
    """Return a check that was carried out; faults are told in words."""
    told = list(faults)
    outcome = Outcome.FOUND if told else Outcome.PASSED
    return Check(name, promise, outcome, told, numbers)


def unchecked(name: str, promise: str, why: str) -> Check:
    """Return a check that could not be carried out, and why."""
    return Check(name, promise, Outcome.UNCHECKED, [why])
