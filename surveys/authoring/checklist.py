"""Check a survey before it is opened; each finding names the input to change."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from django.conf import settings
from django.utils.formats import date_format, number_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from candor.mechanisms import load_families
from surveys.kinds.labels import find_decline_answer
from surveys.markdown import render_plain_text
from surveys.models import Question, Survey
from surveys.models.epsilon import format_epsilon_limit, is_over_limit
from surveys.models.languages import get_languages
from surveys.models.panel import measure_epsilon
from surveys.numbers import (
    HALF_THE_SCALE,
    format_epsilon,
    format_integer,
    format_points,
)
from surveys.text.draws import describe_draws
from surveys.text.explanations import describe_closing, explain, get_total_protection
from surveys.text.paths import describe_paths
from surveys.text.tables import format_question_numbers


class Finding(Enum):
    """Only what is missing keeps a survey from being opened."""

    MISSING = "missing"
    ADVICE = "advice"
    GOOD = "good"


MOST_PATHS = 6
"""Which the checklist reports; the test of the draft lists all."""

TRANSLATIONS = "translations"
"""They have a page of their own."""

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
        """Name of the page where the input is."""
        is_own = self.place == TRANSLATIONS
        page = "surveys_survey_translations" if is_own else "surveys_survey_change"
        return f"admin:{page}"

    @property
    def query(self) -> str:
        """Query of the address that opens the question's card."""
        found = QUESTION_INPUT.match(self.place)
        return f"?question={int(found[1]) + 1}" if found else ""


@dataclass(frozen=True)
class Checklist:
    """The results of all checks, those that prevent opening first."""

    checks: tuple[Check, ...]

    def found(self, finding: Finding) -> list[Check]:
        return [check for check in self.checks if check.finding is finding]

    @property
    def missing(self) -> list[Check]:
        return self.found(Finding.MISSING)

    @property
    def advice(self) -> list[Check]:
        return self.found(Finding.ADVICE)

    @property
    def good(self) -> list[Check]:
        return self.found(Finding.GOOD)

    @property
    def allows_opening(self) -> bool:
        return not self.missing


