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
    """Archives of one design or of two versions, each with its own counts."""

    archives: Mapping[Path, Archive]
    trusted_keys: Collection[str] = ()
    """Public keys of trusted servers, in addition to this one's."""
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
        """One archive of each version; only one if all have the same design."""
        return [self.first, *([self.version_map.other] if self.version_map else [])]

    @property
    def merged_versions(self) -> list[dict[str, str]]:
        if self.version_map:
            return self.version_map.describe_versions()
        return list(self.first.design.get("merged_versions", []))

    @property
    def group_sizes(self) -> dict[str, int]:
        """The largest group sizes that any version promised."""
        sizes = (archive.frozen.group_sizes for archive in self.versions)
        promised = list(filter(None, sizes))
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
        """The servers that attest that the design is older than the reports.

        Empty if it may be newer: an archive lacks a signature with a trusted key, or
        its reports were imported.
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
    """Return archives whose descriptions allow merging; rows are checked later.

    Two archives with the same counts are refused unless they `may_be_identical`, as in
    small surveys by chance. `same` maps the questions of a second version onto the
    first archive's; if it is empty, all archives must have the same design.

    Raises `FileError` if a folder is not an archive, has another design, or is given
    twice.
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
    """Return a closed survey with the summed counts; an error stores nothing.

    The survey is marked as imported, because this server cannot verify how others
    randomised. A planned analysis is included only if servers attest it.

    Raises `FileError` if the address is empty or taken, if a row is not valid, or if an
    archive's survey and design differ.
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
    # Address and plan are part of the digest. The address of the new survey may differ,
    # and a plan that no server attests is left out.
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
    """Return the planned analysis of a survey file, in the form that designs use."""
    plan = {name: study.fields.get(name, "") for name in Survey.PINNED}
    return plan if any(plan.values()) else {}


def read_counts(sites: Sites) -> Iterator[dict[bytes, int]]:
    for folder, archive in sites.archives.items():
        for patterns, counts in read_rows(folder, archive):
            if sites.version_map and archive.design_digest != sites.first.design_digest:
                patterns = sites.version_map.reorder(patterns)
            joined, width = patterns.tobytes(), patterns.shape[1]
            places = range(0, len(joined), width)
            keys = (joined[place : place + width] for place in places)
            yield dict(zip(keys, counts.tolist(), strict=True))
