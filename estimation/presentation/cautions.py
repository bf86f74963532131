"""Cautions about a result, and their order."""

from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext as for_researchers
from django.utils.translation import ngettext

from estimation.presentation.figures import show_estimate, show_raw, show_value
from estimation.presentation.sentences import labels_of_reports, proofs
from estimation.rows.row import Kind, Row
from estimation.rows.shares import (
    MIN_RESPONDENTS,
    QuestionResult,
    SurveyResults,
    first_shown,
)
from surveys.kinds.scale import format_scale_value
from surveys.lists import join_texts
from surveys.merged_versions import describe_versions
from surveys.models import Survey
from surveys.numbers import (
    format_integer,
    format_p_value,
    format_percent,
)

SMALLEST_SHOWN = 0.0001


class Caution(NamedTuple):
    """A text and how grave it is: "note", "warning" or "danger"."""

    level: str
    text: str


def for_question(result: QuestionResult) -> list[Caution]:
    """Return what to know about one question's result."""
    found = []
    if not result.mechanism.is_scrambled:
        text = _(
            "Not protected: this question's answers are stored as they were given. "
            "Epsilon has no bound."
        )
        found.append(Caution("danger", text))
    elif not result.mechanism.is_protected:
        text = _(
            "Partly protected: some reports to this question show the answer. Epsilon "
            "has no bound."
        )
        found.append(Caution("danger", text))
    if texts := proofs(result):
        texts[0] = f"{named_reports(result)} {texts[0]}".lstrip()
    found += [Caution("warning", each) for each in texts]
    if result.exact_respondents == 0:
        return found
    if not result.fits_design:
        # Chance is no second explanation: it is what this rules out.
        found.append(Caution("danger", design_violated(result)))
    elif result.mean and not result.mean.is_possible:
        found.append(Caution("warning", mean_outside(result.mean)))
    elif result.rows and min(row.raw for row in result.rows) < 0:
        texts = [shares_outside(result)]
        if result.noisy:
            texts.append(_("The noise on the numbers of people can do this too."))
        found.append(Caution("warning", " ".join(texts)))
    if result.fits_design and (text := declined(result)):
        found.append(Caution("note", text))
    if result.is_of_few:
        found.append(Caution("warning", too_few(result)))
    return found


def make_misfit_caution(question: str) -> Caution:
    """Return that an analysis uses reports to a question which no share explains."""
    text = for_researchers(
        "The reports to “%s” do not fit the design. Results that use them are "
        "unreliable."
    )
    return Caution("danger", text % question)


def named_reports(result: QuestionResult) -> str:
    """Say what its reports are called; empty where that is as its answers are."""
    if result.mechanism.reports == result.mechanism.answers:
        return ""
    names = [_("“%s”") % label for label in labels_of_reports(result)]
    text = _("Scrambled answers to this question are called %s.")
    return text % join_texts(names, _("and"))


def shares_outside(result: QuestionResult) -> str:
    """Say what raw estimates below 0 or above 1 mean.

    They add up to 1, so none is above it where none is below 0.
    """
    if len(result.rows) == 2:
        row = result.rows[0]
        return _(
            "The raw estimate is %(raw)s: the true share is close to %(edge)s, or the "
            "survey is too small for this much scrambling."
        ) % {"raw": show_raw(row), "edge": format_percent(float(row.raw > 0), 0)}
    below = [_("“%s”") % row.label for row in result.rows if row.raw < 0]
    return ngettext(
        "The raw estimate of %(answers)s is below %(zero)s: the true share is close to "
        "%(zero)s, or the survey is too small for this much scrambling.",
        "The raw estimates of %(answers)s are below %(zero)s: the true shares are "
        "close to %(zero)s, or the survey is too small for this much scrambling.",
        len(below),
    ) % {"answers": join_texts(below, _("and")), "zero": format_percent(0.0, 0)}


def mean_outside(mean: Row) -> str:
    """Say what a raw mean beyond the ends of its scale means."""
    edge = mean.range[mean.part(mean.raw) > 0]
    return _(
        "The raw mean lies beyond %(edge)s, the end of the scale: the true mean is "
        "close to it, or the survey is too small for this much scrambling."
    ) % {"edge": format_scale_value(edge)}


def declined(result: QuestionResult) -> str:
    """Say how far those who preferred not to answer could raise the first share."""
    if not result.bounds or result.bounds[0].kind is not Kind.BOUNDS:
        return ""
    first, last = result.bounds[0], result.rows[-1]
    if not (last.has_estimate and last.estimate > 0 and first.upper_estimate):
        return ""
    return _(
        "%(share)s answered “%(declined)s”. If all of them meant “%(label)s”, its "
        "share is %(most)s."
    ) % {
        "share": show_estimate(last),
        "declined": last.label,
        "label": first.label,
        "most": show_value(first, min(first.upper_estimate, 1.0)),
    }


