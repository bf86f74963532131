"""Counts of a sealed survey whose key holder returns declared tables alone."""

from collections import Counter
from collections.abc import Sequence

from django.core.exceptions import PermissionDenied
from django.utils.translation import gettext as _

from respondents.storage.sealed_tally import SealedTally
from surveys.design import get_design
from surveys.models import Survey


class UndeclaredTableError(PermissionDenied):
    """No declared table has these questions together."""

    def __init__(self) -> None:
        super().__init__(explain_undeclared())


def explain_undeclared() -> str:
    return _("The key holder counted only declared tables.")


def refuse_undeclared(survey: Survey, only: Sequence[int] = ()) -> None:
    """Raise `UndeclaredTableError` where no table has these questions, or all."""
    design = get_design(survey)
    if not design.declares(*(only or range(1, len(design.questions) + 1))):
        raise UndeclaredTableError


def count_declared(survey: Survey, only: Sequence[int]) -> dict[bytes, int] | None:
    """Return {reports to these questions: count} from the smallest table that has them.

    None where whole responses are stored: tests of a draft are opened here.
    """
    tables = get_design(survey).tables
    found = [place for place, each in enumerate(tables) if set(only) <= set(each)]
    kept = SealedTally.objects.filter(survey=survey).first() if found else None
    if kept is None or not kept.tables:
        return None
    chosen = min(found, key=lambda place: len(tables[place]))
    places = [tables[chosen].index(number) for number in only]
    counts = Counter[bytes]()
    for digits, count in kept.tables[chosen]:
        cells = bytes.fromhex(digits)
        counts[bytes(cells[place] for place in places)] += count
    return counts
