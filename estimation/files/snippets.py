"""Short programs for R and pandas that work the estimates out from the reports file.

They print CSV: question, answer, raw, standard_error, share, low, high, n. Where an
interval is found by a search that would be a program of its own, low and high are left
out, and a comment says so. A scale has one row more, its answer called mean.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from string import Template

from candor.dichotomies import Dichotomy, dichotomy_of_answer, dichotomy_of_mean
from candor.intervals import DEFAULT_CONFIDENCE_LEVEL, DEFAULT_METHOD
from candor.mechanisms.scale import Scale
from candor.mechanisms.table import truth_and_other
from estimation.files.limits import PANDAS_LIMITS, R_LIMITS, UNKNOWN_PANDAS, UNKNOWN_R
from estimation.files.variables import QuestionVariables, SurveyVariables, note_of
from surveys.models import Survey
from surveys.version import get_software_version

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
    share = likeliest(raw, counts, p, q)
    ends = np.array([interval(counts, *each) for each in intervals])
    if counts.any():
        # The likeliest shares of several answers may lie outside: none contradicts.
        ends[:, 0] = np.minimum(ends[:, 0], share)
        ends[:, 1] = np.maximum(ends[:, 1], share)
    return pd.DataFrame(
        {
            "question": question,
            "answer": answers,
            "raw": raw,
            "standard_error": scores.sem().to_numpy(),
            "share": share,
            "low": ends[:, 0],
            "high": ends[:, 1],
            "n": len(scores),
        }
    )


$means\
# Question and answers; for each answer the codes that are counted for its interval, and
# the chance of one of them given this answer and given another one. Of more than two
# answers also the chance that one is reported as it is, and as each of the others.
questions = [
$calls
]
result = pd.concat(questions)
print(result.to_csv(index=False), end="")
''')

MEANS_PANDAS = '''\
def mean_of_scale(rows, question, low, high, points, law, p=1, q=0):
    """The mean of a scale from `low` to `high`, for any rows of the reports: by the law
    of one count, as shares; without it, of the likeliest shares, and no interval."""
    scores = rows[f"{question}_score_mean"].dropna()
    codes = range(1, points + 1)
    counts = rows[question].value_counts().reindex(codes, fill_value=0).to_numpy()
    if law:
        share = np.clip(scores.mean(), low, high)
        ends = low + (high - low) * np.array(interval(counts, *law))
    else:
        nothing = np.full(points, np.nan)
        share = np.linspace(low, high, points) @ likeliest(nothing, counts, p, q)
        ends = np.nan, np.nan
    row = {
        "question": question,
        "answer": "mean",
        "raw": scores.mean(),
        "standard_error": scores.sem(),
        "share": share,
        "low": ends[0],
        "high": ends[1],
        "n": len(scores),
    }
    return pd.DataFrame([row])


'''

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
  share <- likeliest(raw, counts, p, q)
  if (sum(counts) > 0) {
    # The likeliest shares of several answers may lie outside: none contradicts.
    ends <- rbind(pmin(ends[1, ], share), pmax(ends[2, ], share))
  }
  data.frame(
    question = question,
    answer = answers,
    raw = raw,
    standard_error = sapply(scores, sd) / sqrt(nrow(scores)),
    share = share,
    low = ends[1, ],
    high = ends[2, ],
    n = nrow(scores),
    row.names = NULL
  )
}

$means\
# Question and answers; for each answer the codes that are counted for its interval, and
# the chance of one of them given this answer and given another one. Of more than two
# answers also the chance that one is reported as it is, and as each of the others.
result <- rbind(
$calls
)
options(digits = 15)
write.csv(result, row.names = FALSE, quote = FALSE)
""")


