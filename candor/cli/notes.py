"""What an estimate means in words, and what to know before relying on it."""

from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Decimal

from candor.cli.results import (
    ESTIMATED,
    FEW_RESPONDENTS,
    MISFIT,
    NO_REPORTS,
    TELLS_NOTHING,
    Result,
    Row,
)
from candor.cli.wording import (
    STEPS_IN_INTERVAL,
    decimals_for,
    grouped,
    limits,
    listed,
    percent,
    percent_apart,
)
from candor.mechanisms import load_families
from candor.mechanisms.epsilon import epsilon_rounded_up
from candor.mechanisms.table import truth_and_other

LEAST_P_VALUE = 0.0001
"""Smaller p-values are printed as "P < 0.0001"."""

MOST_DECIMALS_OF_A_VALUE = 6

DIGITS_OF_A_VALUE = 10
"""Those of a value on a scale, without the rounding error of floating point."""


TOO_WIDE = ": that tells next to nothing"


def describe(result: Result) -> list[str]:
    """Return what the estimates mean, one sentence for each main row."""
    found = {result.status(row) for row in result.main_rows}
    if NO_REPORTS in found:
        return ["No responses"]
    if MISFIT in found:
        return ["The reports do not fit the design"]
    if result.respondents == 1:
        estimand = "mean" if result.mean else "share"
        return [f"One response tells nothing about a {estimand}"]
    if result.mean:
        low, high = value_limits(result.mean)
        message = f"The mean lies between {low} and {high}"
        if result.status(result.mean) == TELLS_NOTHING:
            return [message + TOO_WIDE]
        return [f"{message} (best estimate {value(result.mean, result.mean.share)})"]
    several = len(result.main_rows) > 1
    return [describe_share(result, row, quoted=several) for row in result.main_rows]


def describe_share(result: Result, row: Row, *, quoted: bool) -> str:
    """Return the interval and the estimate of a share in a sentence."""
    low, high = limits(row.low, row.high)
    if result.status(row) == TELLS_NOTHING:
        return f"Between {low} and {high} answered “{row.answer}”{TOO_WIDE}"
    decimals = decimals_for(row.low, row.high) if 0 < row.share < 1 else 0
    best = percent(row.share, decimals)
    answer = f"“{row.answer}”" if quoted else row.answer
    return f"Between {low} and {high} (best estimate {best}) answered {answer}"


def value_limits(mean: Row) -> tuple[str, str]:
    """Return both ends of the interval of a mean, rounded outwards."""
    return (
        value(mean, mean.low, rounding=ROUND_FLOOR),
        value(mean, mean.high, rounding=ROUND_CEILING),
    )


def value(mean: Row, number: float, *, rounding: str = ROUND_HALF_EVEN) -> str:
    """Return a value on a scale, no finer than the interval of the mean deserves."""
    width, decimals = mean.high - mean.low, 0
    while (
        width * 10**decimals < STEPS_IN_INTERVAL and decimals < MOST_DECIMALS_OF_A_VALUE
    ):
        decimals += 1
    exact = Decimal(repr(round(number, DIGITS_OF_A_VALUE)))
    return f"{exact.quantize(Decimal(1).scaleb(-decimals), rounding):,}"


def describe_interval(result: Result) -> str:
    """Return level, kind and method of the interval, and the number of reports."""
    level = percent(result.confidence_level, trimmed=True)
    kind = "credible" if result.method == "bayes" else "confidence"
    reports = "report" if result.respondents == 1 else "reports"
    return (
        f"{level} {kind} interval, {result.mean_method}, "
        f"{grouped(result.respondents)} {reports}"
    )


def describe_mechanism(result: Result) -> str:
    """Return the family, its probabilities and epsilon."""
    mechanism = result.mechanism
    message = f"{load_families()[mechanism.family].label}: {probabilities(result)}."
    if not mechanism.is_protected:
        return f"{message} Epsilon has no bound."
    return f"{message} Epsilon is at most {epsilon_rounded_up(mechanism.worst_ratio)}."


def probabilities(result: Result) -> str:
    """Return how often each answer is reported as the first report."""
    mechanism = result.mechanism
    same = truth_and_other(mechanism.weights)
    if same and len(result.rows) > 2:
        truth, other = (
            percent_apart(weight / mechanism.total, trimmed=True) for weight in same
        )
        return (
            f"of each answer {truth} arrive as it is and {other} as each of the others"
        )
    answers = mechanism.answers
    if not mechanism.tells_shares:
        # Probabilities grow evenly in between: the ends are enough.
        answers = answers[:: 1 - len(answers)]
    first = mechanism.reports[0]
    parts = []
    for answer in answers:
        probability = float(mechanism.probability(first, given=answer))
        shown = percent_apart(probability, trimmed=True)
        parts.append(f"{shown} of “{answer}” answers")
    return f"{listed(parts)} arrive as “{report_names(result)[0]}”"


