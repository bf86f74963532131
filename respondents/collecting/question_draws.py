"""Modes server and hand: the draw comes with the page, and goes back as it came.

The server draws anew for each page. A signature lets nobody post a draw of their own.
It covers draw and survey alone: people with the same draw send the same.
"""

from django.core.signing import BadSignature, Signer

from candor.mechanisms import randomness
from candor.mechanisms.draws import draw_asked
from surveys.design import Design


def new_draw(
    design: Design, draw: randomness.Draw = randomness.word
) -> tuple[bool, ...]:
    """Return for each question whether one respondent is asked it."""
    return draw_asked(len(design.questions), design.groups, draw)


def seal_draw(design: Design, asked: tuple[bool, ...]) -> str:
    """Return a draw as text of one length that no other survey takes.

    Empty where nothing is drawn.
    """
    if not design.groups:
        return ""
    return signer(design).sign("".join("01"[each] for each in asked))


def read_draw(design: Design, sealed: str) -> tuple[bool, ...] | None:
    """Return what was sealed; None for what this server did not seal."""
    if not design.groups:
        return (True,) * len(design.questions)
    try:
        asked = signer(design).unsign(sealed)
    except BadSignature:
        return None
    return tuple(each == "1" for each in asked)


def signer(design: Design) -> Signer:
    return Signer(salt=f"draw {design.digest}")
