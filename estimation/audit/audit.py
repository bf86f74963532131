"""Audit a served survey from outside, without submitting anything."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from http import HTTPStatus
from typing import Any
from urllib.parse import urldefrag, urljoin

from estimation.audit.fetch import BROWSERS, Fetch, Fetched, FetchError
from estimation.audit.headers import (
    find_forbidden_headers,
    find_page_faults,
    find_transport_faults,
)
from estimation.audit.page import ServedPage
from estimation.audit.questionnaire import check_questionnaire
from estimation.audit.release import (
    NoDesignError,
    compute_sha256,
    find_page_difference,
    fingerprint,
    name_first_page,
    read_served,
    strip_fingerprint,
)
from estimation.audit.report import Check, Report, checked, unchecked
from estimation.audit.sampler import check_sampler
from respondents.collecting.pages import write_thanks_query
from surveys.design import Design
from surveys.models import Survey
from surveys.thresholds import MIN_BATCH_SIZE, MIN_LEAST_RESPONSES

USUAL_DRAWS = 100_000
USUAL_SECONDS = 300

KEPT_MARKS = "ETag", "Last-Modified"

# Plain forms have status 203, so that Chromium does not cache them for Back.
PAGE_STATUS = {HTTPStatus.OK, HTTPStatus.NON_AUTHORITATIVE_INFORMATION}


class AuditError(Exception):
    """There is no survey to audit; the message is one sentence."""


def audit(
    address: str,
    *,
    fetch: Fetch,
    draws: int = USUAL_DRAWS,
    seconds: float = USUAL_SECONDS,
    expected_digest: str = "",
) -> Report:
    """Return a report on whether the survey at `address` keeps its promises.

    Parameters
    ----------
    address : str
        Address of the page that respondents open. Its fragment is not sent.
    fetch : callable
        Returns files, within its own limits of time and bytes.
    draws : int
        Number of draws for each answer of each table.
    seconds : float
        Time limit of all draws.
    expected_digest : str
        Digest of the approved design, if known.

    Raises
    ------
    AuditError
        If there is no open survey at this address.
    FetchError
        If its page cannot be fetched.
    """
    page = fetch(urldefrag(address).url)
    if page.status not in PAGE_STATUS:
        raise AuditError(
            f"{page.address} answers with status {page.status}: no survey that is open"
        )
    served = ServedPage(page.text, page.address)
    design, missing = None, ""
    try:
        design = fetch_design(page.address, fetch)
    except (FetchError, NoDesignError) as error:
        missing = str(error)
    # In browser mode the page itself ends with the thanks.
    after = {} if is_browser(served, design) else list_pages(page.address, design)
    linked, unread = fetch_all([*served.links, *after], fetch)
    of_survey = {address: linked[address] for address in after if address in linked}
    forms = {
        each: design and design.translate(language)
        for each, (name, language) in after.items()
        if name == "plain"
    }
    forms[page.address] = design
    explained = [ServedPage(each.text, each.address) for each in linked.values()]
    # Scripts and styles only, because pictures may be drawn for this survey.
    loaded = [each for one in explained for each in (*one.scripts, *one.styles)]
    everything = [*served.scripts, *served.styles, *served.others, *loaded]
    files, problems = fetch_all(everything, fetch)
    checks = [
        checked("transport", "No one on the way can change the page",
                find_transport_faults(page)),
        checked("headers", "The headers are those that the release promises",
                find_header_faults([page, *linked.values()], files.values())),
        checked("contents", "The page runs and loads nothing but files of its site",
                [*find_content_faults(served, design),
                 *(f"{one.address}: {fault}" for one in explained
                   for fault in find_content_faults(one, None))]),
        checked("files", "Scripts, styles and pictures are those of this release",
                [*unread, *problems, *find_file_faults(files)]),
        checked("visitors", "Other browsers, in other languages, get the same",
                find_visitor_faults([page, *of_survey.values()], files, forms, fetch)),
        check_design(served, design, missing, expected_digest),
        check_counting(design, missing),
        check_pages(page, of_survey, after, design, missing),
        check_questionnaire(served, files, design, seconds=seconds),
        *check_sampler(served, files, design, draws=draws, seconds=seconds),
    ]  # fmt: skip
    return Report(
        page.address,
        checks,
        design,
        {name: fingerprint(name, file.body) for name, file in files.items()},
    )


def list_pages(address: str, design: Design | None) -> dict[str, tuple[str, str]]:
    if design is None:
        return {}
    found = {}
    for language in ("", *(each.language for each in design.translations)):
        if language:
            found[urljoin(address, f"?language={language}")] = "plain", language
        query = write_thanks_query(design, language)
        found[urljoin(address, f"thanks/?{query}")] = "thanks", language
    return found


def fetch_all(
    addresses: Iterable[str], fetch: Fetch
) -> tuple[dict[str, Fetched], list[str]]:
    files, problems = {}, []
    for address in dict.fromkeys(addresses):
        try:
            file = fetch(address)
        except FetchError as error:
            problems.append(str(error))
            continue
        if file.status not in PAGE_STATUS:
            problems.append(f"{address} answers with status {file.status}")
        files[address] = file
    return files, problems


def fetch_design(address: str, fetch: Fetch) -> Design:
    """Return the served design; raise `FetchError` or `NoDesignError` without one."""
    file = fetch(urljoin(address, "design/"))
    try:
        found = json.loads(file.body) if file.status == HTTPStatus.OK else None
    except (ValueError, RecursionError):
        raise NoDesignError("what is served as the design is no JSON") from None
    if not isinstance(found, dict):
        message = f"the server does not serve the design (status {file.status})"
        raise NoDesignError(message)
    return read_served(found)


def find_header_faults(
    pages: Sequence[Fetched], files: Iterable[Fetched]
) -> Iterator[str]:
    page, *linked = pages
    yield from find_page_faults(page)
    for each in linked:
        for fault in find_page_faults(each):
            yield f"{each.address}: {fault}"
    for file in files:
        for fault in find_forbidden_headers(file):
            yield f"{file.address}: {fault}"


def find_content_faults(served: ServedPage, design: Design | None) -> Iterator[str]:
    yield from dict.fromkeys(served.suspicious)
    if is_browser(served, design) and served.named_radios:
        yield "choices have names, so that a browser can send what was chosen"


def is_browser(served: ServedPage, design: Design | None) -> bool:
    return design.mode == Survey.Mode.BROWSER if design else bool(served.sampler)


def find_file_faults(files: Mapping[str, Fetched]) -> Iterator[str]:
    for address, file in files.items():
        due = compute_sha256(address)
        if due is None:
            yield f"{address} is no file of this release"
        elif (found := fingerprint(address, file.body)) != due:
            yield f"{strip_fingerprint(address)} is {found}, in this release {due}"


def find_visitor_faults(
    pages: Sequence[Fetched],
    files: Mapping[str, Fetched],
    forms: Mapping[str, Design | None],
    fetch: Fetch,
) -> Iterator[str]:
    """Yield differences between what is served to several browsers."""
    others = range(1, len(BROWSERS))
    for address, file in {**{each.address: each for each in pages}, **files}.items():
        again, problems = [], []
        for browser in others:
            try:
                again.append(fetch(address, browser))
            except FetchError as error:
                problems.append(str(error))
        for other in again:
            if other.status != file.status:
                problems.append(f"{address} answers with status {other.status} to some")
                continue
            if file in pages:
                problems += set(find_page_faults(other)) - set(find_page_faults(file))
            if address in forms:
                problems += find_differing_page(file, other, forms[address])
            elif other.body != file.body:
                problems.append(f"{address} is another file for another browser")
        yield from problems
        # Browsers send these headers back, so they can identify a visitor. Two values
        # are allowed, because two servers of one site may differ.
        for name in KEPT_MARKS:
            marks = {each.header(name) for each in (file, *again)}
            if len(marks) == len(BROWSERS):
                yield f"{address} has another {name} for each visitor: a mark"


def find_differing_page(
    page: Fetched, other: Fetched, design: Design | None
) -> list[str]:
    if design is None or other.body == page.body:
        return []
    if design.mode == Survey.Mode.BROWSER:
        return [f"{page.address} is another page for another browser"]
    difference = find_page_difference(other.text, design, name_first_page(design))
    return [f"{page.address} for another browser: {difference}"] if difference else []


def check_design(
    served: ServedPage, design: Design | None, missing: str, expected: str
) -> Check:
    name, promise = "design", "The tables are those that the design's digest names"
    if design is None:
        return checked(name, promise, [missing])
    faults = []
    if expected and expected != design.digest:
        faults.append(f"the design is {design.digest}, not the one expected")
    if served.sampler:
        faults += find_table_faults(served.read_data("survey"), design)
    return checked(name, promise, faults, digest=design.digest)


def find_table_faults(data: Mapping[str, Any], design: Design) -> Iterator[str]:
    if data.get("design") != design.digest:
        yield f"the page names {data.get('design')!r}, its design is {design.digest}"
    try:
        tables = [tuple(map(tuple, each["weights"])) for each in data["tables"]]
        given = [tables[position] for position in data["questions"]]
    except (KeyError, TypeError, IndexError):
        yield "the page has no tables for its scripts"
        return
    if len(given) != len(design.questions):
        yield f"the page has {len(given)} tables of {len(design.questions)} questions"
        return
    for number, (table, question) in enumerate(
        zip(given, design.questions, strict=True), start=1
    ):
        due = question.mechanism.weights
        if table != due:
            yield f"question {number} has the table {table}, in the design {due}"


def check_counting(design: Design | None, missing: str) -> Check:
    name = "counting"
    promise = "Results move in groups, and none are shown of a few people"
    if design is None or design.group_sizes is None:
        why = "the design promises no group size: an earlier release opened the survey"
        return unchecked(name, promise, missing or why)
    promised, faults = design.group_sizes, []
    if promised.batch_size < MIN_BATCH_SIZE:
        faults.append(
            f"results move in steps of {promised.batch_size} responses; this release "
            f"allows no step below {MIN_BATCH_SIZE}"
        )
    if promised.least_responses < MIN_LEAST_RESPONSES:
        faults.append(
            f"results are shown from {promised.least_responses} responses on; this "
            f"release allows no fewer than {MIN_LEAST_RESPONSES}"
        )
    links = promised.least_links or 0
    if design.is_by_invitation and links < promised.least_responses:
        faults.append(
            f"{links} one-time links are promised, fewer than the "
            f"{promised.least_responses} responses from which results are shown"
        )
    return checked(name, promise, faults, **asdict(promised))


def check_pages(
    page: Fetched,
    of_survey: Mapping[str, Fetched],
    names: Mapping[str, tuple[str, str]],
    design: Design | None,
    missing: str,
) -> Check:
    name = "page"
    promise = "The page says what this release says of the design, to the last letter"
    if design is None:
        return unchecked(name, promise, missing)
    try:
        differences = [find_page_difference(page.text, design, name_first_page(design))]
        for address, file in of_survey.items():
            which, language = names[address]
            translated = design.translate(language)
            differences.append(find_page_difference(file.text, translated, which))
    except (KeyError, TypeError, ValueError, ArithmeticError) as error:
        return unchecked(
            name, promise, f"it cannot be made here (collectstatic?): {error}"
        )
    return checked(name, promise, filter(None, differences))
