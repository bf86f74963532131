"""Short programs for R and pandas that work the estimates out from the reports file.

They print CSV: question, answer, raw, standard_error, share, n.
"""

from dataclasses import dataclass
from string import Template

from estimation.exports.cells import software_version
from estimation.exports.variables import QuestionVariables, SurveyVariables
from surveys.mechanisms.table import truth_and_other
from surveys.models import Survey

PANDAS_PROGRAM = Template('''\
$head
import numpy as np
import pandas as pd

reports = pd.read_csv("$file")


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


def estimates(rows, question, answers, p=1, q=0):
    """Estimates for any rows of the reports."""
    scores = rows[[f"{question}_score_{answer}" for answer in answers]].dropna()
    codes = range(1, len(answers) + 1)
    counts = rows[question].value_counts().reindex(codes, fill_value=0).to_numpy()
    raw = scores.mean().to_numpy()
    return pd.DataFrame(
        {
            "question": question,
            "answer": answers,
            "raw": raw,
            "standard_error": scores.sem().to_numpy(),
            "share": likeliest(raw, counts, p, q),
            "n": len(scores),
        }
    )


# Question and answers; of more than two also the chance that an answer is reported as
# it is, and as each of the others.
questions = [
$calls
]
result = pd.concat([estimates(reports, *question) for question in questions])
print(result.to_csv(index=False), end="")
''')

R_PROGRAM = Template("""\
$head
reports <- read.csv("$file", fileEncoding = "UTF-8")

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

# Estimates for any rows of the reports.
estimates <- function(rows, question, answers, p = 1, q = 0) {
  scores <- na.omit(rows[paste0(question, "_score_", answers)])
  counts <- tabulate(rows[[question]], nbins = length(answers))
  raw <- colMeans(scores)
  data.frame(
    question = question,
    answer = answers,
    raw = raw,
    standard_error = sapply(scores, sd) / sqrt(nrow(scores)),
    share = likeliest(raw, counts, p, q),
    n = nrow(scores),
    row.names = NULL
  )
}

# Question and answers; of more than two also the chance that an answer is reported as
# it is, and as each of the others.
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
    """A list of texts."""
    call: str
    between: str

    def snippet(self, variables: SurveyVariables) -> str:
        """Return the program for these reports."""
        calls = [
            self.call.format(self.arguments(question))
            for question in variables.questions
            if has_known_shares(question)
        ]
        return self.program.substitute(
            head="\n".join(head(variables)),
            file=reports_file(variables.survey),
            calls=self.between.join(calls),
        )

    def arguments(self, question: QuestionVariables) -> str:
        """Return name, answers and, for more than two, both chances."""
        answers = [name.rpartition("_score_")[2] for name in question.score_names]
        quoted = ", ".join(f'"{answer}"' for answer in answers)
        found = [f'"{question.name}"', self.texts.format(quoted)]
        if len(answers) > 2:
            row, total = question.mechanism.weights[0], question.mechanism.total
            found += [f"{weight} / {total}" for weight in row[:2]]
        return ", ".join(found)


PANDAS = Language(PANDAS_PROGRAM, "[{}]", "    ({}),", "\n")
R = Language(R_PROGRAM, "c({})", "  estimates(reports, {})", ",\n")


def has_known_shares(question: QuestionVariables) -> bool:
    """Whether the programs' formula gives the likeliest shares.

    For two answers it does; for more, where the table treats all of them alike.
    """
    weights = question.mechanism.weights
    return len(weights) == 2 or truth_and_other(weights) is not None


def head(variables: SurveyVariables) -> list[str]:
    """Return comments: what this is, and which questions it leaves out."""
    survey = variables.survey
    lines = [
        f"The estimates of \N{LEFT DOUBLE QUOTATION MARK}{survey.title}"
        "\N{RIGHT DOUBLE QUOTATION MARK}, worked out from its reports.",
        f"Design digest {survey.design_digest}, written by {software_version()}.",
    ]
    if survey.is_simulated:
        lines.append("A program gave the answers: nobody was asked.")
    for question in variables.questions:
        if not has_known_shares(question):
            lines.append(f"{question.name} is left out: its shares need a search.")
    return [f"# {on_one_line(line)}" for line in lines]


def on_one_line(text: str) -> str:
    """Return a text that cannot leave its comment."""
    kept = [each for each in text if each.isprintable() or each.isspace()]
    return " ".join("".join(kept).split())


def reports_file(survey: Survey) -> str:
    """Return what the file of reports is called."""
    return f"{survey.slug}-reports.csv"
