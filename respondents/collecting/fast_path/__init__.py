"""The fast path for the common request: a survey's page, and a submission from it.

What it gains, measured on two cores with `benchmarks/collection.py` (SQLite): several
times the submissions per second of Django alone at 64 clients, because the page costs
no Django and one wait for the disk stores a whole batch.

What it costs: `server.py`, `recent_answers.py` and `group_commit.py`; a page, and the
last day of a survey, may be one second old. Nothing else differs: what does not look
exactly like a submission of our own script goes to Django unchanged, and Django's
answer is the one that is repeated. Without this folder every request is still answered,
as it is behind another server. docs/decisions/0017-in-front-of-the-framework.md has the
measurements.
"""
