"""Archives of several servers become one closed survey, whose counts are their sum."""

from collections.abc import Iterator

from django.contrib.auth.models import User
from django.db import transaction

from respondents.arriving.archives.archive import digest_of
from respondents.arriving.archives.rows import read_rows
from respondents.arriving.archives.sites import Sites
from respondents.arriving.studies.store import fill, open_elsewhere
from surveys.files.read import read_parsed
from surveys.files.values import FileError
from surveys.log import record
from surveys.models import Survey
from surveys.sentence import said

DIGITS_SHOWN = 12
"""Of a digest: what the results page shows of the design's."""


@transaction.atomic
def merge(address: str, sites: Sites, owner: User) -> Survey:
    """Return a closed survey of the sum; nothing is stored where anything is wrong.

    It counts as imported: how other servers scrambled, nobody can see from here.

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
    counting = first.frozen.counting
    survey = open_elsewhere(
        study,
        owner,
        is_simulated=sites.is_simulated,
        least_responses=counting.least_responses if counting else None,
    )
    # The address is part of the digest; of what is opened here it may be another one.
    made = digest_of({**survey.definition(), "slug": first.design["slug"]})
    if made != first.design_digest:
        told = f"survey: must make the design {first.design_digest}; makes {made}"
        raise FileError([f"{sites.first_file}: {told}"])
    fill(survey, counted(sites))
    digests = [each.counts_digest for each in sites.archives.values()]
    record(
        owner,
        survey,
        said(
            "Added up from archives whose counts have the digests %(digests)s.",
            digests=", ".join(each[:DIGITS_SHOWN] for each in digests),
        ),
    )
    return survey


def counted(sites: Sites) -> Iterator[dict[bytes, int]]:
    """Yield {pattern: count}, some rows at a time."""
    for folder, archive in sites.archives.items():
        for patterns, counts in read_rows(folder, archive):
            joined, width = patterns.tobytes(), patterns.shape[1]
            places = range(0, len(joined), width)
            each = (joined[place : place + width] for place in places)
            yield dict(zip(each, counts.tolist(), strict=True))
