"""Merge archives of several servers into one closed survey."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from django.contrib.auth.models import User
from django.db import transaction

from candor.files.table import FileError
from respondents.imports.archives.archive import (
    DESIGN,
    Archive,
    compute_design_digest,
    derive_public_key,
    read_archive,
)
from respondents.imports.archives.rows import check_file, read_rows
from respondents.imports.archives.versions import VersionMap, map_versions
from respondents.imports.field_studies.store import fill, open_elsewhere
from respondents.storage.sealed_tally import MAX_COUNT
from surveys.files.definition import Definition
from surveys.files.read import read_parsed
from surveys.log import record
from surveys.merged_versions import DIGITS_SHOWN, describe_versions
from surveys.models import Survey
from surveys.sentence import make_sentence
from surveys.versions import SameQuestion


@dataclass(frozen=True)
class Sites:
    """Archives of one design or of two versions, each another one's counts."""

    archives: Mapping[Path, Archive]
    trusted_keys: Collection[str] = ()
    """Public keys of servers that are trusted, besides this one's."""
    version_map: VersionMap | None = None
    """How archives of another version map onto the first archive's."""

    @property
    def first(self) -> Archive:
        return next(iter(self.archives.values()))

    @property
    def first_file(self) -> Path:
        """The archive that provides the common design."""
        return next(iter(self.archives)) / DESIGN

    @property
    def versions(self) -> list[Archive]:
        """Return an archive of each version; one where all have the same design."""
        return [self.first, *([self.version_map.other] if self.version_map else [])]

    @property
    def merged_versions(self) -> list[dict[str, str]]:
        if self.version_map:
            return self.version_map.describe_versions()
        return list(self.first.design.get("merged_versions", []))

    @property
    def group_sizes(self) -> dict[str, int]:
        """Return the larger of the group sizes that any version promised."""
        promised = [x for each in self.versions if (x := each.frozen.group_sizes)]
        return {
            name: max(getattr(each, name) for each in promised)
            for name in ("least_responses", "batch_size")
            if promised
        }

    @property
    def respondents(self) -> int:
        return sum(each.respondents for each in self.archives.values())

    @cached_property
    def attested_by(self) -> list[str]:
        """The servers whose word it is that the design is older than the reports.

        None where it may be younger: an archive has no signature with a trusted key, or
        its reports came from elsewhere.
        """
        archives = self.archives.values()
        keys = {derive_public_key(), *self.trusted_keys}
        if any(
            each.is_imported or not each.signature or each.signature.key not in keys
            for each in archives
        ):
            return []
        return sorted({each.signature.server for each in archives if each.signature})

    @property
    def plan(self) -> Mapping[str, str]:
        """The planned analysis.

        Empty if no archive attests it, or if the versions planned different analyses.
        """
        plan: Mapping[str, str] = self.first.design.get("analysis", {})
        return plan if self.attested_by and not self.plans_differ else {}

    @property
    def plan_attested_by(self) -> str:
        """Servers that attest the plan; empty without a plan."""
        return ", ".join(self.attested_by) if self.plan else ""

    @property
    def has_doubtful_plan(self) -> bool:
        return bool(self.first.design.get("analysis")) and not self.attested_by

    @property
    def plans_differ(self) -> bool:
        return self.version_map is not None and not self.version_map.has_same_plan()

    @property
    def is_simulated(self) -> bool:
        return any(each.is_simulated for each in self.archives.values())


