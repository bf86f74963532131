"""QR codes, read back from their pictures and drawn a second time."""

import re
from xml.etree import ElementTree as ET

import segno

QUIET_ZONE = 4
"""Modules around the code: ISO/IEC 18004 asks for four."""


def modules_of_svg(svg):
    """Read a code back from its picture: rows of 0 and 1, with the margin."""
    root = ET.fromstring(svg)  # noqa: S314
    name = "{http://www.w3.org/2000/svg}"
    size = int(root.attrib["viewBox"].split()[-1])
    white, dark = root.findall(f"{name}path")
    assert white.attrib["fill"] == "#fff"
    rows = [bytearray(size) for _row in range(size)]
    x = y = 0.0
    for command, numbers in re.findall(r"([MmhHvz])([^MmhHvz]*)", dark.attrib["d"]):
        values = [float(each) for each in re.findall(r"-?[\d.]+", numbers)]
        if command == "M":
            x, y = values
        elif command == "m":
            x, y = x + values[0], y + values[1]
        else:
            rows[int(y)][int(x) : int(x + values[0])] = b"\1" * int(values[0])
            x += values[0]
    return [bytes(row) for row in rows]


def expected_modules(address):
    code = segno.make_qr(address, error="m")
    return [bytes(map(int, row)) for row in code.matrix_iter(border=QUIET_ZONE)]
