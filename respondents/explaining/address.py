"""The address of a survey as text and as a QR code."""

import io
import re

import segno

ERROR_CORRECTION = "m"
"""Read with 15 % of the code covered (ISO/IEC 18004); segno takes a higher level where
it costs no larger code."""

PIXELS_A_MODULE = 24
"""About 900 pixels for a usual address: sharp at 8 cm in 300 dots per inch."""

FORMATS = {"svg": "image/svg+xml", "png": "image/png"}


def shorten_address(address: str) -> str:
    """Return the address as people type it: what a browser adds is left out."""
    return address.removeprefix("https://").removesuffix("/")


def split_address(address: str) -> list[str]:
    """Return the parts between which a line may end, each with its slash."""
    return re.split(r"(?<=[^/:]/)", address)


def draw_code(address: str, kind: str) -> bytes:
    """Return the address as a QR code, dark on white also where a page is dark."""
    drawn = io.BytesIO()
    code = segno.make_qr(address, error=ERROR_CORRECTION)
    if kind == "svg":
        code.save(drawn, kind="svg", light="white", omitsize=True, title=address)
    else:
        code.save(drawn, kind="png", light="white", scale=PIXELS_A_MODULE)
    return drawn.getvalue()
