"""Texts of the monitor that change during the field period, by name."""

import math

from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from estimation.presentation.cautions import Caution, make_moving_caution
from estimation.presentation.survey import margin
from estimation.rows.progress import Progress, QuestionProgress
from estimation.rows.shares import shown_from
from surveys.numbers import format_integer, format_margin, format_percent
from surveys.text.explanations import describe_closing

NOTHING_YET = "\N{EM DASH}"


def live_texts(progress: Progress) -> dict[str, str]:
    texts = {
        "responses": format_integer(progress.respondents),
        "target": target(progress),
        "margin": margin(progress.widest),
        "precision": precision(progress),
        "lacking": lacking(progress),
        "days": days(progress),
        "last_day": last_day(progress),
        "summary": summary(progress),
    }
    for question in progress.questions:
        texts[f"reports-{question.number}"] = format_integer(question.respondents)
        texts[f"margin-{question.number}"] = margin(question.margin)
        texts[f"more-{question.number}"] = more(question)
    return texts


def live_values(progress: Progress) -> dict[str, int]:
    """Return {name of a bar: value, at most its maximum}."""
    ends = bar_ends(progress)
    values = {"target": min(progress.respondents, ends.get("target", 0))}
    for question in progress.questions:
        name = f"bar-{question.number}"
        # Reports that do not fit the design cannot reach a margin.
        counted = 0 if question.margin == math.inf else question.respondents
        values[name] = min(counted, ends.get(name, 0))
    return {name: value for name, value in values.items() if name in ends}


def bar_ends(progress: Progress) -> dict[str, int]:
    ends = {"target": progress.survey.target} if progress.survey.target else {}
    for question in progress.questions:
        if question.needed is not None:
            ends[f"bar-{question.number}"] = question.needed
    return ends


def cautions(progress: Progress) -> list[Caution]:
    survey = progress.survey
    if survey.awaits_opening:
        return []
    started = progress.respondents > 0
    return [make_moving_caution(survey, started=started)] if survey.is_open else []


def target(progress: Progress) -> str:
    planned = progress.survey.target
    if planned is None:
        return _("No planned number is set.")
    if progress.respondents >= planned:
        reached = _("The %s planned responses have arrived.")
        return reached % format_integer(planned)
    return _("%(share)s of the %(planned)s planned responses") % {
        "share": format_percent(progress.respondents / planned, 0),
        "planned": format_integer(planned),
    }


def precision(progress: Progress) -> str:
    if progress.survey.awaits_opening:
        return _("Known after the reports are opened.")
    if progress.widest is None:
        least = shown_from(progress.survey, progress.respondents)
        return _("Shown once every question has %s responses.") % least
    if math.isinf(progress.widest):
        return ""
    level = format_percent(progress.confidence_level, trimmed=True)
    return _("Widest margin of error at %s.") % level


def lacking(progress: Progress) -> str:
    if progress.widest == math.inf:
        return do_not_fit(progress)
    if progress.wanted is None or progress.more is None:
        return _("No wanted margin is set.")
    wanted = format_margin(progress.wanted, trimmed=True)
    if progress.widest is None:
        needed = max(each.needed_in_all or 0 for each in progress.questions)
        return _(
            "For %(wanted)s a share of one half needs about %(needed)s responses in "
            "all."
        ) % {"wanted": wanted, "needed": format_integer(needed)}
    if not progress.more:
        return _("The wanted %s is reached.") % wanted
    return _("More responses needed for %(wanted)s: about %(more)s.") % {
        "more": format_integer(progress.more),
        "wanted": wanted,
    }


def do_not_fit(progress: Progress) -> str:
    misfits = sum(each.margin == math.inf for each in progress.questions)
    return _("Questions whose reports do not fit the design: %s.") % misfits


def more(question: QuestionProgress) -> str:
    if question.more is None or question.margin == math.inf:
        return NOTHING_YET
    if not question.more:
        return _("reached")
    return _("about %s more") % format_integer(question.more)


def days(progress: Progress) -> str:
    if not progress.survey.is_open:
        return _("Closed")
    left = progress.days_left
    if left is None:
        return _("No end set")
    return ngettext("%(count)s day", "%(count)s days", left) % {
        "count": format_integer(left)
    }


def last_day(progress: Progress) -> str:
    survey = progress.survey
    if not survey.is_open:
        return ""
    if progress.days_left == 0:
        return _("The survey closes in a few minutes.")
    closes = describe_closing(survey, progress.respondents)
    parts = [closes] if closes else []
    if survey.closes_on:
        day = date_format(survey.closes_on)
        parts = [_("The last day is %s.") % day, *parts]
    return " ".join(parts)


def summary(progress: Progress) -> str:
    responses = _("Responses: %(count)s.") % {
        "count": format_integer(progress.respondents)
    }
    if progress.widest is None:
        return responses
    if math.isinf(progress.widest):
        return f"{responses} {do_not_fit(progress)}"
    return _("%(responses)s Margin of error %(margin)s.") % {
        "responses": responses,
        "margin": margin(progress.widest),
    }