def design_violated(result: QuestionResult) -> str:
    """Say that no share explains the reports, and what may."""
    words = {
        "p": format_p_value(result.design_fit, smallest=SMALLEST_SHOWN, digits=".1g")
    }
    is_of_mean = result.mean and not result.rows
    if is_of_mean:
        found = _(
            "The reports do not fit the design: even with the lowest or highest mean, "
            "fewer than 1 in 100 surveys would be so one-sided (%(p)s)."
        )
    elif len(result.rows) > 2:
        found = _(
            "The reports do not fit the design: some are rarer than in 99 of 100 "
            "surveys in which no one has their answer (%(p)s)."
        )
    else:
        found = _(
            "The reports do not fit the design. The raw estimate is %(raw)s; even with "
            "a true share of %(edge)s, fewer than 1 in 100 surveys would be so "
            "one-sided (%(p)s)."
        )
        raw = result.rows[0].raw
        words |= {
            "raw": show_raw(result.rows[0]),
            "edge": format_percent(float(raw > 0), 0),
        }
    cause = _("Perhaps reports were forged.")
    # No instruction makes a mean alone: the programs do that.
    if result.may_be_by_hand and not is_of_mean:
        cause = _(
            "Perhaps reports were forged, or respondents did not follow the "
            "instructions."
        )
    unheeded = _("The interval does not allow for that.")
    if len(result.rows) > 2:
        unheeded = _("The intervals do not allow for that.")
    return f"{found % words} {cause} {unheeded}"


def too_few(result: QuestionResult) -> str:
    """Say that the group is too small to tell much."""
    return ngettext(
        "Only %(count)s response. Below %(least)s the interval is very wide.",
        "Only %(count)s responses. Below %(least)s the interval is very wide.",
        result.respondents,
    ) % {"count": result.respondents, "least": MIN_RESPONDENTS}


def for_survey(results: SurveyResults) -> list[Caution]:
    """Return what to know about the whole survey's results."""
    survey, found = results.survey, []
    if survey.is_rehearsal:
        text = _(
            "Test answers: people who tried the draft, or a program, gave them. They "
            "are deleted before the survey opens."
        )
        return [Caution("warning", text)]
    if survey.is_simulated:
        found.append(
            Caution(
                "warning",
                _("Simulated answers. A program drew these responses."),
            )
        )
    elif survey.is_imported:
        text = _(
            "Imported: collected elsewhere. Whether answers were scrambled as the "
            "study says, and what else was kept, is unknown here."
        )
        found.append(Caution("note", text))
        if survey.merged_versions:
            found.append(make_version_caution(survey))
    elif survey.mode != survey.Mode.HAND and not survey.is_by_invitation:
        found.append(
            Caution(
                "note",
                _(
                    "Open link: one person may have answered more than once. One-time "
                    "links allow one response each."
                ),
            )
        )
    if survey.is_open:
        found.append(moving(survey, started=results.respondents > 0))
    if refused := sum(survey.unsealed.get("refused", {}).values()):
        text = ngettext(
            "The key holder refused %(count)s sealed report. It is not counted.",
            "The key holder refused %(count)s sealed reports. They are not counted.",
            refused,
        )
        found.append(Caution("note", text % {"count": format_integer(refused)}))
    return found


def make_version_caution(survey: Survey) -> Caution:
    """Say which versions were merged; nothing compared what their questions mean."""
    text = _(
        "These results add up versions of one survey: %(versions)s. The researchers "
        "state that their questions and answers are the same."
    )
    versions = describe_versions(survey.merged_versions)
    return Caution("note", text % {"versions": versions})


def moving(survey: Survey, *, started: bool) -> Caution:
    """Say in which steps the results of an open survey change."""
    if survey.step == 1:
        return Caution(
            "warning",
            for_researchers(
                "This survey is open, and each response changes its results: anyone "
                "who knows when a person answered sees that report. Use larger batches "
                "for real answers."
            ),
        )
    if started:
        size, text = (
            survey.batch_size,
            for_researchers(
                "This survey is open. Its results change in steps of at least "
                "%(size)s responses, so that no single report can be seen."
            ),
        )
    else:
        size, text = (
            first_shown(survey, 0),
            for_researchers(
                "This survey is open. The first results appear after %(size)s "
                "responses, so that no single report can be seen."
            ),
        )
    return Caution("note", text % {"size": format_integer(size)})
