"""Date and time formats: a comma before the time, as in English."""

DATETIME_FORMAT = "j. F Y, H:i"
