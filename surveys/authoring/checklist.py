"""Check a survey before it is opened; each finding names the input to change."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum
from operator import attrgetter

from django.conf import settings
from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from candor.mechanisms import load_families
from surveys.kinds.labels import find_decline_answer
from surveys.markdown import render_plain_text
from surveys.models import Question, Survey
from surveys.models.epsilon import describe_excess, is_over_limit
from surveys.models.languages import get_languages
from surveys.models.panel import measure_epsilon
from surveys.numbers import (
    HALF_THE_SCALE,
    format_integer,
    format_margin,
    format_responses,
)
from surveys.text.draws import describe_draws
from surveys.text.explanations import describe_closing, explain, get_total_protection
from surveys.text.paths import describe_paths
from surveys.text.tables import format_question_numbers


class Finding(Enum):
    """The result of a check; only MISSING prevents opening."""

    MISSING = "missing"
    ADVICE = "advice"
    GOOD = "good"


MAX_PATHS = 6
"""Maximum number of paths in the checklist; the test of the draft lists all."""

TRANSLATIONS = "translations"
"""Place of the check of translations, which have a page of their own."""

QUESTION_INPUT = re.compile(r"id_questions-(\d+)-")


@dataclass(frozen=True)
class Check:
    name: str
    finding: Finding
    text: str
    place: str
    """Id of the input on the form of the survey."""

    @property
    def page(self) -> str:
        is_own = self.place == TRANSLATIONS
        page = "surveys_survey_translations" if is_own else "surveys_survey_change"
        return f"admin:{page}"

    @property
    def query(self) -> str:
        found = QUESTION_INPUT.match(self.place)
        return f"?question={int(found[1]) + 1}" if found else ""


@dataclass(frozen=True)
class Checklist:
    """The results of all checks, those that prevent opening first."""

    checks: tuple[Check, ...]

    def select(self, finding: Finding) -> list[Check]:
        return [check for check in self.checks if check.finding is finding]

    @property
    def missing(self) -> list[Check]:
        return self.select(Finding.MISSING)

    @property
    def advice(self) -> list[Check]:
        return self.select(Finding.ADVICE)

    @property
    def good(self) -> list[Check]:
        return self.select(Finding.GOOD)

    @property
    def allows_opening(self) -> bool:
        return not self.missing


def make_checklist(survey: Survey, *, margin: float | None = None) -> Checklist:
    """Return the results of all checks of a draft.

    Findings are MISSING where `Survey.open` would refuse. `margin` is the margin of
    error to expect with the planned number, as a share.
    """
    needed = [*check_requirements(survey)]
    refused = {each.place for each in needed if each.finding is Finding.MISSING}
    return Checklist(
        (
            *needed,
            *check_protection(survey),
            # Not where a problem is reported already.
            *(each for each in check_proofs(survey) if each.place not in refused),
            *check_skipping(survey),
            *(check_paths(survey) if not refused else ()),
            check_planned_number(survey, margin),
            check_mode(survey),
            check_access(survey),
            *check_texts(survey),
        )
    )


def describe_questions(survey: Survey) -> str:
    count = survey.questions.count()
    text = ngettext("%(count)s question", "%(count)s questions", count)
    return text % {"count": count}


def describe_translations(survey: Survey) -> str:
    names = dict(get_languages())
    return ", ".join(names[code] for code in survey.other_languages)


def describe_last_day(survey: Survey) -> str:
    if survey.closes_on is None:
        return _("None: you close the survey.")
    return date_format(survey.closes_on)


def describe_drawn_questions(survey: Survey) -> str:
    lists = [
        number
        for number, question in enumerate(survey.questions.all(), start=1)
        if question.tick_list and survey.mode == Survey.Mode.BROWSER
    ]
    ticked = [group for group in survey.groups if group.questions[0] in lists]
    return " ".join(describe_draws(survey.groups, ticked=ticked)) or _("None")


def describe_epsilon(survey: Survey) -> str | None:
    numbers = survey.compose_reports()
    if numbers is None or not is_over_limit(numbers):
        return None
    return f"{describe_excess(numbers)} “{survey.epsilon_reason}”"


def describe_panel(survey: Survey) -> str | None:
    ledger = survey.read_ledger()
    if ledger is None:
        return None
    return ledger.describe(measure_epsilon(survey.compose_reports()))


def describe_holder(survey: Survey) -> str | None:
    if not (holder := survey.holder):
        return None
    text = _(
        "Ask %(holder)s to confirm the fingerprint: %(fingerprint)s. If the key is "
        "lost, all reports are lost."
    )
    return text % {"holder": holder.holder, "fingerprint": holder.fingerprint}


def describe_batch_size(survey: Survey) -> str:
    return f"{format_responses(survey.batch_size)}. {describe_threshold()}"


def describe_threshold() -> str:
    text = _("Results are shown from %s responses on.")
    return text % format_integer(settings.LEAST_RESPONSES)


def describe_links(survey: Survey) -> str | None:
    return format_integer(survey.least_links or 0) if survey.is_by_invitation else None


def describe_intervals(survey: Survey) -> str:
    chosen = [survey.get_pinned_level_display(), survey.get_pinned_method_display()]
    return ", ".join(filter(None, chosen)) or _("Not planned")


NEEDED: dict[str, tuple[Promise, str, Callable[[Survey], str | None]]] = {
    "questions": (gettext_lazy("Questions"), "questions-group", describe_questions),
    "title": (gettext_lazy("Title"), "id_title", lambda survey: None),
    "organiser": (gettext_lazy("Who runs it"), "id_organiser", attrgetter("organiser")),
    "draws": (
        gettext_lazy("Questions to draw from"),
        "id_draws",
        describe_drawn_questions,
    ),
    "epsilon_reason": (
        gettext_lazy("Total epsilon"),
        "id_epsilon_reason",
        describe_epsilon,
    ),
    "panel": (
        gettext_lazy("Same people in several surveys"),
        "id_panel",
        describe_panel,
    ),
    "holder_key": (
        gettext_lazy("Sealed until closing"),
        "id_holder_key",
        describe_holder,
    ),
    "language": (
        gettext_lazy("Language"),
        "id_language",
        lambda survey: dict(get_languages())[survey.language],
    ),
    TRANSLATIONS: (
        gettext_lazy("Translations"),
        TRANSLATIONS,
        describe_translations,
    ),
    "batch_size": (gettext_lazy("Batch size"), "id_batch_size", describe_batch_size),
    "least_links": (gettext_lazy("One-time links"), "id_least_links", describe_links),
    "closes_on": (gettext_lazy("Last day"), "id_closes_on", describe_last_day),
    "shares_to_beat": (
        gettext_lazy("Shares to beat"),
        "id_shares_to_beat",
        lambda survey: survey.shares_to_beat or _("None"),
    ),
    "pinned_pairs": (
        gettext_lazy("Planned comparisons"),
        "id_pinned_pairs",
        lambda survey: survey.pinned_pairs or _("None"),
    ),
    "pinned_method": (
        gettext_lazy("Planned intervals"),
        "id_pinned_method",
        describe_intervals,
    ),
}
"""By field that may prevent opening: name, input, and the text without a problem."""

ADVICE = {"epsilon_reason", "holder_key", "panel"}
"""Worth reading before opening, although nothing is wrong."""


def check_requirements(survey: Survey) -> Iterator[Check]:
    wrong = set()
    for problem in survey.find_problems():
        field = "questions" if problem.question else problem.field
        wrong.add(field)
        if problem.question:
            name = _("Question %s") % problem.question
            place = f"id_questions-{problem.question - 1}-{problem.field}"
        else:
            name, place = str(NEEDED[field][0]), NEEDED[field][1]
        yield Check(name, Finding.MISSING, problem.text, place)
    for field, (label, place, about) in NEEDED.items():
        if field not in wrong and (text := about(survey)):
            is_open_ended = field == "closes_on" and survey.closes_on is None
            is_advice = is_open_ended or field in ADVICE
            finding = Finding.ADVICE if is_advice else Finding.GOOD
            yield Check(str(label), finding, text, place)


def check_protection(survey: Survey) -> Iterator[Check]:
    protection = get_total_protection(survey)
    if protection is None:
        return
    finding = Finding.GOOD if protection.is_good else Finding.ADVICE
    text = f"{protection.title} {protection.sentence}"
    if not (protection.is_infinite or protection.numbers.unscrambled):
        total = _("Total epsilon %(epsilon)s.") % {"epsilon": protection.epsilon}
        text = f"{total} {text}"
    yield Check(_("Protection"), finding, text, "questions-group")


def check_proofs(survey: Survey) -> Iterator[Check]:
    for number, question in enumerate(survey.questions.all(), start=1):
        explanation = explain(question)
        for text in explanation.table.proofs if explanation else []:
            place = f"id_questions-{number - 1}-family"
            yield Check(_("Question %s") % number, Finding.ADVICE, text, place)


def can_be_skipped(question: Question) -> bool:
    family = load_families().get(question.family)
    if family and family.without_skip:
        return True
    labels = [choice.label for choice in question.choices.all()]
    return find_decline_answer(labels, question.survey.language) is not None


def check_skipping(survey: Survey) -> Iterator[Check]:
    """Yield the check of skipping; none by hand, where the mechanism is on paper."""
    if survey.mode == Survey.Mode.HAND:
        return
    numbers = [
        number
        for number, question in enumerate(survey.questions.all(), start=1)
        if not can_be_skipped(question)
    ]
    if numbers:
        finding = Finding.ADVICE
        text = _(
            "Respondents cannot skip %s. Ethics committees often object."
        ) % format_question_numbers(numbers)
    else:
        finding = Finding.GOOD
        text = _("Respondents can skip every question.")
    yield Check(_("Skipping"), finding, text, "questions-group")


def check_paths(survey: Survey) -> Iterator[Check]:
    if not (paths := describe_paths(survey)):
        return
    sentences = paths[:MAX_PATHS]
    if len(paths) > MAX_PATHS:
        more = len(paths) - MAX_PATHS
        sentences.append(_("And %s more.") % more)
    text = " ".join(sentences)
    yield Check(_("Paths"), Finding.GOOD, text, "questions-group")


def check_planned_number(survey: Survey, margin: float | None) -> Check:
    name, place = _("Planned number"), "id_target"
    if survey.target is None:
        text = _("Not planned")
        return Check(name, Finding.ADVICE, text, place)
    sentences = [describe_closing(survey) or f"{format_responses(survey.target)}."]
    wanted, finding = survey.wanted_margin, Finding.GOOD
    if survey.target < settings.LEAST_RESPONSES:
        finding = Finding.ADVICE
        sentences.append(describe_threshold())
    if margin is not None and margin >= HALF_THE_SCALE:
        finding = Finding.ADVICE
        sentences.append(_("Expect results too imprecise to interpret."))
    elif margin is not None:
        message = _("Least precise question: %s.")
        sentences.append(message % format_margin(margin))
    if wanted is not None:
        message = _("Wanted: %s.")
        sentences.append(message % format_margin(float(wanted) / 100, trimmed=True))
    if margin is not None and wanted is not None and margin * 100 > wanted:
        finding = Finding.ADVICE
        sentences.append(_("That takes more respondents or a weaker mechanism."))
    return Check(name, finding, " ".join(sentences), place)


def check_mode(survey: Survey) -> Check:
    finding, text = {
        Survey.Mode.BROWSER: (
            Finding.GOOD,
            _("In the respondent's browser, which needs JavaScript."),
        ),
        Survey.Mode.SERVER: (
            Finding.ADVICE,
            _("On this server, which sees each answer for an instant."),
        ),
        Survey.Mode.HAND: (
            Finding.ADVICE,
            _("By hand: print the card for respondents."),
        ),
    }[Survey.Mode(survey.mode)]
    return Check(_("Where answers are scrambled"), finding, text, "id_mode_0")


def check_access(survey: Survey) -> Check:
    if survey.is_by_invitation:
        finding, text = Finding.GOOD, survey.get_access_display()
    else:
        finding = Finding.ADVICE
        text = _("Anyone with the link, any number of times.")
    return Check(_("Who may answer"), finding, text, "id_access_0")


TEXTS = {
    "contact": gettext_lazy("Contact"),
    "purpose": gettext_lazy("Introduction"),
    "consent": gettext_lazy("Consent"),
    "ethics_reference": gettext_lazy("Ethics approval"),
    "results_note": gettext_lazy("Where results will appear"),
    "helpline": gettext_lazy("Helpline"),
}

BLANK = re.compile(r"\[[^\[\]\n]+\](?!\()")
"""A placeholder of a suggested text or a study, but not a Markdown link."""

MAX_QUOTED_LENGTH = 80


def check_texts(survey: Survey) -> Iterator[Check]:
    for field, name in TEXTS.items():
        typed = getattr(survey, field)
        if field == "helpline" and not typed:
            continue
        written = " ".join(render_plain_text(typed).split())
        is_complete = bool(written) and not BLANK.search(typed)
        finding = Finding.GOOD if is_complete else Finding.ADVICE
        text = shorten(written) if is_complete else _("Missing")
        if blank := BLANK.search(typed):
            text = _("Fill in what is in brackets: %s") % blank[0]
        yield Check(str(name), finding, text, f"id_{field}")


def shorten(text: str) -> str:
    if len(text) <= MAX_QUOTED_LENGTH:
        return text
    return text[: MAX_QUOTED_LENGTH - 1].rstrip() + "…"
