"""Mode server: an answer becomes a report in memory, before anything is stored."""

from collections.abc import Sequence

from candor.mechanisms import randomness
from candor.mechanisms.draws import encode_pattern
from surveys.design import Design


def randomise(
    design: Design,
    answers: Sequence[int | None],
    draw: randomness.Draw = randomness.word,
) -> bytes:
    """Return one respondent's pattern; answers are rows of the tables.

    None stands for a question that was not drawn.
    """
    return encode_pattern(
        None
        if answer is None
        else randomness.randomise(question.mechanism.weights, answer, draw)
        for question, answer in zip(design.questions, answers, strict=True)
    )
