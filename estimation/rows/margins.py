"""Known shares of a population, of the questions of a survey."""

from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction

from django.utils.translation import gettext as _

from candor.files.margins import ALL
from candor.files.table import FileError
from candor.mechanisms.parameters import shown
from surveys.design import DesignQuestion

DECIMALS_OF_PERCENT = 4


def to_percent(share: Fraction | float) -> Decimal:
    percent = round(Decimal(repr(float(ALL * share))), DECIMALS_OF_PERCENT)
    return Decimal(f"{percent.normalize():f}")


def find_places(
    margins: Mapping[str, Mapping[str, float]], questions: Mapping[int, DesignQuestion]
) -> dict[tuple[int, int], float]:
    """Return {(number of a question, number of its answer): share}, both from 1.

    Parameters
    ----------
    margins : mapping
        From `read_margins`: a question is named by its number or its text, an answer by
        its wording.
    questions : mapping of int to DesignQuestion
        The direct questions by their numbers.

    Raises
    ------
    FileError
        With every question or answer that there is not.
    """
    found: dict[tuple[int, int], float] = {}
    problems = []
    for asked, margin in margins.items():
        number = find_question(asked, questions)
        if number is None:
            told = _("No direct question has this number or text: %s.")
            problems.append(told % shown(asked))
            continue
        labels = [label.casefold() for label in questions[number].choices]
        for answer, share in margin.items():
            if answer.casefold() in labels:
                found[number, labels.index(answer.casefold()) + 1] = share
            else:
                told = _("Question %(number)s has no answer %(answer)s.")
                words = {"number": number, "answer": shown(answer)}
                problems.append(told % words)
    if problems:
        raise FileError(problems)
    return found


def find_question(asked: str, questions: Mapping[int, DesignQuestion]) -> int | None:
    for number, question in questions.items():
        if asked.casefold() in {str(number), question.text.strip().casefold()}:
            return number
    return None
