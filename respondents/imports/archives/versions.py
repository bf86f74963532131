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
    """An archive of the first version; archives with its design are not mapped."""
    other: Archive
    same: tuple[SameQuestion, ...]
    counterparts: tuple[Counterpart, ...]

    def reorder(self, patterns: Patterns) -> Patterns:
        """Return patterns of the other version as patterns of the first."""
        mapped = np.empty_like(patterns)
        for each, counterpart in zip(self.same, self.counterparts, strict=True):
            reports = np.arange(NOT_ASKED + 1, dtype=np.uint8)
            reports[: len(counterpart.reports)] = counterpart.reports
            mapped[:, each.number - 1] = reports[patterns[:, each.other - 1]]
        return mapped

    @property
    def numbers(self) -> dict[int, int]:
        """{number in the other version: number in the first version}."""
        return {each.other: each.number for each in self.same}

    def find_answer(self, number: int, position: int) -> int:
        """Return the position in the first version of an answer of the other.

        `number` is the question's number in the first version.
        """
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
            # The plan refers to a question or an answer that does not exist.
            return False
        return read_plan(self.first) == mapped

    def describe_versions(self) -> list[dict[str, str]]:
        """Return the description of the versions in the merged survey's design."""
        both = [describe_version(self.first), describe_version(self.other, self.same)]
        return [*self.first.design.get("merged_versions", both[:1]), both[1]]


def map_versions(
    first: Archive, other: Archive, given: Sequence[SameQuestion]
) -> VersionMap:
    """Return the map of an archive's version onto the first.

    Every question needs a counterpart, so that a respondent's reports stay in one
    pattern. Questions with the same wording and answers need not be given.

    Raises `FileError`, which names the question, if it has no counterpart or if its
    reports would not mean the same.
    """
    designs = first.frozen, other.frozen
    try:
        same = complete(designs, given)
        counterparts = [
            find_counterpart(designs[0].questions, designs[1].questions, each)
            for each in same
        ]
        version_map = VersionMap(first, other, tuple(same), tuple(counterparts))
        for question, each in zip(designs[0].questions, same, strict=True):
            check_question(version_map, question, each)
        check_surveys(version_map, *designs)
    except VersionError as error:
        raise FileError([f"--same: {error}"]) from error
    return version_map


def complete(
    designs: tuple[Design, Design], given: Sequence[SameQuestion]
) -> list[SameQuestion]:
    """Return the given pairs of questions, and those with the same wording."""
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
    version_map: VersionMap, first: DesignQuestion, same: SameQuestion
) -> None:
    """Raise `VersionError` if reports or answers would not mean the same."""
    counterpart = version_map.counterparts[same.number - 1]
    other = counterpart.question
    check_same_table(first, other, same)

    def map_answer(position: int | None) -> int | None:
        return None if position is None else counterpart.answers[position]

    both = {
        "“Prefer not to answer”": (first.declined, map_answer(other.declined)),
        "the condition": (
            normalize(first.shown_if),
            normalize(other.shown_if, version_map),
        ),
        "the answers that end the survey": (
            first.ending,
            frozenset(map(map_answer, other.ending)),
        ),
    }
    if first.shown_if:
        hidden = first.hidden_answer, map_answer(other.hidden_answer)
        both["the answer with which it counts where it is not shown"] = hidden
    for name, (wanted, got) in both.items():
        if wanted != got:
            raise VersionError(
                f"question {same.number} and question {same.other} of the other "
                f"version differ in {name}"
            )


def normalize(
    condition: Condition | None, version_map: VersionMap | None = None
) -> Any:
    """Return a form of a condition that compares equal for equivalent conditions.

    A condition of the other version is mapped to the first.
    """
    if condition is None:
        return None
    if isinstance(condition, Combination):
        parts = frozenset(normalize(part, version_map) for part in condition.parts)
        return condition.operator, parts
    if version_map is None:
        return condition.number, condition.positions
    number = version_map.numbers[condition.number]
    positions = (version_map.find_answer(number, each) for each in condition.positions)
    return number, frozenset(positions)


def check_surveys(version_map: VersionMap, first: Design, other: Design) -> None:
    """Raise `VersionError` if the modes differ, or the groups of drawn questions."""
    if first.mode != other.mode:
        raise VersionError(f"the modes differ: {first.mode} and {other.mode}")
    numbers = version_map.numbers
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
