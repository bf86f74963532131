"""Split ballot: questions of which chance drew one for each respondent.

Nobody was asked two of them, so they have no answers together; but those who were asked
one are a random part of all, and can be held against those who were asked another.
"""

from estimation.rows.comparison import Comparison, compare_samples
from estimation.rows.counts import read_one_way
from surveys.design import Design, get_design
from surveys.models import Survey


def are_arms(design: Design, first: int, second: int) -> bool:
    """Whether nobody was asked both questions, 1 for the survey's first."""
    return first != second and any(
        group.asked == 1 and {first, second} <= set(group.questions)
        for group in design.groups
    )


def compare_arms(
    survey: Survey, first: int, second: int, *, confidence_level: float, method: str
) -> Comparison:
    """Return what is sealed about two arms; parameters as in `compare`."""
    design = get_design(survey)
    first_read, second_read = (
        read_one_way(survey, (number,), seals=False) for number in (first, second)
    )
    labels = [f"{each}. {design.questions[each - 1].text}" for each in (first, second)]
    return compare_samples(
        (labels[0], labels[1]),
        (first_read, second_read),
        respondents=first_read.respondents,
        is_split=True,
        confidence_level=confidence_level,
        method=method,
    )
