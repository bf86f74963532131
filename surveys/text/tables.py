"""Describe tables in plain language: chances, and what a report gives away."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from candor.mechanisms import Mechanism
from candor.mechanisms.odds import (
    Exposure,
    Odds,
    classify_exposure,
    find_largest_shift,
    find_most_revealing_report,
    tabulate_odds,
)
from candor.mechanisms.scale import Scale
from candor.mechanisms.table import find_truth_and_other
from surveys.design import DesignQuestion
from surveys.lists import join_texts
from surveys.models.draws import format_runs
from surveys.numbers import format_epsilon, format_integer

REPORT_NAMES = {
    "same": gettext_noop("Same"),
    "different": gettext_noop("Different"),
    "red": gettext_noop("Red"),
    "black": gettext_noop("Black"),
    "either": gettext_noop("Either"),
    "neither": gettext_noop("Neither"),
    "high": gettext_noop("High"),
    "low": gettext_noop("Low"),
}

MAX_NAMED = 3
"""Maximum number of answers that sentences name; with more, they omit the names."""

HINTS = {
    Exposure.WEAK_HINT: gettext_noop("a weak hint, never proof"),
    Exposure.HINT: gettext_noop("a hint, never proof"),
    Exposure.STRONG_HINT: gettext_noop("a strong hint, never proof"),
}

CONCLUSIONS = {
    Exposure.NEAR_PROOF: gettext_noop(
        "What we receive about you can come close to proof."
    ),
    Exposure.SOMETIMES_SHOWN: gettext_noop(
        "This is only partly protected: some scrambled answers show the real one."
    ),
    Exposure.NEARLY_SHOWN: gettext_noop(
        "What we receive about you is nearly your answer."
    ),
    Exposure.RARE_EXCEPTIONS: gettext_noop(
        "What we receive about you is your answer, with rare exceptions."
    ),
    Exposure.SHOWN: gettext_noop("This is not protected: we receive your real answer."),
}


REPORT_IN_FILE = "report: {}"
"""Label of a randomised report in files, which are in English for all users."""


def label_reports_in_files(
    mechanism: Mechanism, choices: Sequence[str]
) -> tuple[str, ...]:
    """Return labels of the reports in files: a randomised one must not look true."""
    labels = label_reports(mechanism, choices)
    if not mechanism.is_scrambled:
        return labels
    return tuple(REPORT_IN_FILE.format(label) for label in labels)


def label_reports(mechanism: Mechanism, choices: Sequence[str]) -> tuple[str, ...]:
    """Return labels of the reports: the choices, if the reports are answers."""
    if mechanism.reports == mechanism.answers:
        return tuple(choices)
    named = [
        _(REPORT_NAMES[name]) if name in REPORT_NAMES else name.capitalize()
        for name in mechanism.reports
    ]
    # High, Low, and the skip answer.
    return (*named[:-1], choices[-1]) if mechanism.can_be_skipped else tuple(named)


def format_question_numbers(numbers: Sequence[int]) -> str:
    """Return "question 4" or "questions 1-3 and 6", with a long dash."""
    listed = join_texts(format_runs(numbers, "\N{EN DASH}"), _("and"))
    return ngettext("question %s", "questions %s", len(numbers)) % listed


@dataclass(frozen=True)
class TableDescription:
    """One table with its labels, and the numbers of the questions that use it."""

    numbers: tuple[int, ...]
    mechanism: Mechanism
    choices: tuple[str, ...]
    scale: Scale | None = None

    @cached_property
    def odds(self) -> Odds:
        return tabulate_odds(self.mechanism.weights)

    @cached_property
    def exposure(self) -> Exposure:
        return classify_exposure(self.mechanism.weights)

    @property
    def labels(self) -> tuple[str, ...]:
        return label_reports(self.mechanism, self.choices)

    @property
    def title(self) -> str:
        named = format_question_numbers(self.numbers)
        return named[:1].upper() + named[1:]

    @property
    def sentences(self) -> list[str]:
        if len(self.choices) > MAX_NAMED and self.is_symmetric:
            return [self.sentence_for_all_answers]
        sentences = [self.sentence(answer) for answer in self.described_answers]
        if len(sentences) < len(self.choices):
            sentences.append(_("Answers in between lie in between."))
        return sentences

    @property
    def described_answers(self) -> list[int]:
        """Answers with a sentence: no inner points of a scale that has only a mean."""
        answers = [*range(len(self.choices))]
        if self.mechanism.identifies_shares:
            return answers
        last = self.mechanism.points - 1
        return [each for each in answers if each == 0 or each >= last]

    @property
    def proofs(self) -> list[str]:
        """Sentences about reports that prove the answer, if other reports do not."""
        proofs, answers = self.mechanism.proofs, self.mechanism.answers
        text = _(
            "“%(report)s” is proof: it comes only from people whose answer is "
            "%(answer)s."
        )
        return [
            text % {"report": label, "answer": self.choices[answers.index(answer)]}
            for report, label in zip(self.mechanism.reports, self.labels, strict=True)
            if (answer := proofs.get(report))
        ]

    def sentence(self, answer: int) -> str:
        base, choice = format_integer(self.odds.base), self.choices[answer]
        counts = self.odds.counts[answer]
        (first, label), *others = [
            (count, label)
            for count, label in zip(counts, self.labels, strict=True)
            if count
        ]
        if not others:
            return _(
                "Of %(base)s people whose answer is %(answer)s, all arrive as "
                "%(report)s."
            ) % {"base": base, "answer": choice, "report": label}
        if len(counts) > 2 and self.is_symmetric:
            # A list of the other reports' names would not be read.
            first, label = counts[answer], self.labels[answer]
            others = []
        arrival = _("%(count)s arrive as %(report)s")
        further = _("%(count)s as %(report)s")
        shares = [arrival % {"count": format_integer(first), "report": label}]
        shares += [
            further % {"count": format_integer(count), "report": label}
            for count, label in others
        ]
        text = _("Of %(base)s people whose answer is %(answer)s, about %(shares)s.") % {
            "base": base,
            "answer": choice,
            "shares": join_texts(shares, _("and")),
        }
        return text if others else f"{text} {self.describe_other_reports(answer)}"

    @property
    def is_symmetric(self) -> bool:
        """Whether true reports have one chance, and all others one smaller chance."""
        truth, other = find_truth_and_other(self.mechanism.weights) or (0, 0)
        return truth > other

    @property
    def sentence_for_all_answers(self) -> str:
        return _(
            "Of %(base)s people with the same answer, about %(count)s arrive as that "
            "answer. %(others)s This is so for every answer."
        ) % {
            "base": format_integer(self.odds.base),
            "count": format_integer(self.odds.counts[0][0]),
            "others": self.describe_other_reports(0),
        }

    def describe_other_reports(self, answer: int) -> str:
        """Describe how many arrive as other reports; equal odds must look equal."""
        counts = self.odds.counts[answer]
        others = [*counts[:answer], *counts[answer + 1 :]]
        if len(set(others)) == 1:
            each = format_integer(others[0])
            return _("About %s arrive as each of the others.") % each
        rest = format_integer(sum(others))
        return _("The other %s spread evenly over the other answers.") % rest

    @property
    def conclusion(self) -> str:
        if self.exposure in HINTS:
            hint = _(HINTS[self.exposure])
            return " ".join([_("So one scrambled answer is %s.") % hint, *self.proofs])
        return " ".join([_(CONCLUSIONS[self.exposure]), *self.proofs])

    @property
    def reassurance(self) -> str:
        """Reassurance at a question: no report proves an answer."""
        if not self.exposure.is_hint:
            return self.conclusion
        return f"{self.same_protection} {self.meaning}".lstrip()

    @property
    def revealing_report(self) -> str:
        """The report that is the strongest evidence of the first answer.

        If Yes seldom arrives as Yes, the most probable report of a Yes is No, which is
        no reason to worry.
        """
        return self.labels[find_most_revealing_report(0, self.mechanism.weights)]

    @property
    def meaning(self) -> str:
        # Not "you said Yes": by hand, exactly what was entered arrives.
        return _(
            "“%(report)s” on our side does not mean your real answer is %(first)s."
        ) % {"first": self.choices[0], "report": self.revealing_report}

    @property
    def same_protection(self) -> str:
        weights = self.mechanism.weights
        if (
            len(
                {
                    find_largest_shift(answer, weights)
                    for answer in self.described_answers
                }
            )
            > 1
        ):
            return ""
        if len(self.choices) > MAX_NAMED:
            return _("Whatever you say, the same protection applies.")
        named = join_texts(list(self.choices), _("or"))
        return _("Whether you say %s, the same protection applies.") % named

    @property
    def epsilon(self) -> str:
        return format_epsilon(self.mechanism.worst_ratio)


def describe_tables(questions: Sequence[DesignQuestion]) -> list[TableDescription]:
    numbers: dict[tuple[object, ...], list[int]] = {}
    for number, question in enumerate(questions, start=1):
        mechanism = question.mechanism
        key = (mechanism.weights, mechanism.reports, question.choices)
        numbers.setdefault(key, []).append(number)
    return [
        TableDescription(
            numbers=tuple(group),
            mechanism=questions[group[0] - 1].mechanism,
            choices=questions[group[0] - 1].choices,
        )
        for group in numbers.values()
    ]
