"""Dates as in the rest of Candor, where Django would write "Nov. 22, 2026"."""

DATE_FORMAT = "j F Y"
DATETIME_FORMAT = "j F Y, H:i"