def read_sites(
    folders: Sequence[Path],
    *,
    may_be_identical: bool = False,
    trusted_keys: Collection[str] = (),
    same: Sequence[SameQuestion] = (),
) -> Sites:
    """Return archives that can be added up, as far as they say of themselves.

    Two of them `may_be_identical` in their counts: small surveys can, by chance. `same`
    maps the questions of a second version onto the first archive's; without any, all
    archives must have one design.

    Raises `FileError` where one is no archive, has another design, or comes a second
    time.
    """
    if len({folder.resolve() for folder in folders}) < len(folders):
        raise FileError(["one folder is named twice"])
    archives = {folder: read_archive(folder) for folder in folders}
    first, *others = archives.values()
    allowed, version_map = [first.design_digest], None
    if same:
        others = [x for x in others if x.design_digest != first.design_digest]
        if not others:
            raise FileError(["--same: all archives have the same design"])
        version_map = map_versions(first, others[0], same)
        allowed.append(others[0].design_digest)
    sites = Sites(archives, trusted_keys, version_map)
    found: dict[str, Path] = {}
    for folder, archive in sites.archives.items():
        file = folder / DESIGN
        if archive.design_digest not in allowed:
            message = f"must be {allowed[0]}, as in {sites.first_file}"
            if same:
                message += f", or {allowed[1]}: merge two versions at a time"
            got = archive.design_digest
            raise FileError([f"{file}: design_digest: {message}; got {got}"])
        other = found.setdefault(archive.counts_digest, folder)
        if other != folder and not may_be_identical:
            message = f"counts_digest: these are the counts of {other} again"
            raise FileError([f"{file}: {message}"])
        check_file(folder, archive)
    if sites.respondents > MAX_COUNT:
        message = f"respondents: must be at most {MAX_COUNT} in all archives together"
        raise FileError([f"{DESIGN}: {message}; got {sites.respondents}"])
    return sites


@transaction.atomic
def merge(address: str, sites: Sites, owner: User) -> Survey:
    """Return a closed survey of the sum; nothing is stored where anything is wrong.

    It counts as imported: how other servers scrambled, cannot be seen from here. What
    was planned is taken over only where servers attest it.

    Raises `FileError` where the address is taken or none, a row cannot be, or the
    design that is described does not have the digest.
    """
    first = sites.first
    if not address:
        raise FileError(["the address of the new survey must not be empty"])
    sizes = sites.group_sizes
    given = {**first.survey, "slug": address}
    if sites.version_map and sizes:
        given["batch_size"] = sizes["batch_size"]
    try:
        study = read_parsed(given)
    except FileError as error:
        raise FileError(
            [f"{sites.first_file}: survey: {each}" for each in error.problems]
        ) from error
    survey = open_elsewhere(
        study,
        owner,
        is_simulated=sites.is_simulated,
        plan_attested_by=sites.plan_attested_by,
        least_responses=sizes.get("least_responses"),
        merged_versions=sites.merged_versions,
    )
    # The address is part of the digest; of what is opened here it may be another one.
    # So is the plan, which is left out where no server attests it.
    made = {**survey.definition(), "slug": first.design["slug"]}
    described = dict(first.design)
    if not sites.plan and described.pop("analysis", {}) != read_plan(study):
        raise FileError([f"{sites.first_file}: survey: plans another analysis"])
    if sites.version_map:
        for name in ("counting", "merged_versions"):
            made.pop(name, None)
            described.pop(name, None)
    if compute_design_digest(made) != compute_design_digest(described):
        raise FileError([f"{sites.first_file}: survey: is not what the design says"])
    fill(survey, read_counts(sites))
    digests = [each.counts_digest for each in sites.archives.values()]
    record(
        owner,
        survey,
        make_sentence(
            "Merged from archives with the digests %(digests)s.",
            digests=", ".join(each[:DIGITS_SHOWN] for each in digests),
        ),
    )
    if sites.version_map:
        record(
            owner,
            survey,
            make_sentence(
                "Versions of one survey: %(versions)s.",
                versions=describe_versions(sites.merged_versions),
            ),
        )
    return survey


def read_plan(study: Definition) -> dict[str, str]:
    """Return what the file of a survey plans, as its design says it."""
    plan = {name: study.fields.get(name, "") for name in Survey.PINNED}
    return plan if any(plan.values()) else {}


def read_counts(sites: Sites) -> Iterator[dict[bytes, int]]:
    for folder, archive in sites.archives.items():
        for patterns, counts in read_rows(folder, archive):
            if sites.version_map and archive.design_digest != sites.first.design_digest:
                patterns = sites.version_map.reorder(patterns)
            joined, width = patterns.tobytes(), patterns.shape[1]
            places = range(0, len(joined), width)
            each = (joined[place : place + width] for place in places)
            yield dict(zip(each, counts.tolist(), strict=True))
