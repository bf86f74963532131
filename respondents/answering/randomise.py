"""Mode server: an answer becomes a report in memory, before anything is stored."""

from collections.abc import Sequence

from surveys.design import Design
from surveys.mechanisms import randomness


def randomise(
    design: Design, answers: Sequence[int], draw: randomness.Draw = randomness.word
) -> bytes:
    """Return one respondent's pattern; answers are rows of the tables."""
    return bytes(
        randomness.randomise(question.mechanism.weights, answer, draw)
        for question, answer in zip(design.questions, answers, strict=True)
    )
