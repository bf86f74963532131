"""A methods section, generated from the design and its results."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from django.utils.text import capfirst, get_text_list

from candor.keys.opened import REASONS
from candor.mechanisms import load_families
from candor.mechanisms.draws import DrawnGroup
from candor.mechanisms.epsilon import epsilon_rounded_up
from estimation.presentation.methods import METHODS
from estimation.presentation.sentences import describe_mechanism, interval_name, proofs
from estimation.presentation.survey import SurveyPanel
from estimation.rows.assumptions import Supposed
from estimation.rows.row import Kind
from estimation.rows.shares import QuestionResult, SurveyResults
from surveys.design import Design
from surveys.merged_versions import describe_versions
from surveys.numbers import format_integer
from surveys.text.tables import format_question_numbers
from surveys.version import get_software_version

PLACES = ("journal", "booktitle", "publisher", "volume", "number", "pages")

ENTRY = re.compile(r"@\w+\{(?P<key>\w+),\n(?P<fields>.*?)\n\}", re.DOTALL)
FIELD = re.compile(r"^  (\w+) = \{+(.*?)\}+,$", re.MULTILINE)


@dataclass(frozen=True)
class Reference:
    key: str
    bibtex: str
    fields: Mapping[str, str] = field(hash=False)

    @property
    def authors(self) -> list[str]:
        return self.fields["author"].split(" and ")

    @property
    def cited(self) -> str:
        """Citation in a text, such as "Blair, Imai & Zhou 2015"."""
        names = [author.partition(",")[0] for author in self.authors]
        return f"{listed(names)} {self.fields['year']}"

    @property
    def text(self) -> str:
        places = [self.fields[name] for name in PLACES if name in self.fields]
        return (
            f"{listed(self.authors)} ({self.fields['year']}). {self.fields['title']}. "
            f"{', '.join(places)}."
        )


def listed(names: list[str]) -> str:
    *others, last = names
    return " & ".join([", ".join(others), last] if others else [last])


def read_references(bibtex: str) -> list[Reference]:
    return [
        Reference(entry["key"], entry[0], dict(FIELD.findall(entry["fields"])))
        for entry in ENTRY.finditer(bibtex)
    ]


REFERENCES = read_references(
    Path(__file__).with_name("references.bib").read_text("utf-8")
)


WHERE = {
    "browser": "in the respondent's browser before it was sent, so that neither the "
    "researchers nor the server received more than the report",
    "server": "on the server, in memory, before it was stored, so that no more than "
    "the report was stored",
    "hand": "by the respondents themselves before they reported it, so that no more "
    "than the report was received",
}

ELSEWHERE = "before it was received, as the description of the study says"
"""The same for an imported study, whose collection this server did not see."""

LOCAL = "(local differential privacy, by randomised response)"

STORED = (
    "Only the number of respondents with each combination of reports was stored, "
    "without time, order or identity."
)

STORED_TABLES = (
    "Only counts in tables that were declared before the survey opened were stored, "
    "without time, order or identity."
)

STORED_ELSEWHERE = (
    "The reports were collected elsewhere and imported; how, and what else was kept of "
    "them there, is not known to this software."
)

SEALED = (
    "Reports were encrypted on the respondent's device (HPKE, RFC 9180) to %(holder)s, "
    "which alone could open them, after the survey had closed (key fingerprint "
    "%(fingerprint)s)."
)

VERSIONS = (
    "It was asked in versions with equal tables, whose reports were added up: %s. "
    "Which questions and answers are the same was decided by the researchers; the "
    "reports were not compared for it."
)

ESTIMATED = (
    "Raw shares were estimated without bias as mean scores of the reports, from the "
    "inverse of the randomisation matrix (Warner 1965; van den Hout & van der Heijden "
    "2002); they may fall outside 0 % to 100 %. Their standard error is the standard "
    "deviation of the scores divided by the square root of n. Adjusted shares are "
    "maximum likelihood estimates within 0 % to 100 %."
)

IDENTICAL = (
    "Where all reports to a question are the same, the standard error is that of the "
    "maximum likelihood estimate, kept half a report away from 0 % and 100 %."
)

TESTED = (
    "A planned claim is shown where the planned interval lies beyond the share; P is "
    "the smallest alpha at which the interval at 1 - alpha does."
)

ELSE = "All other results are exploratory."

MEANS = (
    "The mean of a scale is the mean score of its reports, in the units of the scale. "
    "Where one count of reports tells it, as for one bit (Ding, Kulkarni & Yekhanin "
    "2017), its interval is that of this count; else it joins a profile likelihood "
    "interval over all shares with this mean and the mean score with its standard "
    "error, and reaches as far as either."
)

MEANS_AMONG_ANSWERED = (
    "The mean of a scale that could be skipped is the mean among respondents who "
    "answered: the sum of their answers divided by their number, both estimated. Its "
    "interval is the union of the profile likelihood interval and, for reports of "
    "points, the interval of Fieller 1954, or, for reports of High or Low, the exact "
    "interval of their counts."
)

NON_COMPLIANCE = (
    "Respondents who do not follow the instructions were allowed for by the union of "
    "the intervals over their assumed share (Clark & Desharnais 1998; Horowitz & "
    "Manski 1995)."
)

COMPOSED = "by sequential composition (Dwork & Roth 2014, theorem 3.14)"


def methods_text(results: SurveyResults) -> str:
    paragraphs = methods_paragraphs(results)
    listed = [reference.text for reference in cited_in(paragraphs)]
    return "\n\n".join([*paragraphs, "\n".join(["References", *listed])]) + "\n"


def cite_methods(results: SurveyResults) -> str:
    cited = cited_in(methods_paragraphs(results))
    return "\n\n".join(reference.bibtex for reference in cited) + "\n"


def cited_in(paragraphs: Sequence[str]) -> list[Reference]:
    text = "\n".join(paragraphs)
    return [reference for reference in REFERENCES if reference.cited in text]


def methods_paragraphs(results: SurveyResults) -> list[str]:
    return [
        " ".join(sentences)
        for sentences in (
            warnings(results),
            design(results),
            [mechanism(*group) for group in groups(results.questions)],
            protection(results),
            respondents(results),
            estimation(results),
            planned(results),
            provenance(results),
        )
        if sentences
    ]


def warnings(results: SurveyResults) -> list[str]:
    found = []
    if results.survey.is_rehearsal:
        found.append(
            "TEST: people who tried a draft, or a program, gave these reports."
        )
    elif results.survey.is_simulated:
        found.append("SIMULATED: a program generated these reports.")
    if results.survey.is_open:
        found.append("INTERIM: the survey is still open, and its numbers will change.")
    unfit = [
        each.number
        for each in results.questions
        if each.respondents and not each.fits_design
    ]
    if unfit:
        found.append(
            f"NO FIT: the reports to {format_question_numbers(unfit)} do not fit the "
            "design; estimates based on them are unreliable."
        )
    return found


def design(results: SurveyResults) -> list[str]:
    survey, composition = results.survey, results.design.composition
    count = len(results.questions)
    asked = "1 question" if count == 1 else f"{count} questions"
    sentences = [f"The survey “{survey.title}” asked {asked}."]
    if composition.scrambled:
        where = ELSEWHERE if survey.is_imported else WHERE[survey.mode]
        answer = "Each answer"
        if composition.unscrambled:
            answer = f"Each answer to {format_question_numbers(composition.scrambled)}"
        sentences.append(f"{answer} was randomised {where} {LOCAL}.")
    if composition.unscrambled:
        named = format_question_numbers(composition.unscrambled)
        verb = "was" if len(composition.unscrambled) == 1 else "were"
        sentences.append(f"{capfirst(named)} {verb} asked directly and not randomised.")
    drawn = "drawn uniformly at random before anything was answered"
    if survey.is_imported:
        drawn = "drawn at random, as the description of the study says"
    if survey.merged_versions:
        sentences.append(VERSIONS % describe_versions(survey.merged_versions))
    sentences += [
        describe_group(group, results.design, drawn) for group in results.design.groups
    ]
    if holder := survey.holder:
        about = {"holder": holder.holder, "fingerprint": holder.fingerprint}
        sentences.append(SEALED % about)
    sentences += describe_refused(survey.unsealed.get("refused", {}))
    if survey.is_imported:
        return [*sentences, STORED_ELSEWHERE]
    return [*sentences, STORED_TABLES if results.design.tables else STORED]


def describe_refused(refused: Mapping[str, int]) -> list[str]:
    reasons = [
        f"{format_integer(refused[reason])} ({why})"
        for reason, why in REASONS.items()
        if refused.get(reason)
    ]
    if not reasons:
        return []
    return [f"The key holder refused sealed reports: {get_text_list(reasons, 'and')}."]


def describe_group(group: DrawnGroup, design: Design, drawn: str) -> str:
    numbers = format_question_numbers(group.questions)
    ticked = design.find_tick_list(group.questions[0])
    if ticked is None:
        return f"Each respondent was asked {group.asked} of {numbers}, {drawn}."
    return (
        f"{capfirst(numbers)} were a tick list (“{ticked.text}”). Each respondent "
        f"reported on {group.asked} of its items, {drawn}."
    )


def groups(
    questions: Sequence[QuestionResult],
) -> list[tuple[list[int], QuestionResult]]:
    found: dict[str, tuple[list[int], QuestionResult]] = {}
    for question in questions:
        if not question.mechanism.is_scrambled:
            continue
        numbers, _ = found.setdefault(describe_mechanism(question), ([], question))
        numbers.append(question.number)
    return list(found.values())


def mechanism(numbers: Sequence[int], question: QuestionResult) -> str:
    family = load_families().get(question.mechanism.family)
    # The family of an old survey may no longer exist, but its table is stored.
    source = f" ({family.source})" if family else ""
    named = format_question_numbers(numbers)
    line = f"Answers to {named} were randomised{source}. {describe_mechanism(question)}"
    return " ".join([line, *proofs(question)])


def protection(results: SurveyResults) -> list[str]:
    composition = results.design.composition
    if not composition.scrambled:
        return []
    if composition.ratio is None:
        return ["Epsilon of all reports of one respondent together has no bound."]
    epsilon = epsilon_rounded_up(composition.ratio)
    composed = COMPOSED
    if results.design.groups:
        composed += (
            ", counting of each drawn group those asked with the largest epsilon"
        )
    if len(results.questions) == 1 and not composition.unscrambled:
        return []
    what = "randomised answers" if composition.unscrambled else "reports"
    return [
        f"All {what} of one respondent together have an epsilon of at most {epsilon}, "
        f"{composed}."
    ]


def respondents(results: SurveyResults) -> list[str]:
    people = "respondent" if results.respondents == 1 else "respondents"
    texts = [f"n = {format_integer(results.respondents)} {people}."]
    short = [question for question in results.questions if question.missing]
    if short:
        listed = [
            f"question {each.number} (n = {format_integer(each.respondents)})"
            for each in short
        ]
        texts.append(f"Fewer reported on {get_text_list(listed, 'and')}.")
    hidden: dict[str, list[int]] = {}
    for question in results.questions:
        if question.hidden_answer:
            hidden.setdefault(question.hidden_answer, []).append(question.number)
    for answer, numbers in hidden.items():
        named = format_question_numbers(numbers)
        texts.append(f"Respondents who were not shown {named} count as “{answer}”.")
    return texts


def estimation(results: SurveyResults) -> list[str]:
    first = results.questions[0]
    name = interval_name(first)
    special = []
    if any(each.has_identical_reports for each in results.questions):
        special.append(IDENTICAL)
    means = {each.mean.kind for each in results.questions if each.mean}
    if Kind.MEAN in means:
        special.append(MEANS)
    if Kind.MEAN_AMONG_ANSWERED in means:
        special.append(MEANS_AMONG_ANSWERED)
    return [
        ESTIMATED,
        *special,
        f"{name[:1].upper()}{name[1:]}s are {METHODS[first.method].citation}, each for "
        "the count of one report, which is binomial whatever the shares of the other "
        "answers are.",
        SurveyPanel(results).overview.not_covered,
        *non_compliance(results),
    ]


def non_compliance(results: SurveyResults) -> list[str]:
    panel = SurveyPanel(results, Supposed(ignoring=results.ignoring))
    found = [
        f"Question {each.result.number}: {line}"
        for each in panel.questions
        for line in each.supposed_lines
    ]
    return [NON_COMPLIANCE, *found] if found else []


def planned(results: SurveyResults) -> list[str]:
    panel = SurveyPanel(results).planned
    if panel is None:
        return []
    tested = [
        f"Question {test.outcome.question.number}. {test.claim} {test.verdict}"
        for test in panel.tests
    ]
    compared = [
        f"{questions.capitalize()}. {pair.claim} {pair.verdict}"
        for pair in panel.pairs
        for questions in [format_question_numbers(pair.outcome.numbers)]
    ]
    defined = [TESTED] if tested else []
    return [*panel.lines[:-1], *tested, *defined, *compared, ELSE]


def provenance(results: SurveyResults) -> list[str]:
    return [
        f"Computed with {get_software_version()}. The design was frozen when the "
        f"survey opened; the SHA-256 digest of its questions, choices and tables is "
        f"{results.survey.design_digest}."
    ]
