"""Group sizes below which nothing is counted or shown; free of Django for settings."""

LEAST_BATCH_SIZE = 10
"""The least number of responses by which results of an open survey move.

A step of k responses hides each of them among k. Ten or eleven is the minimum cell size
of many health statistics, and it leaves surveys of one class or one office possible.
"""

LEAST_RESPONSES = 10
"""The default of the setting of this name: results are shown from here on.

Equal to the least step: a survey that closes early shows no smaller group than an open
one.
"""

LOWEST_LEAST_RESPONSES, HIGHEST_LEAST_RESPONSES = 5, 10_000
"""What the setting takes. Five is the least minimum cell size in wide use for data on
health."""
