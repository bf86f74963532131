"""Map the reports of one version of a survey to those of another."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from candor.files.table import FileError
from candor.mechanisms.draws import NOT_ASKED
from respondents.imports.archives.archive import Archive
from respondents.imports.archives.rows import Patterns
from surveys.design import Design, DesignQuestion
from surveys.merged_versions import MergedVersion
from surveys.models.analysis_plan import read_claims, read_pairs
from surveys.models.conditions import Combination, Condition
from surveys.versions import (
    Counterpart,
    SameQuestion,
    VersionError,
    check_same_table,
    find_counterpart,
)


@dataclass(frozen=True)
class VersionMap:
    """How the questions and answers of another version map onto the first."""

    first: Archive
    """An archive of the first version; those with its design need no change."""
    other: Archive
    same: tuple[SameQuestion, ...]
    counterparts: tuple[Counterpart, ...]

    def reorder(self, patterns: Patterns) -> Patterns:
        """Return reports to the other version as reports to the first."""
        found = np.empty_like(patterns)
        for each, counterpart in zip(self.same, self.counterparts, strict=True):
            reports = np.arange(NOT_ASKED + 1, dtype=np.uint8)
            reports[: len(counterpart.reports)] = counterpart.reports
            found[:, each.number - 1] = reports[patterns[:, each.other - 1]]
        return found

    @property
    def numbers(self) -> dict[int, int]:
        """The number of each question by its number in the other version."""
        return {each.other: each.number for each in self.same}

    def find_answer(self, number: int, position: int) -> int:
        """Return the position of an answer to the first's question `number`."""
        return self.counterparts[number - 1].answers[position]

    def has_same_plan(self) -> bool:
        numbers = self.numbers
        interval, claims, pairs = read_plan(self.other)
        try:
            mapped = (
                interval,
                {
                    (numbers[number], self.find_answer(numbers[number], answer), *rest)
                    for number, answer, *rest in claims
                },
                {tuple(numbers[each] for each in pair) for pair in pairs},
            )
        except (KeyError, IndexError):
            # It names a question or an answer that the survey does not have.
            return False
        return read_plan(self.first) == mapped

    def describe_versions(self) -> list[dict[str, str]]:
        """Return what the merged survey's design says of its versions."""
        both = [describe_version(self.first), describe_version(self.other, self.same)]
        return [*self.first.design.get("merged_versions", both[:1]), both[1]]


def map_versions(
    first: Archive, other: Archive, given: Sequence[SameQuestion]
) -> VersionMap:
    """Return the map of an archive's version onto the first.

    Every question needs its counterpart, or a respondent's reports would no longer be
    known together. Questions with the same words and answers need not be given.

    Raises `FileError` naming the question, where it has none or its reports would mean
    something else.
    """
    designs = first.frozen, other.frozen
    try:
        same = complete(designs, given)
        counterparts = [
            find_counterpart(designs[0].questions, designs[1].questions, each)
            for each in same
        ]
        found = VersionMap(first, other, tuple(same), tuple(counterparts))
        for question, each in zip(designs[0].questions, same, strict=True):
            check_question(found, question, each)
        check_surveys(found, *designs)
    except VersionError as error:
        raise FileError([f"--same: {error}"]) from error
    return found


def complete(
    designs: tuple[Design, Design], given: Sequence[SameQuestion]
) -> list[SameQuestion]:
    """Return the questions that are given, and those with the same words."""
    by_number: dict[int, SameQuestion] = {}
    taken: set[int] = set()
    for each in given:
        if each.number in by_number:
            raise VersionError(f"question {each.number} is named twice")
        if each.other in taken:
            raise VersionError(f"question {each.other} of the other is named twice")
        by_number[each.number] = each
        taken.add(each.other)
    for each in given:
        find_counterpart(designs[0].questions, designs[1].questions, each)
    asked, others = (
        [(each.full_text, each.choices) for each in design.questions]
        for design in designs
    )
    for number, wording in enumerate(asked, start=1):
        if number in by_number:
            continue
        free = (
            place
            for place, each in enumerate(others, start=1)
            if each == wording and place not in taken
        )
        if not (found := next(free, None)):
            raise VersionError(
                f"question {number} has no counterpart; give {number}=NUMBER"
            )
        by_number[number] = SameQuestion(number, found)
        taken.add(found)
    if left := [place + 1 for place in range(len(others)) if place + 1 not in taken]:
        raise VersionError(
            f"question {left[0]} of the other version has no counterpart: only surveys "
            "with the same questions can be merged"
        )
    return [by_number[number] for number in sorted(by_number)]


def check_question(
    found: VersionMap, first: DesignQuestion, same: SameQuestion
) -> None:
    """Refuse a question whose reports, or answers, would not mean the same."""
    counterpart = found.counterparts[same.number - 1]
    other = counterpart.question
    check_same_table(first, other, same)

    def place(position: int | None) -> int | None:
        return None if position is None else counterpart.answers[position]

    both = {
        "“Prefer not to answer”": (first.declined, place(other.declined)),
        "the condition": (normalize(first.shown_if), normalize(other.shown_if, found)),
        "the answers that end the survey": (
            first.ending,
            frozenset(map(place, other.ending)),
        ),
    }
    if first.shown_if:
        hidden = first.hidden_answer, place(other.hidden_answer)
        both["the answer with which it counts where it is not shown"] = hidden
    for name, (wanted, got) in both.items():
        if wanted != got:
            raise VersionError(
                f"question {same.number} and question {same.other} of the other "
                f"version differ in {name}"
            )


def normalize(condition: Condition | None, found: VersionMap | None = None) -> Any:
    """Return a condition such that equal ones compare equal, mapped if need be."""
    if condition is None:
        return None
    if isinstance(condition, Combination):
        parts = frozenset(normalize(each, found) for each in condition.parts)
        return condition.operator, parts
    if found is None:
        return condition.number, condition.positions
    number = found.numbers[condition.number]
    positions = (found.find_answer(number, each) for each in condition.positions)
    return number, frozenset(positions)


def check_surveys(found: VersionMap, first: Design, other: Design) -> None:
    """Refuse surveys that were answered in another way, or drew other questions."""
    if first.mode != other.mode:
        raise VersionError(f"the modes differ: {first.mode} and {other.mode}")
    numbers = found.numbers
    drawn = [
        {
            (
                group.asked,
                frozenset(places.get(each, each) for each in group.questions),
                bool(design.questions[group.questions[0] - 1].tick_list),
            )
            for group in design.groups
        }
        for design, places in ((first, {}), (other, numbers))
    ]
    if drawn[0] != drawn[1]:
        raise VersionError("the versions draw different questions, or tick lists")


def read_plan(archive: Archive) -> tuple[Any, set[Any], set[Any]]:
    analysis = archive.design.get("analysis", {})
    interval = [analysis.get(name, "") for name in ("pinned_level", "pinned_method")]
    claims = {
        (each.question, each.answer - 1, each.is_above, each.percent)
        for each in read_claims(analysis.get("shares_to_beat", ""))
    }
    return interval, claims, set(read_pairs(analysis.get("pinned_pairs", "")))


def describe_version(
    archive: Archive, same: Sequence[SameQuestion] = ()
) -> dict[str, str]:
    return asdict(
        MergedVersion(
            title=archive.frozen.title,
            language=archive.frozen.language,
            design_digest=archive.design_digest,
            same=" ".join(map(str, same)),
        )
    )
