"""What brings people to an open survey: its address as a code, and words to send."""

import io
from dataclasses import dataclass

import segno
from django.urls import reverse
from django.utils import translation
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from respondents.answering.pages import minutes_for, render_survey
from surveys.design import Design, design_of
from surveys.models import Survey
from surveys.words.protection import Protection
from surveys.words.tables import name_questions

ERROR_CORRECTION = "m"
"""Read with 15 % of the code covered (ISO/IEC 18004); segno takes a higher level where
it costs no larger code."""

PIXELS_A_MODULE = 24
"""About 900 pixels for a usual address: sharp at 8 cm in 300 dots per inch."""

FORMATS = {"svg": "image/svg+xml", "png": "image/png"}

OWN_LINK = gettext_noop("[one-time link]")
"""Where each person's own link goes in the invitation."""


@dataclass(frozen=True)
class Shared:
    """An open survey and the places that its respondents are led to."""

    survey: Survey
    site: str
    """Scheme and host, without a slash at the end."""

    @property
    def design(self) -> Design:
        return design_of(self.survey)

    @property
    def address(self) -> str:
        return f"{self.site}{self.survey.get_absolute_url()}"

    @property
    def short_address(self) -> str:
        """The address as people type it: what a browser adds is left out."""
        return self.address.removeprefix("https://").removesuffix("/")

    @property
    def method_address(self) -> str:
        page = reverse("method:how_it_works")
        return f"{self.site}{page}?language={self.design.language}"

    @property
    def last_day(self) -> str:
        """The last day to answer in words; nothing where there is none."""
        day = self.survey.closes_on
        return date_format(day, _("j F Y")) if day else ""


def draw_code(address: str, kind: str) -> bytes:
    """Return the address as a QR code, dark on white also where a page is dark."""
    drawn = io.BytesIO()
    code = segno.make_qr(address, error=ERROR_CORRECTION)
    if kind == "svg":
        code.save(drawn, kind="svg", light="white", omitsize=True, title=address)
    else:
        code.save(drawn, kind="png", light="white", scale=PIXELS_A_MODULE)
    return drawn.getvalue()


def poster(shared: Shared) -> str:
    """Return a page to print on A4 and to hang up."""
    design = shared.design
    with translation.override(design.language):
        promise = protection_in_short(Protection(design))
        last_day = shared.last_day
    return render_survey(
        "fieldwork/sharing/poster",
        design,
        is_simulated=shared.survey.is_simulated,
        shared=shared,
        promise=promise,
        last_day=last_day,
    )


def protection_in_short(protection: Protection) -> list[str]:
    """Return who scrambles, and what a report can tell at most."""
    return [*protection.who_scrambles, protection.worst.conclusion]


def protection_with_odds(protection: Protection) -> list[str]:
    """Return the same with the odds for every answer, of the worst table."""
    worst = protection.worst
    odds = worst.sentences if protection.scrambled else []
    if odds and len(protection.tables) > 1:
        least = _("The least protection is that of %s.") % name_questions(worst.numbers)
        odds = [least, *odds]
    return [*protection.who_scrambles, *odds, worst.conclusion]


def invitation(shared: Shared) -> str:
    """Return a text to send: all that it promises follows from the design."""
    with translation.override(shared.design.language):
        paragraphs = [
            *what_it_is(shared),
            *what_is_promised(shared.design),
            *where_to_answer(shared),
            *whom_to_ask(shared),
        ]
    return "\n\n".join(paragraphs) + "\n"


def what_it_is(shared: Shared) -> list[str]:
    design, count = shared.design, len(shared.design.questions)
    minutes = minutes_for(design)
    questions = ngettext("%(count)s question", "%(count)s questions", count)
    time = ngettext("about %(minutes)s minute", "about %(minutes)s minutes", minutes)
    size = _("It has %(questions)s and takes %(time)s. You can stop at any time.") % {
        "questions": questions % {"count": count},
        "time": time % {"minutes": minutes},
    }
    who = _("%(organiser)s invites you to a survey.") % {"organiser": design.organiser}
    asked_for = [design.purpose.strip()] if design.purpose.strip() else []
    return [design.title, who, *asked_for, size]


def what_is_promised(design: Design) -> list[str]:
    protection = Protection(design)
    promise = [
        *protection_with_odds(protection),
        _("Across many people we can still work out the overall share."),
    ]
    heading = _("How your answers are protected")
    screen = " ".join(protection.from_the_screen)
    watched = _("Can someone learn your real answer who looks at your screen?")
    return [f"{heading}\n{' '.join(promise)}", f"{watched} {screen}"]


def where_to_answer(shared: Shared) -> list[str]:
    if shared.survey.is_by_invitation:
        once = _("This link is for you alone. It works once:")
        found = [f"{once}\n{_(OWN_LINK)}"]
    else:
        found = [f"{_('Answer here:')}\n{shared.address}"]
    if shared.last_day:
        found.append(_("The last day to answer is %s.") % shared.last_day)
    return found


def whom_to_ask(shared: Shared) -> list[str]:
    design, found = shared.design, []
    if design.contact:
        found.append(_("Questions? %(contact)s") % {"contact": design.contact})
    found.append(f"{_('More about the method:')} {shared.method_address}")
    return found