def make_checklist(survey: Survey, *, margin: float | None = None) -> Checklist:
    """Return the results of all checks of a draft.

    `margin` is what to expect with the planned number, as a share, where it is known.

    What is missing is what `Survey.open` refuses, so that no survey is promised an
    opening that is then refused.
    """
    needed = [*check_requirements(survey)]
    refused = {each.place for each in needed if each.finding is Finding.MISSING}
    return Checklist(
        (
            *needed,
            *check_protection(survey),
            # Not once more in milder words.
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
    text = ngettext(
        "%s question, with its mechanism.",
        "%s questions, each with its mechanism.",
        count,
    )
    return text % count


def describe_organiser(survey: Survey) -> str:
    return _("Respondents read that %s runs it.") % survey.organiser


def describe_language(survey: Survey) -> str:
    language = dict(get_languages())[survey.language]
    return _("The pages around your questions are in %s.") % language


def describe_translations(survey: Survey) -> str | None:
    if not survey.other_languages:
        return None
    names = dict(get_languages())
    others = ", ".join(names[code] for code in survey.other_languages)
    return _("Respondents can also read everything in: %s.") % others


def describe_last_day(survey: Survey) -> str:
    if survey.closes_on is None:
        return _("None: the survey stays open until you close it.")
    day = date_format(survey.closes_on)
    return _("It closes by itself after %s.") % day


def describe_claims(survey: Survey) -> str:
    if not survey.claims:
        return _("None planned: results will be estimates, not tests.")
    text = ngettext(
        "%s is planned and will be tested.",
        "%s are planned and will be tested.",
        len(survey.claims),
    )
    return text % len(survey.claims)


def describe_pairs(survey: Survey) -> str:
    if not survey.pairs:
        return _("None planned: all results will be exploratory.")
    return survey.pinned_pairs


def describe_drawn_questions(survey: Survey) -> str:
    if not survey.draws:
        return _("None: everyone is asked every question.")
    lists = [
        number
        for number, question in enumerate(survey.questions.all(), start=1)
        if question.tick_list and survey.mode == Survey.Mode.BROWSER
    ]
    ticked = [group for group in survey.groups if group.questions[0] in lists]
    return " ".join(describe_draws(survey.groups, ticked=ticked))


def describe_epsilon(survey: Survey) -> str | None:
    """Return what respondents read of the total; within the limit, nothing."""
    numbers = survey.compose_reports()
    if numbers is None or not is_over_limit(numbers):
        return None
    text = _(
        "%(epsilon)s, above this site's limit of %(limit)s. Respondents read your "
        "reason: “%(reason)s”"
    )
    return text % {
        "epsilon": format_epsilon(numbers.ratio),
        "limit": format_epsilon_limit(),
        "reason": survey.epsilon_reason,
    }


def describe_panel(survey: Survey) -> str | None:
    ledger = survey.read_ledger()
    if ledger is None:
        return None
    return ledger.describe(measure_epsilon(survey.compose_reports()))


def describe_holder(survey: Survey) -> str | None:
    if not (holder := survey.holder):
        return None
    text = _(
        "Only %(holder)s can open reports, after closing. If the key is lost, all "
        "reports are lost. Ask %(holder)s to confirm the fingerprint: %(fingerprint)s."
    )
    return text % {"holder": holder.holder, "fingerprint": holder.fingerprint}


def describe_batch_size(survey: Survey) -> str:
    text = _(
        "Results move in steps of at least %(size)s responses and are shown from "
        "%(least)s responses on."
    )
    numbers = {"size": survey.batch_size, "least": settings.LEAST_RESPONSES}
    return text % {k: format_integer(v) for k, v in numbers.items()}


def describe_links(survey: Survey) -> str | None:
    if not survey.is_by_invitation:
        return None
    text = _("You make at least %s at once, after opening.")
    return text % format_integer(survey.least_links or 0)


def describe_intervals(survey: Survey) -> str:
    if not survey.planned_interval:
        return _("Not planned: results begin with Feldman-Cousins at 95 %.")
    chosen = [survey.get_pinned_level_display(), survey.get_pinned_method_display()]
    return ", ".join(filter(None, chosen))


NEEDED = {
    "questions": (gettext_lazy("Questions"), "questions-group", describe_questions),
    "title": (gettext_lazy("Title"), "id_title", lambda survey: None),
    "organiser": (gettext_lazy("Who runs it"), "id_organiser", describe_organiser),
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
    "language": (gettext_lazy("Language"), "id_language", describe_language),
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
        describe_claims,
    ),
    "pinned_pairs": (
        gettext_lazy("Planned comparisons"),
        "id_pinned_pairs",
        describe_pairs,
    ),
    "pinned_method": (
        gettext_lazy("Planned intervals"),
        "id_pinned_method",
        describe_intervals,
    ),
}
"""Name and input of all that may keep a survey closed, and what is said otherwise."""

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
        message = _("Epsilon is %(epsilon)s in total. %(rest)s")
        text = message % {"epsilon": protection.epsilon, "rest": text}
    yield Check(_("Protection"), finding, text, "questions-group")


def check_proofs(survey: Survey) -> Iterator[Check]:
    for number, question in enumerate(survey.questions.all(), start=1):
        explanation = explain(question)
        for text in explanation.words.proofs if explanation else []:
            place = f"id_questions-{number - 1}-family"
            yield Check(_("Question %s") % number, Finding.ADVICE, text, place)


def can_be_skipped(question: Question) -> bool:
    family = load_families().get(question.family)
    if family and family.without_skip:
        return True
    labels = [choice.label for choice in question.choices.all()]
    return find_decline_answer(labels, question.survey.language) is not None


def check_skipping(survey: Survey) -> Iterator[Check]:
    """Yield which questions respondents cannot skip; by hand a mechanism is fixed."""
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
            "Respondents cannot skip %s. Ethics committees often ask for “Prefer not "
            "to answer”."
        ) % format_question_numbers(numbers)
    else:
        finding = Finding.GOOD
        text = _("Respondents can skip every question: “Prefer not to answer”.")
    yield Check(_("Skipping"), finding, text, "questions-group")


def check_paths(survey: Survey) -> Iterator[Check]:
    """Yield how answers lead through the questions of a survey that may be opened."""
    if not (paths := describe_paths(survey)):
        return
    sentences = paths[:MOST_PATHS]
    if len(paths) > MOST_PATHS:
        more = len(paths) - MOST_PATHS
        sentences.append(ngettext("And %s more.", "And %s more.", more) % more)
    text = " ".join(sentences)
    yield Check(_("Paths"), Finding.GOOD, text, "questions-group")


