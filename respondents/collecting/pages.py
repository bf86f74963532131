"""Respondents' pages, rendered once per survey: all respondents get the same page."""

import gzip
import re
import secrets
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import date
from functools import lru_cache, partial
from http import HTTPStatus
from types import MappingProxyType
from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from respondents.collecting import reading_time
from respondents.collecting.forms import PlainForm
from respondents.collecting.page_context import describe_survey
from respondents.collecting.question_context import describe_questions
from respondents.collecting.randomise import draw_questions, sign_draw
from surveys.design import CACHED_DESIGNS, Design, get_design, load_design
from surveys.models import Survey

SUBMISSION_BYTES = 16

NEVER_BACK_FROM_MEMORY = HTTPStatus.NON_AUTHORITATIVE_INFORMATION
"""Without a script that clears it, the Back button restores a filled-in form, even with
no-store. Chromium 156 does not restore pages with a status other than 200
(measured)."""

MAX_CODE_LENGTH = 64
"""The most characters of a mistyped code that are shown again: about two codes."""

RECEIVED_DIGITS = 16
"""Digits of the digest in the address of the thanks; too many to type by mistake."""

JOURNEY = "collecting/journey"

BODY_START, BODY_END = "<body>", "</body>"

INDENTATION = re.compile(r"\s*\n\s*")


@dataclass(frozen=True)
class Page:
    """The body of a page, and its compressed form for browsers that accept it."""

    body: bytes
    compressed: bytes = b""
    status: HTTPStatus = HTTPStatus.OK


def render_open_survey(survey: Survey, language: str = "") -> Page:
    """Return the page of an open survey.

    Mode browser has the same page for all respondents, with all languages; the device
    chooses one. The form of the other modes is in `language`, or in the survey's main
    language.
    """
    shown = (
        survey.pk, survey.design_digest, survey.is_simulated, survey.closes_on
    )  # fmt: skip
    design = get_design(survey)
    if design.mode == Survey.Mode.BROWSER:
        return render_journey(*shown)
    # Each copy of the form has a new id, so that a form sent twice is stored once. It
    # also has a new draw if only some of the questions are asked.
    before, after = render_plain_halves(
        *shown,
        asked=draw_questions(design),
        # Only the survey's languages: others would fill the cache with copies.
        language=design.translate(language).language,
    )
    return Page(
        before + make_submission_id().encode() + after, status=NEVER_BACK_FROM_MEMORY
    )


@lru_cache(maxsize=CACHED_DESIGNS)
def render_journey(
    survey_id: int, digest: str, is_simulated: bool, closes_on: date | None
) -> Page:
    design = load_design(survey_id, digest)
    page = render_survey(
        JOURNEY,
        design,
        is_simulated=is_simulated,
        closes_on=closes_on,
    ).encode()
    # Compression is safe: the page contains no secret and is the same for all.
    return Page(page, gzip.compress(page, mtime=0))


@lru_cache(maxsize=CACHED_DESIGNS)
def render_plain_halves(
    survey_id: int,
    digest: str,
    is_simulated: bool,
    closes_on: date | None,
    *,
    asked: tuple[bool, ...],
    language: str = "",
) -> tuple[bytes, bytes]:
    """Return the empty form of modes server and hand, before and after its id."""
    marker = make_submission_id()
    design = load_design(survey_id, digest).translate(language)
    page = render_survey(
        "collecting/plain",
        design,
        is_simulated=is_simulated,
        closes_on=closes_on,
        asked=asked,
        submission=marker,
    )
    before, _marker, after = page.encode().partition(marker.encode())
    return before, after


def render_mistakes(
    survey: Survey,
    form: PlainForm,
    code: str,
    *,
    is_mistyped: bool = False,
    language: str = "",
) -> str:
    """Return the form with error messages; it never shows an answer again.

    The code of a one-time link is shown as typed: it discloses nothing about an answer,
    and one letter may be wrong. The outcome of mode hand is shown too: it is a report,
    and a second toss would disclose more than one.
    """
    design = get_design(survey).translate(language)
    is_by_hand = design.mode == Survey.Mode.HAND
    return render_survey(
        "collecting/plain",
        design,
        is_simulated=survey.is_simulated,
        closes_on=survey.closes_on,
        # The draw stays the same; only one without a valid signature is replaced.
        asked=form.asked or draw_questions(design),
        submission=make_submission_id(),
        is_mistaken=True,
        missing=form.list_missing(),
        entered=form.map_choices() if is_by_hand else {},
        lacks_consent="consent" in form.errors,
        has_consent="consent" not in form.errors,
        is_mistyped=is_mistyped,
        invitation=code[:MAX_CODE_LENGTH],
    )


@lru_cache(maxsize=CACHED_DESIGNS)
def estimate_minutes(design: Design) -> int:
    is_by_script = design.mode == Survey.Mode.BROWSER
    name = JOURNEY if is_by_script else "collecting/plain"
    # The first questions of each group, so that the result is always the same.
    asked = draw_questions(design, lambda: 0)
    page = render_language(name, design, is_simulated=False, minutes=1, asked=asked)
    return reading_time.estimate_minutes(
        reading_time.count_words(page),
        questions=design.questions_asked,
        is_by_hand=design.mode == Survey.Mode.HAND,
    )


