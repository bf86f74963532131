"""Cautions about a result, and their order."""

from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext as for_researchers

from estimation.presentation.figures import show_estimate, show_value
from estimation.presentation.sentences import list_report_labels, proofs
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

MIN_SHOWN = 0.0001


class Caution(NamedTuple):
    """A severity ("note", "warning" or "danger") and a text."""

    level: str
    text: str


def for_question(result: QuestionResult, *, is_marked: bool = False) -> list[Caution]:
    """Return the cautions about a question.

    `is_marked` is whether the page marks direct questions in another way.
    """
    found = []
    if not result.mechanism.is_scrambled:
        text = _(
            "Not protected: this question's answers are stored as they were given. "
            "Epsilon has no bound."
        )
        if not is_marked:
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
        # A misfit rules out chance, which cautions on raw estimates give as a cause.
        found.append(Caution("danger", explain_misfit(result)))
    elif result.mean and not result.mean.is_possible:
        found.append(Caution("warning", explain_mean_outside(result.mean)))
    elif result.rows and min(row.raw for row in result.rows) < 0:
        texts = [explain_shares_outside(result)]
        if result.noisy:
            texts.append(_("The noise on the numbers of people can do this too."))
        found.append(Caution("warning", " ".join(texts)))
    if result.fits_design and (text := explain_declined(result)):
        found.append(Caution("note", text))
    if result.is_of_few:
        text = _("Below %s responses the interval is very wide.") % MIN_RESPONDENTS
        found.append(Caution("warning", text))
    return found


def make_misfit_caution(*about: str) -> Caution:
    text = for_researchers(
        "The reports do not fit the design: %s. Results that use them are unreliable."
    )
    names = ", ".join(_("“%s”") % each for each in about)
    return Caution("danger", text % names)


def named_reports(result: QuestionResult) -> str:
    if result.mechanism.reports == result.mechanism.answers:
        return ""
    names = [_("“%s”") % label for label in list_report_labels(result)]
    text = _("Scrambled answers to this question are called %s.")
    return text % join_texts(names, _("and"))


def explain_shares_outside(result: QuestionResult) -> str:
    """Explain raw estimates below 0 or above 1.

    They sum to 1, so an estimate above 1 implies one below 0.
    """
    below = [_("“%s”") % row.label for row in result.rows if row.raw < 0]
    return _(
        "Raw estimates below %(zero)s: %(answers)s. The true share is close to "
        "%(zero)s, or the survey is too small for this much scrambling."
    ) % {"answers": join_texts(below, _("and")), "zero": format_percent(0.0, 0)}


def explain_mean_outside(mean: Row) -> str:
    edge = mean.range[mean.part(mean.raw) > 0]
    return _(
        "The raw mean lies beyond %(edge)s: the true mean is close to it, or the "
        "survey is too small for this much scrambling."
    ) % {"edge": format_scale_value(edge)}


def explain_declined(result: QuestionResult) -> str:
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


def explain_misfit(result: QuestionResult) -> str:
    found = _(
        "The reports do not fit the design: whatever the true answers, fewer than 1 in "
        "100 surveys would have such reports (%s)."
    )
    p = format_p_value(result.design_fit, smallest=MIN_SHOWN, digits=".1g")
    cause = _("Perhaps reports were forged.")
    # Reports that identify a mean alone are not made by hand.
    if result.may_be_by_hand and result.rows:
        cause = _(
            "Perhaps reports were forged, or respondents did not follow the "
            "instructions."
        )
    unheeded = _("The intervals do not allow for that.")
    return f"{found % p} {cause} {unheeded}"


def for_survey(results: SurveyResults, *, is_marked: bool = False) -> list[Caution]:
    """Return the cautions about a survey.

    `is_marked` is whether a badge of the page marks simulated answers.
    """
    survey, found = results.survey, []
    if survey.is_rehearsal:
        text = _("Test answers: they are deleted before the survey opens.")
        return [Caution("warning", text)]
    if survey.is_simulated:
        if not is_marked:
            found.append(Caution("warning", _("Simulated answers")))
    elif survey.is_imported:
        text = _(
            "Imported: how answers were scrambled, and what else was kept, cannot be "
            "verified here."
        )
        found.append(Caution("note", text))
        if survey.merged_versions:
            found.append(make_version_caution(survey))
    elif survey.mode != survey.Mode.HAND and not survey.is_by_invitation:
        text = _("Open link: one person may have answered more than once.")
        found.append(Caution("note", text))
    if survey.is_open:
        found.append(make_moving_caution(survey, started=results.respondents > 0))
    if refused := sum(survey.unsealed.get("refused", {}).values()):
        text = _("Sealed reports refused by the key holder, and not counted: %s.")
        found.append(Caution("note", text % format_integer(refused)))
    return found


def make_version_caution(survey: Survey) -> Caution:
    text = _(
        "Merged versions of one survey: %s. The researchers state that their questions "
        "and answers are the same."
    )
    return Caution("note", text % describe_versions(survey.merged_versions))


def make_moving_caution(survey: Survey, *, started: bool) -> Caution:
    if survey.step == 1:
        return Caution(
            "warning",
            for_researchers(
                "Each response changes the results: anyone who knows when a person "
                "answered sees that report. Use larger batches for real answers."
            ),
        )
    if not started:
        text = for_researchers("Results are shown from %(least)s responses on")
        least = format_integer(first_shown(survey, 0))
        return Caution("note", f"{text % {'least': least}}.")
    text = for_researchers(
        "Results change in steps of at least %s responses, so that no single report "
        "can be seen."
    )
    return Caution("note", text % format_integer(survey.batch_size))
