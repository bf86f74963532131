"""Times as in English, behind a comma."""

DATETIME_FORMAT = "j. F Y, H:i"
