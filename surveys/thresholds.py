"""Group sizes below which nothing is counted or shown; free of Django for settings."""

MIN_BATCH_SIZE = 10
"""Minimum number of responses by which results of an open survey change.

A step of k responses hides each of them among k. Ten or eleven is the minimum cell size
of many health statistics, and still allows surveys of one class or one office.
"""

LEAST_RESPONSES = 10
"""Default of the setting of this name: results are shown from this number on.

Equal to the smallest step, so that a survey which closes early shows no smaller group
than an open one.
"""

MIN_LEAST_RESPONSES, MAX_LEAST_RESPONSES = 5, 10_000
"""Range of the setting. Five is the smallest minimum cell size in wide use for health
data."""
