"""Modes server and hand: the page carries the drawn questions, signed, to the server.

Each page has its own draw. The signature prevents a respondent from choosing one. It
covers only the draw and the survey, so people with the same draw send the same.
"""

from django.core.signing import BadSignature, Signer

from candor.mechanisms import randomness
from candor.mechanisms.draws import draw_asked
from surveys.design import Design


def draw_questions(
    design: Design, draw: randomness.Draw = randomness.word
) -> tuple[bool, ...]:
    """Return for each question whether one respondent is asked it."""
    return draw_asked(len(design.questions), design.groups, draw)


def sign_draw(design: Design, asked: tuple[bool, ...]) -> str:
    """Return a signed draw, of one length and for this survey only.

    Empty where nothing is drawn.
    """
    if not design.groups:
        return ""
    return signer(design).sign("".join("01"[each] for each in asked))


def read_draw(design: Design, sealed: str) -> tuple[bool, ...] | None:
    """Return a signed draw; None where this server did not sign it."""
    if not design.groups:
        return (True,) * len(design.questions)
    try:
        asked = signer(design).unsign(sealed)
    except BadSignature:
        return None
    return tuple(each == "1" for each in asked)


def signer(design: Design) -> Signer:
    return Signer(salt=f"draw {design.digest}")
