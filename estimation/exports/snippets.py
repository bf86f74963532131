"""Short programs for R and pandas that work the estimates out from the reports file.

They print CSV: question, answer, raw, standard_error, share, low, high, n. Where an
interval is found by a search that would be a program of its own, low and high are left
out, and a comment says so.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from string import Template

from estimation.exports.cells import software_version
from estimation.exports.limits import (
    PANDAS_LIMITS,
    R_LIMITS,
    UNKNOWN_PANDAS,
    UNKNOWN_R,
)
from estimation.exports.variables import QuestionVariables, SurveyVariables
from estimation.maths.folds import fold_of_answer
from estimation.maths.intervals import DEFAULT_CONFIDENCE_LEVEL, DEFAULT_METHOD
from surveys.mechanisms.table import truth_and_other
from surveys.models import Survey

PANDAS_PROGRAM = Template('''\
$head
import numpy as np
import pandas as pd
$imports
reports = pd.read_csv("$file")
level = $level


def likeliest(raw, counts, p, q):
    """Shares from 0 to 1 that make the reports most likely."""
    if len(raw) == 2 or not counts.any():
        return np.clip(raw, 0, 1)
    kept = np.full(len(counts), True)
    while True:
        level = counts[kept].sum() / (p - q + kept.sum() * q)
        shares = np.where(kept, (counts / level - q) / (p - q), 0)
        if shares.min() >= 0:
            return shares
        kept &= shares >= 0


$limits


def interval(counts, codes, a, b):
    """The interval of a share: its answer sends one of `codes` with chance a, others
    with chance b."""
    n, count = counts.sum(), sum(counts[code - 1] for code in codes)
    if n == 0:
        return 0.0, 1.0
    ends = [(chance - b) / (a - b) for chance in limits(count, n, a, b)]
    return np.clip(ends, 0, 1)


def estimates(rows, question, answers, intervals, p=1, q=0):
    """Estimates for any rows of the reports."""
    scores = rows[[f"{question}_score_{answer}" for answer in answers]].dropna()
    codes = range(1, len(answers) + 1)
    counts = rows[question].value_counts().reindex(codes, fill_value=0).to_numpy()
    raw = scores.mean().to_numpy()
    ends = np.array([interval(counts, *each) for each in intervals])
    return pd.DataFrame(
        {
            "question": question,
            "answer": answers,
            "raw": raw,
            "standard_error": scores.sem().to_numpy(),
            "share": likeliest(raw, counts, p, q),
            "low": ends[:, 0],
            "high": ends[:, 1],
            "n": len(scores),
        }
    )


# Question and answers; for each answer the codes that are counted for its interval, and
# the chance of one of them given this answer and given another one. Of more than two
# answers also the chance that one is reported as it is, and as each of the others.
questions = [
$calls
]
result = pd.concat([estimates(reports, *question) for question in questions])
print(result.to_csv(index=False), end="")
''')

R_PROGRAM = Template("""\
$head
reports <- read.csv("$file", fileEncoding = "UTF-8")
level <- $level

# Shares from 0 to 1 that make the reports most likely.
likeliest <- function(raw, counts, p, q) {
  if (length(raw) == 2 || !any(counts > 0)) return(pmin(pmax(raw, 0), 1))
  kept <- rep(TRUE, length(counts))
  repeat {
    level <- sum(counts[kept]) / (p - q + sum(kept) * q)
    shares <- ifelse(kept, (counts / level - q) / (p - q), 0)
    if (all(shares >= 0)) return(shares)
    kept <- kept & shares >= 0
  }
}

$limits

# The interval of a share: its answer sends one of `codes` with chance a, others with
# chance b.
interval <- function(counts, codes, a, b) {
  n <- sum(counts)
  if (n == 0) return(c(0, 1))
  ends <- (limits(sum(counts[codes]), n, a, b) - b) / (a - b)
  pmin(pmax(ends, 0), 1)
}

# Estimates for any rows of the reports.
estimates <- function(rows, question, answers, intervals, p = 1, q = 0) {
  scores <- na.omit(rows[paste0(question, "_score_", answers)])
  counts <- tabulate(rows[[question]], nbins = length(answers))
  raw <- colMeans(scores)
  ends <- sapply(intervals, function(each) {
    interval(counts, each[[1]], each[[2]], each[[3]])
  })
  data.frame(
    question = question,
    answer = answers,
    raw = raw,
    standard_error = sapply(scores, sd) / sqrt(nrow(scores)),
    share = likeliest(raw, counts, p, q),
    low = ends[1, ],
    high = ends[2, ],
    n = nrow(scores),
    row.names = NULL
  )
}

