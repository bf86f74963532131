"""Archives as the maths reads them: the same tallies as those of a survey."""

from collections.abc import Sequence

from candor.files.table import FileError
from candor.mechanisms.draws import encode_pattern
from estimation.rows.counts import Tallies
from estimation.rows.engines import Cell, Engine
from respondents.imports.archives.merge import Sites
from respondents.imports.archives.rows import COUNT, name_column
from respondents.storage.sealed_tally import MAX_COUNT
from surveys.design import Design
from surveys.models import Survey


def archived_tallies(sites: Sites, numbers: Sequence[int], engine: Engine) -> Tallies:
    """Return what the respondents of all archives sent to these questions together.

    Parameters
    ----------
    sites : Sites
        One archive or several.
    numbers : sequence of int
        Numbers of questions, 1 for the first; one or more.
    engine : Engine

    Raises
    ------
    FileError
        Where the sums show that a file was changed. `merge` looks at every row.
    """
    found = engine.cells(list(sites.archives), numbers)
    design = sites.first.frozen
    for cell in found:
        check(cell, design, numbers)
    total = sum(cell.count for cell in found)
    if total != sites.respondents:
        told = f"respondents: must be {total}, the sum of all counts"
        raise FileError([f"{sites.first_file}: {told}; got {sites.respondents}"])
    return Tallies(
        survey=build_survey(sites),
        design=design,
        numbers=numbers,
        counts={encode_pattern(cell.reports): cell.count for cell in found},
    )


def check(cell: Cell, design: Design, numbers: Sequence[int]) -> None:
    """Raise `FileError` for counts that no archive has."""
    if cell.least < 1 or cell.most > MAX_COUNT:
        got = cell.least if cell.least < 1 else cell.most
        told = f"must be a whole number in [1, {MAX_COUNT}]; got {got}"
        raise FileError([f"column {COUNT}: {told}"])
    for number, report in zip(numbers, cell.reports, strict=True):
        most = len(design.questions[number - 1].mechanism.reports) - 1
        if report is not None and report > most:
            told = f"must be a whole number in [0, {most}], or nothing; got {report}"
            raise FileError([f"column {name_column(number)}: {told}"])


def build_survey(sites: Sites) -> Survey:
    """Return the survey of which these are counts; no database knows it.

    It counts as imported: a file can say what it likes of how it came about.
    """
    first = sites.first
    return Survey(
        **{name: first.design[name] for name in Survey.DEFINED},
        **sites.plan,
        state=Survey.State.CLOSED,
        design_digest=first.design_digest,
        is_simulated=sites.is_simulated,
        is_imported=True,
        plan_attested_by=sites.plan_attested_by,
    )
