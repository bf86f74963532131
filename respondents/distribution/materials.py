"""Recruitment materials: the QR code of a survey, and a suggested invitation."""

from dataclasses import dataclass

from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from respondents.collecting.pages import estimate_minutes, format_day, render_survey
from respondents.explaining.address import shorten_address, split_address
from surveys.design import Design, get_design
from surveys.markdown import render_plain_text
from surveys.models import Survey
from surveys.text.protection import Protection

OWN_LINK = gettext_noop("[one-time link]")
"""The placeholder for each person's own link in the invitation."""


@dataclass(frozen=True)
class SharedSurvey:
    """An open survey and the URLs that its respondents visit."""

    survey: Survey
    site: str
    """Scheme and host, without a trailing slash."""

    @property
    def design(self) -> Design:
        return get_design(self.survey)

    @property
    def address(self) -> str:
        return f"{self.site}{self.survey.get_absolute_url()}"

    @property
    def short_address(self) -> str:
        return shorten_address(self.address)

    @property
    def address_in_parts(self) -> list[str]:
        return split_address(self.short_address)

    @property
    def method_address(self) -> str:
        page = reverse("method:how_it_works")
        return f"{self.site}{page}?language={self.design.language}"

    @property
    def last_day(self) -> str:
        return format_day(self.survey.closes_on)


def render_poster(shared: SharedSurvey) -> str:
    design = shared.design
    with translation.override(design.language):
        protection = Protection(design)
        heading = protection.heading
        promise = summarise_protection(protection, with_odds=False)
    return render_survey(
        "distribution/share_page/poster",
        design,
        is_simulated=shared.survey.is_simulated,
        closes_on=shared.survey.closes_on,
        shared=shared,
        heading=heading,
        promise=promise,
    )


def summarise_protection(
    protection: Protection, *, with_odds: bool = True
) -> list[str]:
    """Return who scrambles the answers, and what a report can disclose at most.

    The odds are those of the least protected table.
    """
    # "So it is a hint" would be false directly after "we receive your real answer".
    device, *more = protection.device_sentences
    odds = protection.summary if with_odds else []
    promised = [*odds, protection.worst.conclusion, *protection.composition_warning]
    if protection.exception:
        return [device, *promised, *protection.exception]
    return [device, *more, *promised]


def write_invitation(shared: SharedSurvey) -> str:
    """Return a text to send; its promises are derived from the design."""
    with translation.override(shared.design.language):
        paragraphs = [
            *describe_survey(shared),
            *describe_protection(shared.design),
            *describe_access(shared),
            *describe_contacts(shared),
        ]
    return "\n\n".join(paragraphs) + "\n"


def describe_survey(shared: SharedSurvey) -> list[str]:
    design, count = shared.design, shared.design.questions_asked
    minutes = estimate_minutes(design)
    questions = ngettext("%(count)s question", "%(count)s questions", count)
    time = ngettext("about %(minutes)s minute", "about %(minutes)s minutes", minutes)
    size = _("It has %(questions)s and takes %(time)s.") % {
        "questions": questions % {"count": count},
        "time": time % {"minutes": minutes},
    }
    size = f"{size} {_('You can stop at any time.')}"
    sender = _("%(organiser)s invites you to a survey.")
    purpose = render_plain_text(design.purpose)
    return [
        design.title,
        sender % {"organiser": design.organiser},
        *([purpose] if purpose else []),
        size,
    ]


def describe_protection(design: Design) -> list[str]:
    protection = Protection(design)
    promise = [
        *summarise_protection(protection),
        _("Across many people we can still work out the overall share."),
    ]
    screen = " ".join(protection.screen_consequence)
    watched = _("Can someone learn your real answer who looks at your screen?")
    return [f"{protection.heading}\n{' '.join(promise)}", f"{watched} {screen}"]


def describe_access(shared: SharedSurvey) -> list[str]:
    if shared.survey.is_by_invitation:
        works_once = _("This link is for you alone. It works once:")
        paragraphs = [f"{works_once}\n{_(OWN_LINK)}"]
    else:
        paragraphs = [f"{_('Answer here:')}\n{shared.address}"]
    if shared.last_day:
        text = _("You can answer until %(last_day)s.")
        paragraphs.append(text % {"last_day": shared.last_day})
    return paragraphs


def describe_contacts(shared: SharedSurvey) -> list[str]:
    design, paragraphs = shared.design, []
    if design.contact:
        paragraphs.append(_("Questions? %(contact)s") % {"contact": design.contact})
    paragraphs.append(f"{_('More about the method:')} {shared.method_address}")
    return paragraphs
