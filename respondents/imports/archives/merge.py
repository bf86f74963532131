"""Archives of several servers become one closed survey, whose counts are their sum."""

from collections.abc import Iterator

from django.contrib.auth.models import User
from django.db import transaction

from candor.files.table import FileError
from respondents.imports.archives.archive import make_digest
from respondents.imports.archives.rows import read_rows
from respondents.imports.archives.sites import Sites
from respondents.imports.field_studies.store import fill, open_elsewhere
from surveys.files.definition import Definition
from surveys.files.read import read_parsed
from surveys.log import record
from surveys.models import Survey
from surveys.sentence import make_sentence

DIGITS_SHOWN = 12
"""Of a digest: what the results page shows of the design's."""


@transaction.atomic
def merge(address: str, sites: Sites, owner: User) -> Survey:
    """Return a closed survey of the sum; nothing is stored where anything is wrong.

    It counts as imported: how other servers scrambled, nobody can see from here. What
    was planned is taken over only where servers attest it.

    Raises
    ------
    FileError
        Where the address is taken or none, a row cannot be, or the design that is
        described does not have the digest.
    """
    first = sites.first
    if not address:
        raise FileError(["the address of the new survey must not be empty"])
    try:
        study = read_parsed({**first.survey, "slug": address})
    except FileError as error:
        raise FileError(
            [f"{sites.first_file}: survey: {each}" for each in error.problems]
        ) from error
    counting = first.frozen.group_sizes
    survey = open_elsewhere(
        study,
        owner,
        is_simulated=sites.is_simulated,
        plan_attested_by=sites.plan_attested_by,
        least_responses=counting.least_responses if counting else None,
    )
    # The address is part of the digest; of what is opened here it may be another one.
    # So is the plan, which is left out where nobody attests it.
    made = {**survey.definition(), "slug": first.design["slug"]}
    described = dict(first.design)
    if not sites.attested_by and described.pop("analysis", {}) != planned(study):
        raise FileError([f"{sites.first_file}: survey: plans another analysis"])
    if make_digest(made) != make_digest(described):
        raise FileError([f"{sites.first_file}: survey: is not what the design says"])
    fill(survey, counted(sites))
    digests = [each.counts_digest for each in sites.archives.values()]
    record(
        owner,
        survey,
        make_sentence(
            "Added up from archives whose counts have the digests %(digests)s.",
            digests=", ".join(each[:DIGITS_SHOWN] for each in digests),
        ),
    )
    return survey


def planned(study: Definition) -> dict[str, str]:
    """Return what the file of a survey plans, as its design says it."""
    plan = {name: study.fields.get(name, "") for name in Survey.PINNED}
    return plan if any(plan.values()) else {}


def counted(sites: Sites) -> Iterator[dict[bytes, int]]:
    """Yield {pattern: count}, some rows at a time."""
    for folder, archive in sites.archives.items():
        for patterns, counts in read_rows(folder, archive):
            joined, width = patterns.tobytes(), patterns.shape[1]
            places = range(0, len(joined), width)
            each = (joined[place : place + width] for place in places)
            yield dict(zip(each, counts.tolist(), strict=True))
