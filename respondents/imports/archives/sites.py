"""Archives of several servers that opened one design: they can be added up."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from candor.files.table import FileError
from respondents.imports.archives.archive import DESIGN, Archive, read_archive
from respondents.imports.archives.rows import check_file
from respondents.imports.archives.signature import public_key
from respondents.storage.sealed_tally import MAX_COUNT


@dataclass(frozen=True)
class Sites:
    """Archives of one design, each another one's counts."""

    archives: Mapping[Path, Archive]
    trusted_keys: Collection[str] = ()
    """Public keys of servers whose word counts, beside this one's."""

    @property
    def first(self) -> Archive:
        return next(iter(self.archives.values()))

    @property
    def first_file(self) -> Path:
        """Whose design it is that all have."""
        return next(iter(self.archives)) / DESIGN

    @property
    def respondents(self) -> int:
        return sum(each.respondents for each in self.archives.values())

    @cached_property
    def attested_by(self) -> list[str]:
        """The servers whose word it is that the design is older than the reports.

        None where it may be younger: an archive has no signature with a trusted key, or
        its reports came from elsewhere.
        """
        archives, keys = self.archives.values(), {public_key(), *self.trusted_keys}
        if any(
            each.is_imported or not each.signature or each.signature.key not in keys
            for each in archives
        ):
            return []
        return sorted({each.signature.server for each in archives if each.signature})

    @property
    def plan(self) -> Mapping[str, str]:
        """What was planned of the analysis; nothing where nobody attests it."""
        plan: Mapping[str, str] = self.first.design.get("analysis", {})
        return plan if self.attested_by else {}

    @property
    def plan_attested_by(self) -> str:
        """Who attests it, by name; empty where nothing was planned."""
        return ", ".join(self.attested_by) if self.plan else ""

    @property
    def has_doubtful_plan(self) -> bool:
        """Whether a plan is left out because nobody attests it."""
        return bool(self.first.design.get("analysis")) and not self.attested_by

    @property
    def is_simulated(self) -> bool:
        return any(each.is_simulated for each in self.archives.values())


def read_sites(
    folders: Sequence[Path],
    *,
    may_be_alike: bool = False,
    trusted_keys: Collection[str] = (),
) -> Sites:
    """Return archives that can be added up, as far as they say of themselves.

    Parameters
    ----------
    folders : sequence of Path
        One or more.
    may_be_alike : bool
        Whether two of them may have the same counts: small surveys can, by chance.

    trusted_keys : collection of str
        Public keys of servers whose word counts, beside this one's.

    Raises
    ------
    FileError
        Where one is no archive, has another design, or comes a second time.
    """
    if len({folder.resolve() for folder in folders}) < len(folders):
        raise FileError(["one folder is named twice"])
    archives = {folder: read_archive(folder) for folder in folders}
    sites = Sites(archives, trusted_keys)
    first = sites.first
    found: dict[str, Path] = {}
    for folder, archive in sites.archives.items():
        file = folder / DESIGN
        if archive.design_digest != first.design_digest:
            message = f"must be {first.design_digest}, as in {sites.first_file}"
            got = archive.design_digest
            raise FileError([f"{file}: design_digest: {message}; got {got}"])
        other = found.setdefault(archive.counts_digest, folder)
        if other != folder and not may_be_alike:
            message = f"counts_digest: these are the counts of {other} again"
            raise FileError([f"{file}: {message}"])
        check_file(folder, archive)
    if sites.respondents > MAX_COUNT:
        message = f"respondents: must be at most {MAX_COUNT} in all archives together"
        raise FileError([f"{DESIGN}: {message}; got {sites.respondents}"])
    return sites