def report_names(result: Result) -> list[str]:
    """Return the reports as they are printed: capitalised where they are no answers."""
    mechanism = result.mechanism
    if mechanism.reports == mechanism.answers:
        return list(mechanism.reports)
    return [report.capitalize() for report in mechanism.reports]


def cautions(result: Result) -> list[str]:
    """Return what to know before relying on the estimates."""
    found = []
    if not result.mechanism.is_scrambled:
        found.append(
            "Not protected: this question's answers are stored as they were given. "
            "Epsilon has no bound."
        )
    elif not result.mechanism.is_protected:
        found.append(
            "Partly protected: some reports to this question show the answer. Epsilon "
            "has no bound."
        )
    found += proofs(result)
    if not result.respondents:
        return found
    if not result.fits_design:
        found.append(misfit(result))
    elif result.mean and not 0 <= result.mean.raw <= len(result.mechanism.answers) - 1:
        edge = len(result.mechanism.answers) - 1 if result.mean.raw > 0 else 0
        found.append(
            f"The raw mean lies beyond {edge}, where the scale ends. Chance does this "
            f"when the true mean is close to {edge}, or the survey is small for this "
            "much scrambling. The files keep the raw one too."
        )
    elif result.rows and min(row.raw for row in result.rows) < 0:
        of_two = len(result.rows) == 2
        found.append(outside_of_two(result) if of_two else outside_of_many(result))
    if result.respondents < FEW_RESPONDENTS:
        responses = "response" if result.respondents == 1 else "responses"
        found.append(
            f"Only {result.respondents} {responses}. Below {FEW_RESPONDENTS} the "
            "interval tells very little."
        )
    return found


def proofs(result: Result) -> list[str]:
    """Return which reports show the answer behind them, where others do not."""
    mechanism, names = result.mechanism, report_names(result)
    found = [
        f"“{name}” is proof: it comes only from people whose answer is {answer}."
        for report, name in zip(mechanism.reports, names, strict=True)
        if (answer := mechanism.proofs.get(report))
    ]
    if found and mechanism.reports != mechanism.answers:
        quoted = listed([f"“{name}”" for name in names])
        found[0] = f"Scrambled answers to this question are called {quoted}. {found[0]}"
    return found


def is_estimated(result: Result) -> bool:
    """Return whether any of the sentences has an estimate."""
    return ESTIMATED in map(result.status, result.main_rows)


def outside_of_two(result: Result) -> str:
    """Return what a raw estimate below 0 or above 1 means."""
    raw = result.rows[0].raw
    edge = percent(float(raw > 0), 0)
    message = (
        f"The raw estimate is {percent_apart(raw)}, which no share can be. Chance does "
        f"this when the true share is close to {edge}, or the survey is small for this "
        "much scrambling."
    )
    if is_estimated(result):
        message += (
            f" The likeliest share is {edge}; the table and the CSV keep the raw one "
            "too."
        )
    return message


def outside_of_many(result: Result) -> str:
    """Return what raw estimates below 0 mean where there are several answers."""
    below = [f"“{row.answer}”" for row in result.rows if row.raw < 0]
    above = [f"“{row.answer}”" for row in result.rows if row.raw > 1]
    zero, whole = percent(0.0, 0), percent(1.0, 0)
    is_one = len(below) == 1
    message = (
        f"The raw estimate{'' if is_one else 's'} of {listed(below)} "
        f"{'is' if is_one else 'are'} below {zero}, which no share can be."
    )
    if above:
        message += f" Above {whole}, which no share can be either: {listed(above)}."
    message += (
        f" Chance does this when {'a true share is' if is_one else 'true shares are'} "
        f"close to {zero}, or the survey is small for this much scrambling."
    )
    if is_estimated(result):
        message += (
            " The best estimates are the likeliest shares that can be; the table and "
            "the CSV keep the raw ones too."
        )
    return message


def misfit(result: Result) -> str:
    """Return that no share explains the reports, and what the cause may be."""
    p_value = f"P = {result.fit:.1g}"
    if result.fit < LEAST_P_VALUE:
        p_value = f"P < {LEAST_P_VALUE}"
    p_value = p_value.replace(" ", "\N{NO-BREAK SPACE}")
    several = len(result.rows) > 2
    message = "The reports do not fit the design."
    if not result.rows:
        message += (
            " They are more one-sided than even the lowest or the highest mean would "
            "bring in 1 of 100 surveys"
        )
    elif several:
        message += (
            " Some reports are so few that, even if nobody had the answer they stand "
            "for, this would come in fewer than 1 of 100 surveys"
        )
    else:
        raw = result.rows[0].raw
        message += (
            f" The raw estimate is {percent_apart(raw)}, which no share can be. Even "
            f"if the true share were {percent(float(raw > 0), 0)}, reports as "
            "one-sided as these would come in fewer than 1 of 100 surveys"
        )
    cause = "Perhaps forged reports were sent"
    if result.rows:
        cause += (
            ", or people who scrambled their answers themselves did not follow the "
            "instructions"
        )
    ending = "s do" if several else " does"
    return f"{message} ({p_value}). {cause}. The interval{ending} not allow for that."
