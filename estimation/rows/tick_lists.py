"""The items of a tick list, with simultaneous intervals."""

from collections.abc import Iterator
from dataclasses import dataclass

from estimation.rows.row import Row
from estimation.rows.shares import (
    QuestionResult,
    SurveyResults,
    compute_item_level,
    question_result,
)
from surveys.design import Design
from surveys.kinds.tick_list import TickList


@dataclass(frozen=True, kw_only=True)
class ItemRow:
    number: int
    label: str
    row: Row
    """The share of Yes, with an individual interval."""
    simultaneous: Row | None


@dataclass(frozen=True, kw_only=True)
class TickListResult:
    tick_list: TickList
    items: tuple[ItemRow, ...]
    confidence_level: float


def list_tick_lists(results: SurveyResults) -> Iterator[TickListResult]:
    for tick_list in results.design.tick_lists:
        shown = [each for each in results.questions if each.number in tick_list.numbers]
        if shown:
            yield TickListResult(
                tick_list=tick_list,
                items=tuple(
                    make_item_row(results.design, each, len(tick_list.numbers))
                    for each in shown
                ),
                confidence_level=shown[0].confidence_level,
            )


def make_item_row(design: Design, item: QuestionResult, items: int) -> ItemRow:
    simultaneous = None
    if not item.noisy:
        wider = question_result(
            design.questions[item.number - 1],
            item.report_counts,
            number=item.number,
            confidence_level=compute_item_level(item.confidence_level, items),
            method=item.method,
        )
        simultaneous = wider.rows[0]
    return ItemRow(
        number=item.number, label=item.text, row=item.rows[0], simultaneous=simultaneous
    )
