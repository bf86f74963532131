"""Consecutive questions under one title."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.safestring import SafeString

from surveys.markdown import render_markdown


@dataclass(frozen=True)
class Section:
    numbers: range
    title: str = ""
    text: str = ""
    is_shuffled: bool = False

    @property
    def introduction(self) -> SafeString:
        return render_markdown(self.text)


def parse_sections(questions: Sequence[Mapping[str, Any]]) -> tuple[Section, ...]:
    """Return the sections, each from the question that starts it to the next start."""
    starts = [
        number
        for number, question in enumerate(questions, start=1)
        if any(map(question.get, ("section", "section_text", "shuffle_section")))
    ]
    ends = [*starts[1:], len(questions) + 1]
    return tuple(
        Section(
            numbers=range(start, end),
            title=questions[start - 1].get("section", ""),
            text=questions[start - 1].get("section_text", ""),
            is_shuffled=questions[start - 1].get("shuffle_section", False),
        )
        for start, end in zip(starts, ends, strict=False)
    )
