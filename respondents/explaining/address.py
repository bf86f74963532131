"""The address of a survey as text and as a QR code."""

import io
import re

import segno

ERROR_CORRECTION = "m"
"""Readable with 15 % of the code covered (ISO/IEC 18004). segno uses a higher level if
the code does not become larger."""

PIXELS_A_MODULE = 24
"""About 900 pixels for a typical address: sharp at 8 cm and 300 dots per inch."""

FORMATS = {"svg": "image/svg+xml", "png": "image/png"}


def shorten_address(address: str) -> str:
    """Return the address as people type it, without the parts that a browser adds."""
    return address.removeprefix("https://").removesuffix("/")


def split_address(address: str) -> list[str]:
    """Return the parts between which a line may break, each with its slash."""
    return re.split(r"(?<=[^/:]/)", address)


def draw_code(address: str, kind: str) -> bytes:
    """Return the address as a QR code, dark on white even on a dark page."""
    drawn = io.BytesIO()
    code = segno.make_qr(address, error=ERROR_CORRECTION)
    if kind == "svg":
        code.save(drawn, kind="svg", light="white", omitsize=True, title=address)
    else:
        code.save(drawn, kind="png", light="white", scale=PIXELS_A_MODULE)
    return drawn.getvalue()