def render_thanks(survey: Survey, language: str = "") -> str | None:
    """Return the page after a plain form; None in mode browser, whose page has it."""
    design = get_design(survey).translate(language)
    if design.mode == Survey.Mode.BROWSER:
        return None
    return render_survey("collecting/thanks", design, is_simulated=survey.is_simulated)


def write_thanks_query(design: Design, language: str = "") -> str:
    """Return the query of the thanks page, to which a stored form redirects.

    It is the same for all respondents. Without it, the page would also thank visitors
    who have sent nothing.
    """
    languages = {"language": language} if language else {}
    return urlencode({**languages, "received": design.digest[:RECEIVED_DIGITS]})


def make_submission_id() -> str:
    return secrets.token_hex(SUBMISSION_BYTES)


def render_closed(survey: Survey, language: str = "") -> str:
    """Return the page of a survey that has ended, also during its grace period."""
    design = get_design(survey).translate(language)
    with translation.override(design.language):
        return render(
            "collecting/closed",
            {
                "design": design,
                "languages": list_languages(design),
                "by_form": True,
                "day": format_day(survey.closed_on or survey.closes_on),
                "results": survey.results_address,
                # During the grace period a submission may still arrive.
                "is_final": survey.is_closed,
            },
        )


def format_day(day: date | None) -> str:
    return date_format(day, _("j F Y")) if day else ""


def render_unknown() -> str:
    return render_notice(
        gettext_lazy("We cannot find this survey"),
        gettext_lazy("Please check the link."),
        gettext_lazy("Perhaps a part of it is missing."),
    )


def render_busy(trouble: str = "") -> str:
    """Return the page for an outage; `trouble` is the URL of an explanation."""
    return render_notice(
        gettext_lazy("Please wait a moment"),
        gettext_lazy("Our database is busy. Reload this page in a while."),
        gettext_lazy("What is stored stays stored, and nothing is stored twice."),
        trouble=trouble,
    )


def render_refused() -> str:
    return render_notice(
        gettext_lazy("This could not be stored"),
        gettext_lazy("Nothing was recorded."),
        gettext_lazy("Go back to the survey and try again."),
    )


def render_notice(title: Promise, *lines: Promise, trouble: str = "") -> str:
    return render(
        "collecting/notice", {"title": title, "lines": lines, "trouble": trouble}
    )


def render_survey(name: str, design: Design, **context: Any) -> str:
    """Return the page `name`, as "collecting/journey", in the language of the design.

    A page of mode browser also contains the other languages. Each is the body of its
    page in an inert template, which static/js/collecting/language.js can activate.
    """
    page = render_language(name, design, **context)
    if name != JOURNEY:
        return page
    templates = [
        render(
            "collecting/_language",
            {
                "design": translated,
                "body": find_body(
                    render_language(name, translated, is_inert=True, **context)
                ),
            },
        )
        for translated in design.translations
    ]
    return page.replace(BODY_END, "".join([*templates, BODY_END]))


def find_body(page: str) -> SafeString:
    """Return the body of a rendered page; all text in it is already escaped."""
    _before, _start, after = page.partition(BODY_START)
    return mark_safe(after.partition(BODY_END)[0])  # noqa: S308


def list_languages(design: Design) -> list[tuple[str, str]]:
    """Return (code, native name) of a survey's languages; empty if it has only one."""
    names = dict(settings.LANGUAGES)
    several = design.languages if len(design.languages) > 1 else ()
    return [(code, names.get(code, code)) for code in several]


def render_language(
    name: str,
    design: Design,
    *,
    is_simulated: bool,
    closes_on: date | None = None,
    asked: tuple[bool, ...] = (),
    missing: Collection[int] = (),
    entered: Mapping[int, int] = MappingProxyType({}),
    **more: Any,
) -> str:
    """Return the page `name`, as "collecting/plain", in the language of the design."""
    languages = list_languages(design)
    with translation.override(design.language):
        context = describe_survey(design)
        questions = describe_questions(
            context["protection"], asked=asked, missing=missing, entered=entered
        )
        return render(
            name,
            {
                **context,
                "questions": questions,
                "screens": [each for each in questions if "is_box" not in each],
                "languages": languages,
                "codes": design.languages or (design.language,),
                # The form and the pages after it keep this language.
                "query": f"?language={design.language}" if languages else "",
                "sealed_draw": sign_draw(design, asked) if asked else "",
                "missing": missing,
                "is_simulated": is_simulated,
                "last_day": format_day(closes_on),
                # Computed only if a template uses it.
                "minutes": partial(estimate_minutes, design),
                **more,
            },
        )


def render(name: str, context: dict[str, Any]) -> str:
    """Return the page without its indentation, which is a fifth of its size."""
    context = {"leave_to": settings.LEAVE_TO, **context}
    page = render_to_string(f"respondents/{name}.html", context)
    return INDENTATION.sub("\n", page)
