"""Measurements; each prints what it measures against."""

import config  # noqa: F401 -- one thread of linear algebra, as servers have it
