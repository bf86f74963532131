"""Date and time formats: 22 November 2026, in place of Django's Nov. 22, 2026."""

DATE_FORMAT = "j F Y"
DATETIME_FORMAT = "j F Y, H:i"