# Question and answers; for each answer the codes that are counted for its interval, and
# the chance of one of them given this answer and given another one. Of more than two
# answers also the chance that one is reported as it is, and as each of the others.
result <- rbind(
$calls
)
options(digits = 15)
write.csv(result, row.names = FALSE, quote = FALSE)
""")


@dataclass(frozen=True)
class Language:
    """How a program lists the questions."""

    program: Template
    texts: str
    """A list of texts,"""
    values: str
    """and one of anything."""
    call: str
    between: str
    limits: Mapping[str, tuple[str, str]]
    """By method, what is imported for it, and the function."""
    unknown: str

    def snippet(
        self,
        variables: SurveyVariables,
        confidence_level: float = DEFAULT_CONFIDENCE_LEVEL,
        method: str = DEFAULT_METHOD,
    ) -> str:
        """Return the program for these reports, with intervals of this method."""
        imports, limits = self.limits.get(method, ("", self.unknown))
        calls = [
            self.call.format(self.arguments(question))
            for question in variables.questions
            if has_known_shares(question)
        ]
        return self.program.substitute(
            head="\n".join(head(variables, method if limits == self.unknown else "")),
            imports=imports,
            limits=limits,
            level=confidence_level,
            file=reports_file(variables.survey),
            calls=self.between.join(calls),
        )

    def arguments(self, question: QuestionVariables) -> str:
        """Return name, answers, intervals and, for more than two, both chances."""
        answers = question.answers
        quoted = ", ".join(f'"{answer}"' for answer in answers)
        laws = [self.law(question, place) for place, _answer in enumerate(answers)]
        intervals = self.values.format(", ".join(laws))
        found = [f'"{question.name}"', self.texts.format(quoted), intervals]
        if len(answers) > 2:
            row, total = question.mechanism.weights[0], question.mechanism.total
            found += [f"{weight} / {total}" for weight in row[:2]]
        return ", ".join(found)

    def law(self, question: QuestionVariables, place: int) -> str:
        """Return which codes are counted for an answer, and with which chances."""
        fold = fold_of_answer(question.mechanism, place)
        codes = ", ".join(str(report + 1) for report in fold.counted)
        chances = [f"{yes} / {yes + no}" for yes, no in fold.weights]
        return self.values.format(", ".join([self.texts.format(codes), *chances]))


PANDAS = Language(
    program=PANDAS_PROGRAM,
    texts="[{}]",
    values="[{}]",
    call="    ({}),",
    between="\n",
    limits=PANDAS_LIMITS,
    unknown=UNKNOWN_PANDAS,
)
R = Language(
    program=R_PROGRAM,
    texts="c({})",
    values="list({})",
    call="  estimates(reports, {})",
    between=",\n",
    limits=R_LIMITS,
    unknown=UNKNOWN_R,
)


def has_known_shares(question: QuestionVariables) -> bool:
    """Whether the programs' formula gives the likeliest shares.

    For two answers it does; for more, where the table treats all of them alike.
    """
    weights = question.mechanism.weights
    if not question.answers:
        return False
    return len(weights) == 2 or truth_and_other(weights) is not None


def head(variables: SurveyVariables, unknown_method: str) -> list[str]:
    """Return comments: what this is, and what it leaves out."""
    survey = variables.survey
    lines = [
        f"The estimates of \N{LEFT DOUBLE QUOTATION MARK}{survey.title}"
        "\N{RIGHT DOUBLE QUOTATION MARK}, worked out from its reports.",
        f"Design digest {survey.design_digest}, written by {software_version()}.",
    ]
    if survey.is_simulated:
        lines.append("A program gave the answers: nobody was asked.")
    for question in variables.questions:
        if question.question.scale:
            lines.append(
                f"The mean of {question.name} is that of {question.score_names[-1]}; "
                "its interval is in the estimates (CSV)."
            )
        if not question.answers:
            lines.append(f"{question.name} is left out: its table tells no shares.")
        elif not has_known_shares(question):
            lines.append(f"{question.name} is left out: its shares need a search.")
    if unknown_method:
        lines.append(
            f"low and high are left out: {unknown_method} intervals need a search of "
            "their own. The estimates (CSV) have them."
        )
    return [f"# {on_one_line(line)}" for line in lines]


def on_one_line(text: str) -> str:
    """Return a text that cannot leave its comment."""
    kept = [each for each in text if each.isprintable() or each.isspace()]
    return " ".join("".join(kept).split())


def reports_file(survey: Survey) -> str:
    """Return what the file of reports is called."""
    return f"{survey.slug}-reports.csv"