MEANS_R = """\
# The mean of a scale from `low` to `high`, for any rows of the reports: by the law of
# one count, as shares; without it, of the likeliest shares, and no interval.
mean_of_scale <- function(rows, question, low, high, points, law, p = 1, q = 0) {
  scores <- na.omit(rows[[paste0(question, "_score_mean")]])
  counts <- tabulate(rows[[question]], nbins = points)
  if (is.null(law)) {
    shares <- likeliest(rep(NaN, points), counts, p, q)
    share <- sum(seq(low, high, length.out = points) * shares)
    ends <- c(NA, NA)
  } else {
    share <- pmin(pmax(mean(scores), low), high)
    ends <- low + (high - low) * interval(counts, law[[1]], law[[2]], law[[3]])
  }
  data.frame(
    question = question,
    answer = "mean",
    raw = mean(scores),
    standard_error = sd(scores) / sqrt(length(scores)),
    share = share,
    low = ends[1],
    high = ends[2],
    n = length(scores)
  )
}

"""


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
    means: str
    """The function of the mean of a scale,"""
    nothing: str
    """and what it is given in place of the law that there is not."""
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
            self.call.format(each)
            for question in variables.questions
            for each in self.calls(question)
        ]
        has_means = any(each.question.scale for each in variables.questions)
        return self.program.substitute(
            head="\n".join(head(variables, method if limits == self.unknown else "")),
            imports=imports,
            limits=limits,
            means=self.means if has_means else "",
            level=confidence_level,
            file=reports_file(variables.survey),
            calls=self.between.join(calls),
        )

    def calls(self, question: QuestionVariables) -> Iterator[str]:
        """Yield what is called for the shares of a question, and for its mean."""
        if has_known_shares(question):
            yield f"estimates(reports, {self.arguments(question)})"
        if question.question.scale:
            mean = self.arguments_of_mean(question, question.question.scale)
            yield f"mean_of_scale(reports, {mean})"

    def arguments_of_mean(self, question: QuestionVariables, scale: Scale) -> str:
        """Return name, ends, points and dichotomy; without one, both chances."""
        found = [f'"{question.name}"', scale.low, scale.high, scale.points]
        dichotomy = dichotomy_of_mean(question.mechanism)
        told = (
            [self.counted(dichotomy)]
            if dichotomy
            else [self.nothing, *both_chances(question)]
        )
        return ", ".join(str(each) for each in [*found, *told])

    def arguments(self, question: QuestionVariables) -> str:
        """Return name, answers, intervals and, for more than two, both chances."""
        answers = question.answers
        quoted = ", ".join(f'"{answer}"' for answer in answers)
        counted = [
            self.counted(dichotomy_of_answer(question.mechanism, place))
            for place, _answer in enumerate(answers)
        ]
        intervals = self.values.format(", ".join(counted))
        found = [f'"{question.name}"', self.texts.format(quoted), intervals]
        if len(answers) > 2:
            found += both_chances(question)
        return ", ".join(found)

    def counted(self, dichotomy: Dichotomy) -> str:
        """Return which codes are counted, and with which chances."""
        codes = ", ".join(str(report + 1) for report in dichotomy.counted)
        chances = [f"{yes} / {yes + no}" for yes, no in dichotomy.weights]
        return self.values.format(", ".join([self.texts.format(codes), *chances]))


PANDAS = Language(
    program=PANDAS_PROGRAM,
    texts="[{}]",
    values="[{}]",
    call="    {},",
    between="\n",
    means=MEANS_PANDAS,
    nothing="None",
    limits=PANDAS_LIMITS,
    unknown=UNKNOWN_PANDAS,
)
R = Language(
    program=R_PROGRAM,
    texts="c({})",
    values="list({})",
    call="  {}",
    between=",\n",
    means=MEANS_R,
    nothing="NULL",
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


def both_chances(question: QuestionVariables) -> list[str]:
    """Return the chance that an answer is reported as it is, and as another one."""
    row, total = question.mechanism.weights[0], question.mechanism.total
    return [f"{weight} / {total}" for weight in row[:2]]


def head(variables: SurveyVariables, unknown_method: str) -> list[str]:
    """Return comments: what this is, and what it leaves out."""
    survey = variables.survey
    lines = [
        f"The estimates of \N{LEFT DOUBLE QUOTATION MARK}{survey.title}"
        "\N{RIGHT DOUBLE QUOTATION MARK}, worked out from its reports.",
        f"Design digest {survey.design_digest}, written by {get_software_version()}.",
    ]
    lines += note_of(variables)
    for question in variables.questions:
        if question.question.scale and not dichotomy_of_mean(question.mechanism):
            lines.append(
                f"The interval of the mean of {question.name} needs a search of its "
                "own: the estimates (CSV) have it."
            )
        if not question.answers:
            lines.append(
                f"The shares of {question.name} are left out: its table tells none."
            )
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