def check_planned_number(survey: Survey, margin: float | None) -> Check:
    name, place = _("Planned number"), "id_target"
    if survey.target is None:
        text = _("None: the precision of the results is unknown.")
        return Check(name, Finding.ADVICE, text, place)
    planned = format_integer(survey.target)
    sentences = [ngettext("%s response.", "%s responses.", survey.target) % planned]
    if survey.closes_at_target:
        is_whole = survey.closes_at() == survey.target
        sentences.append(
            _("The survey closes at this number.")
            if is_whole
            else describe_closing(survey)
        )
    wanted, finding = survey.wanted_margin, Finding.GOOD
    if survey.target < settings.LEAST_RESPONSES:
        finding = Finding.ADVICE
        message = _("Results are shown from %s responses on.")
        sentences.append(message % format_integer(settings.LEAST_RESPONSES))
    if margin is not None and margin >= HALF_THE_SCALE:
        finding = Finding.ADVICE
        sentences.append(
            _("The least precise question will be too imprecise to interpret.")
        )
    elif margin is not None:
        message = _("The least precise question will be known to ± %s points.")
        sentences.append(message % format_points(margin, decimals=1))
    if wanted is not None:
        message = _("Wanted margin of error: ± %s points.")
        sentences.append(message % number_format(wanted.normalize()))
    if margin is not None and wanted is not None and margin * 100 > wanted:
        finding = Finding.ADVICE
        sentences.append(_("That takes more respondents or a weaker mechanism."))
    return Check(name, finding, " ".join(sentences), place)


def check_mode(survey: Survey) -> Check:
    finding, text = {
        Survey.Mode.BROWSER: (
            Finding.GOOD,
            _(
                "In the respondent's browser: this server never sees a real answer "
                "to a scrambled question. Requires JavaScript."
            ),
        ),
        Survey.Mode.SERVER: (
            Finding.ADVICE,
            _(
                "On this server, which sees each answer for an instant. Respondents "
                "read that. Prefer the browser unless many have no JavaScript."
            ),
        ),
        Survey.Mode.HAND: (
            Finding.ADVICE,
            _(
                "By hand: respondents need what the instructions name, such as a "
                "coin, and more time. Print the card for them."
            ),
        ),
    }[Survey.Mode(survey.mode)]
    return Check(_("Where answers are scrambled"), finding, text, "id_mode_0")


def check_access(survey: Survey) -> Check:
    if survey.is_by_invitation:
        finding = Finding.GOOD
        text = _("One response per one-time link.")
    else:
        finding = Finding.ADVICE
        text = _(
            "Anyone with the link, any number of times. One-time links allow one "
            "response each."
        )
    return Check(_("Who may answer"), finding, text, "id_access_0")


TEXTS = (
    (
        "contact",
        gettext_lazy("Contact"),
        gettext_lazy("No contact for respondents."),
    ),
    (
        "purpose",
        gettext_lazy("Introduction"),
        gettext_lazy("No reason for asking."),
    ),
    (
        "consent",
        gettext_lazy("Consent"),
        gettext_lazy("Respondents agree only to what Candor promises."),
    ),
    (
        "ethics_reference",
        gettext_lazy("Ethics approval"),
        gettext_lazy("No ethics committee is named. Journals ask for one."),
    ),
    (
        "results_note",
        gettext_lazy("Where results will appear"),
        gettext_lazy("No address for the results."),
    ),
)
"""Texts that respondents read, and the advice if one is missing."""

HELPLINE = ("helpline", gettext_lazy("Helpline"), "")
"""Checked only where there is one."""

BLANK = re.compile(r"\[[^\[\]\n]+\](?!\()")
"""What a suggested text or a study leaves to be filled in; no link of Markdown."""

LONGEST_QUOTED = 80


def check_texts(survey: Survey) -> Iterator[Check]:
    shown = [*TEXTS, HELPLINE] if survey.helpline else TEXTS
    for field, name, missing in shown:
        typed = getattr(survey, field)
        written = " ".join(render_plain_text(typed).split())
        is_complete = bool(written) and not BLANK.search(typed)
        finding = Finding.GOOD if is_complete else Finding.ADVICE
        text = shorten(written) if is_complete else str(missing)
        if blank := BLANK.search(typed):
            text = _("Fill in what is in brackets: %s") % blank[0]
        yield Check(str(name), finding, text, f"id_{field}")


def shorten(text: str) -> str:
    if len(text) <= LONGEST_QUOTED:
        return text
    return text[: LONGEST_QUOTED - 1].rstrip() + "…"
