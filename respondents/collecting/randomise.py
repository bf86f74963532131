"""Draws questions in modes server and hand, and randomises answers in mode server.

An answer becomes a report in memory, before anything is stored. Each page returns its
draw of questions to the server, signed, so that respondents cannot choose the draw.
The signature covers only the draw and the survey, so it is the same for all respondents
with the same draw.
"""

from collections.abc import Sequence

from django.core.signing import BadSignature, Signer

from candor.mechanisms import randomness
from candor.mechanisms.draws import draw_asked, encode_pattern
from surveys.design import Design


def randomise(
    design: Design,
    answers: Sequence[int | None],
    draw: randomness.Draw = randomness.word,
) -> bytes:
    """Return one respondent's pattern.

    Answers are row numbers of the tables, or None if the question was not drawn.
    """
    return encode_pattern(
        None
        if answer is None
        else randomness.randomise(question.mechanism.weights, answer, draw)
        for question, answer in zip(design.questions, answers, strict=True)
    )


def draw_questions(
    design: Design, draw: randomness.Draw = randomness.word
) -> tuple[bool, ...]:
    return draw_asked(len(design.questions), design.groups, draw)


def sign_draw(design: Design, asked: tuple[bool, ...]) -> str:
    """Return a signed draw that is valid for this survey only; "" if nothing is drawn.

    All draws of a survey have the same length.
    """
    if not design.groups:
        return ""
    return make_signer(design).sign("".join("01"[each] for each in asked))


def read_draw(design: Design, sealed: str) -> tuple[bool, ...] | None:
    """Return the draw, or None if the signature is not valid."""
    if not design.groups:
        return (True,) * len(design.questions)
    try:
        asked = make_signer(design).unsign(sealed)
    except BadSignature:
        return None
    return tuple(each == "1" for each in asked)


def make_signer(design: Design) -> Signer:
    return Signer(salt=f"draw {design.digest}")
