"""Checks of the arguments of public functions.

A bad argument raises `TypeError` or `ValueError` that names it, its range and the
value.
"""

import numbers
import re
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from candor.mechanisms import Mechanism
from candor.mechanisms.parameters import shown
from candor.mechanisms.scale import reduce_to_ends

Report = TypeVar("Report", bound=Hashable)

MAX_RESPONDENTS = 10**9
"""More than any survey has. Beyond, intervals are less exact and plans return None."""


@dataclass(frozen=True, kw_only=True)
class Range:
    """A range of numbers, which includes its bounds unless they are open."""

    low: float
    high: float
    open_low: bool = False
    open_high: bool = False
    example: str

    @property
    def allowed(self) -> str:
        """The range in interval notation, with the example."""
        opening, closing = "[("[self.open_low], "])"[self.open_high]
        return (
            f"a number in {opening}{self.low:g}, {self.high:g}{closing}, "
            f"such as {self.example}"
        )

    def check(self, name: str, value: Any) -> float:
        """Return `value` as a float within the range."""
        # Compare first: a huge whole number cannot be converted to a float.
        open_ends = [self.low] * self.open_low + [self.high] * self.open_high
        is_sound = is_number(value) and self.low <= value <= self.high
        if is_sound and float(value) not in open_ends:
            return float(value)
        # Formatted only if needed, because some callers check thousands of values.
        message = f"{name} must be {self.allowed}; got {shown(value)}"
        raise ValueError(message) if is_number(value) else TypeError(message)


def is_number(value: object) -> bool:
    """Return whether `value` is a real number of Python or numpy, not a bool."""
    return isinstance(value, numbers.Real) and not isinstance(value, bool)


def is_whole(value: object) -> bool:
    """Return whether `value` is a whole number of Python or numpy, not a bool."""
    return isinstance(value, numbers.Integral) and not isinstance(value, bool)


SHARE = Range(low=0, high=1, example="0.1")
CONFIDENCE_LEVEL = Range(low=0, high=1, open_low=True, open_high=True, example="0.95")
DELTA = Range(low=0, high=1, open_low=True, open_high=True, example="1e-6")
MARGIN = Range(low=1e-6, high=1, open_high=True, example="0.05")
"""The lower bound is below that of any survey, and limits numbers of respondents."""


def check_whole(name: str, value: Any, *, low: int, high: int) -> int:
    """Return `value` as an int in [low, high]."""
    if is_whole(value) and low <= value <= high:
        return int(value)
    message = f"{name} must be a whole number in [{low}, {high}]; got {shown(value)}"
    raise ValueError(message) if is_whole(value) else TypeError(message)


def check_respondents(value: int) -> int:
    """Return a number of respondents in [1, `MAX_RESPONDENTS`], or raise."""
    return check_whole("respondents", value, low=1, high=MAX_RESPONDENTS)


def check_counts(
    counts: Mapping[Report, int], reports: Sequence[Report], *, name: str = "counts"
) -> tuple[int, ...]:
    """Return the counts in the order of `reports`; reports left out count 0."""
    if not isinstance(counts, Mapping):
        raise TypeError(f"{name} must map reports to counts; got {shown(counts)}")
    for report, count in counts.items():
        if report not in reports:
            allowed = ", ".join(map(str, reports))
            raise ValueError(
                f"a report in {name} must be one of {allowed}; got {report!r}"
            )
        check_count(f"{name}[{report!r}]", count)
    return tuple(int(counts.get(report, 0)) for report in reports)


def check_count(name: str, count: int) -> int:
    """Return a number of respondents as an int, 0 or more, or raise."""
    message = f"{name} must be a whole number, 0 or more; got {shown(count)}"
    if not is_whole(count):
        raise TypeError(message)
    if count < 0:
        raise ValueError(message)
    return int(count)


def check_label(name: str, label: object) -> None:
    """Raise `ValueError` for a missing label: None, or NaN, NaT and NA of pandas.

    NaN does not equal itself, so each one would be a group of its own.
    """
    if is_missing(label):
        raise ValueError(f"{name} must be a label; got the missing value {label!r}")


def is_missing(label: object) -> bool:
    """Return whether a label, or part of a tuple, is a missing value."""
    if isinstance(label, tuple):
        return any(map(is_missing, label))
    try:
        return label is None or bool(label != label)
    except TypeError:  # the truth of pandas.NA
        return True


def check_total(name: str, total: int) -> None:
    """Raise `ValueError` for more than `MAX_RESPONDENTS`."""
    if total > MAX_RESPONDENTS:
        raise ValueError(
            f"{name} must have a total in [0, {MAX_RESPONDENTS}]; got {total}"
        )


def check_sequence(name: str, value: object, *, of: str) -> None:
    """Raise `TypeError` for a text and for anything but a sequence."""
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise TypeError(f"{name} must be a sequence of {of}; got {shown(value)}")


def check_mechanism(mechanism: Mechanism, *, name: str = "mechanism") -> None:
    """Raise `TypeError` unless the argument is a mechanism."""
    if not isinstance(mechanism, Mechanism):
        raise TypeError(f"{name} must be a Mechanism; got {shown(mechanism)}")


def check_square(mechanism: Mechanism, *, name: str = "mechanism") -> None:
    """Raise unless the argument is a mechanism that identifies shares and is k x k."""
    check_mechanism(mechanism, name=name)
    if not mechanism.identifies_shares and mechanism.can_be_skipped:
        raise ValueError(
            f"{name} must identify the share of every answer; reduce this scale, which "
            "can be skipped, to its ends"
        )
    if not mechanism.identifies_shares:
        raise ValueError(
            f"{name} must identify the share of every answer; "
            f"{describe_shape(mechanism)} identify the mean of a scale alone"
        )
    if len(mechanism.answers) != len(mechanism.reports):
        raise ValueError(
            f"{name} must have as many reports as answers; "
            f"got {describe_shape(mechanism)}"
        )


def reduce_to_estimable(mechanism: Mechanism) -> Mechanism:
    """Return a mechanism that is k x k or identifies the mean of a scale, or raise.

    It is the given one, reduced to its ends if it is of a scale that can be skipped.
    """
    check_mechanism(mechanism)
    reduced = reduce_to_ends(mechanism)
    if reduced.identifies_shares or reduced.can_be_skipped:
        check_square(reduced)
    return reduced


def is_two_by_two(mechanism: Mechanism) -> bool:
    """Return whether there are two answers and two reports."""
    return len(mechanism.answers) == len(mechanism.reports) == 2


def describe_shape(mechanism: Mechanism) -> str:
    """Return the shape of the table for error messages."""
    return f"{len(mechanism.answers)} answers and {len(mechanism.reports)} reports"


WITHIN = (
    r"in (?P<opens>[\[(])(?P<low>-?[\d.e+-]+), (?P<high>-?[\d.e+-]+)(?P<closes>[\])])"
)
SPAN = re.compile(WITHIN)
SPANS = {
    "[]": "from %(low)s to %(high)s",
    "()": "above %(low)s and below %(high)s",
    "(]": "above %(low)s and at most %(high)s",
    "[)": "from %(low)s to below %(high)s",
}
"""Wording of a range by its brackets."""


def spell_out_ranges(message: str) -> str:
    """Return the message with "above 0 and below 1" instead of "in (0, 1)"."""
    return SPAN.sub(
        lambda match: SPANS[match["opens"] + match["closes"]] % match.groupdict(),
        message,
    )
