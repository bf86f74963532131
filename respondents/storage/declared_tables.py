"""Counts of a sealed survey whose key holder returns declared tables alone."""

from collections import Counter
from collections.abc import Sequence

from django.core.exceptions import PermissionDenied
from django.utils.translation import gettext as _

from respondents.storage.sealed_tally import SealedTally
from surveys.design import get_design
from surveys.models import Survey


class UndeclaredTableError(PermissionDenied):
    """No declared table contains all of these questions."""

    def __init__(self) -> None:
        super().__init__(explain_undeclared())


def explain_undeclared() -> str:
    return _("The key holder counted only declared tables.")


def refuse_undeclared(survey: Survey, only: Sequence[int] = ()) -> None:
    """Raise `UndeclaredTableError` if no table contains these questions.

    Without `only`, a table has to contain all questions.
    """
    design = get_design(survey)
    if not design.declares(*(only or range(1, len(design.questions) + 1))):
        raise UndeclaredTableError


def count_declared(survey: Survey, only: Sequence[int]) -> dict[bytes, int] | None:
    """Return {reports to these questions: count} from the smallest declared table.

    Return None if whole responses are stored, as in a test of a draft, whose reports
    this server opens itself.
    """
    tables = get_design(survey).tables
    suitable = [place for place, table in enumerate(tables) if set(only) <= set(table)]
    report_counts = (
        SealedTally.objects.filter(survey=survey).first() if suitable else None
    )
    if report_counts is None or not report_counts.tables:
        return None
    chosen = min(suitable, key=lambda place: len(tables[place]))
    places = [tables[chosen].index(number) for number in only]
    counts = Counter[bytes]()
    for digits, count in report_counts.tables[chosen]:
        cells = bytes.fromhex(digits)
        counts[bytes(cells[place] for place in places)] += count
    return counts
