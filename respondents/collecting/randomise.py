"""Modes server and hand: the server draws the questions; in mode server, it randomises.

An answer becomes a report in memory, before anything is stored. Each page carries its
own draw of questions, signed, to the server. The signature prevents a respondent from
choosing one. It covers only the draw and the survey, so people with the same draw send
the same.
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
    """Return one respondent's pattern; answers are rows of the tables.

    None stands for a question that was not drawn.
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
    """Return a signed draw, of one length and for this survey only.

    Empty where nothing is drawn.
    """
    if not design.groups:
        return ""
    return make_signer(design).sign("".join("01"[each] for each in asked))


def read_draw(design: Design, sealed: str) -> tuple[bool, ...] | None:
    """Return a signed draw; None where this server did not sign it."""
    if not design.groups:
        return (True,) * len(design.questions)
    try:
        asked = make_signer(design).unsign(sealed)
    except BadSignature:
        return None
    return tuple(each == "1" for each in asked)


def make_signer(design: Design) -> Signer:
    return Signer(salt=f"draw {design.digest}")
