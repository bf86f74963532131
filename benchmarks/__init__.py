"""Benchmarks, each with a limit or a peer in the same run."""

import config  # noqa: F401 -- one thread of linear algebra, as servers have it
